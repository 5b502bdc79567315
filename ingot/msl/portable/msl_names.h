// Included right before kernel text, after every other header: the names of Metal that have to be macros, because C's
// headers and CUDA define some of them too.
#pragma once
#undef INFINITY
#undef NAN
#undef HUGE_VALF
#undef FLT_MAX
#undef FLT_MIN
#undef FLT_EPSILON
#undef INT_MAX
#undef INT_MIN
#undef UINT_MAX
#undef MAXFLOAT
#define INFINITY (::metal::numeric_limits<float>::infinity())
#define NAN (::metal::numeric_limits<float>::quiet_NaN())
#define HUGE_VALF INFINITY
#define MAXFLOAT 0x1.fffffep127f
#define FLT_MAX 0x1.fffffep127f
#define FLT_MIN 0x1p-126f
#define FLT_EPSILON 0x1p-23f
#define INT_MAX 0x7FFFFFFF
#define INT_MIN (-0x7FFFFFFF - 1)
#define UINT_MAX 0xFFFFFFFFu
#define M_PI_F 3.14159265358979323846f
#define M_PI_2_F 1.57079632679489661923f
#define M_1_PI_F 0.31830988618379067154f
#define M_2_SQRTPI_F 1.12837916709551257390f
#define M_SQRT2_F 1.41421356237309504880f
#define M_SQRT1_2_F 0.70710678118654752440f
#define M_LN2_F 0.69314718055994530942f
#define M_LOG2E_F 1.44269504088896340736f
#if !defined(__METAL_VERSION__)
#define __METAL_VERSION__ 310
#endif
