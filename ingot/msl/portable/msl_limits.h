// Metal's numeric_limits: the ends of the integer types and of float.
#pragma once
#include "msl_base.h"

namespace metal {

template <class T>
struct numeric_limits {
  static constexpr MSL_INLINE T max() {
    return is_signed_integer_<T> ? T(unsigned_of_<T>(~unsigned_of_<T>(0)) >> 1) : T(~T(0));
  }
  static constexpr MSL_INLINE T min() { return is_signed_integer_<T> ? T(-max() - 1) : T(0); }
  static constexpr MSL_INLINE T lowest() { return min(); }
};
template <>
struct numeric_limits<float> {
  static constexpr MSL_INLINE float max() { return 0x1.fffffep127f; }
  static constexpr MSL_INLINE float min() { return 0x1p-126f; }
  static constexpr MSL_INLINE float lowest() { return -0x1.fffffep127f; }
  static constexpr MSL_INLINE float epsilon() { return 0x1p-23f; }
  static constexpr MSL_INLINE float infinity() { return __builtin_bit_cast(float, 0x7F800000u); }
  static constexpr MSL_INLINE float quiet_NaN() { return __builtin_bit_cast(float, 0x7FC00000u); }
};

}  // namespace metal
