// Integer functions.
#pragma once
#pragma clang system_header

namespace metal {

#define MSL_INTEGER(T) \
  T abs(T);            \
  T popcount(T);       \
  T clz(T);            \
  T ctz(T);            \
  T min(T, T);         \
  T max(T, T);         \
  T clamp(T, T, T);
MSL_INTEGER(char)
MSL_INTEGER(uchar)
MSL_INTEGER(short)
MSL_INTEGER(ushort)
MSL_INTEGER(int)
MSL_INTEGER(uint)
MSL_INTEGER(long)
MSL_INTEGER(ulong)
MSL_INTEGER(int2)
MSL_INTEGER(int3)
MSL_INTEGER(int4)
MSL_INTEGER(uint2)
MSL_INTEGER(uint3)
MSL_INTEGER(uint4)
#undef MSL_INTEGER
MSL_NO_BFLOAT(abs)
MSL_NO_BFLOAT(min)
MSL_NO_BFLOAT(max)
MSL_NO_BFLOAT(clamp)

#define MSL_SCALAR_INTEGER(T)                \
  T reverse_bits(T);                         \
  T rotate(T, T);                            \
  T mulhi(T, T);                             \
  T addsat(T, T);                            \
  T subsat(T, T);                            \
  T extract_bits(T, uint offset, uint bits); \
  T insert_bits(T base, T insert, uint offset, uint bits);
MSL_SCALAR_INTEGER(char)
MSL_SCALAR_INTEGER(uchar)
MSL_SCALAR_INTEGER(short)
MSL_SCALAR_INTEGER(ushort)
MSL_SCALAR_INTEGER(int)
MSL_SCALAR_INTEGER(uint)
MSL_SCALAR_INTEGER(long)
MSL_SCALAR_INTEGER(ulong)
#undef MSL_SCALAR_INTEGER

}  // namespace metal
