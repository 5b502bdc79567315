// Integer functions.
#pragma once
#pragma clang system_header

namespace metal {

#define MSL_INTEGERS(DECLARE, name)                                                                   \
  DECLARE(name, char)                                                                                 \
  DECLARE(name, uchar)                                                                                \
  DECLARE(name, short)                                                                                \
  DECLARE(name, ushort)                                                                               \
  DECLARE(name, int) DECLARE(name, uint) DECLARE(name, long) DECLARE(name, ulong) DECLARE(name, int2) \
      DECLARE(name, int3) DECLARE(name, int4) DECLARE(name, uint2) DECLARE(name, uint3) DECLARE(name, uint4)
#define MSL_SCALAR_INTEGERS(DECLARE, name) \
  DECLARE(name, char)                      \
  DECLARE(name, uchar)                     \
  DECLARE(name, short)                     \
  DECLARE(name, ushort) DECLARE(name, int) DECLARE(name, uint) DECLARE(name, long) DECLARE(name, ulong)

MSL_INTEGERS(MSL_ONE, abs)
MSL_INTEGERS(MSL_TWO, min)
MSL_INTEGERS(MSL_TWO, max)
MSL_INTEGERS(MSL_THREE, clamp)
MSL_NO_BFLOAT(abs)
MSL_NO_BFLOAT(min)
MSL_NO_BFLOAT(max)
MSL_NO_BFLOAT(clamp)
MSL_INTEGERS(MSL_ONE, popcount)
MSL_INTEGERS(MSL_ONE, clz)
MSL_INTEGERS(MSL_ONE, ctz)
MSL_SCALAR_INTEGERS(MSL_ONE, reverse_bits)
MSL_SCALAR_INTEGERS(MSL_TWO, rotate)
MSL_SCALAR_INTEGERS(MSL_TWO, mulhi)
MSL_SCALAR_INTEGERS(MSL_TWO, addsat)
MSL_SCALAR_INTEGERS(MSL_TWO, subsat)

template <class T>
T extract_bits(T x, uint offset, uint bits);
template <class T>
T insert_bits(T base, T insert, uint offset, uint bits);

}  // namespace metal
