// Swizzles of the first two elements, listed for msl_vec.h, which says what MSL_SWIZZLE(name, indices...) makes of
// them.
MSL_SWIZZLE(xx, 0, 0)
MSL_SWIZZLE(xy, 0, 1)
MSL_SWIZZLE(yx, 1, 0)
MSL_SWIZZLE(yy, 1, 1)
MSL_SWIZZLE(xxxx, 0, 0, 0, 0)
MSL_SWIZZLE(yyyy, 1, 1, 1, 1)
MSL_SWIZZLE(xyxy, 0, 1, 0, 1)
