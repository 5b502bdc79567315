// half and bfloat: 16-bit storage with exact conversions to float; conversion from float rounds once, to nearest even.
// On the host the bits are those of ingot/base/small_floats.h for every float, NaN payloads included. CUDA uses the
// GPU's own conversions: the same bits, except that every NaN becomes 0x7FFF.
#pragma once
#include "msl_base.h"

namespace metal {

#if defined(__CUDACC__)

MSL_INLINE float half_bits_to_float_(ushort bits) {
  float x;
  asm("cvt.f32.f16 %0, %1;" : "=f"(x) : "h"(bits));
  return x;
}
MSL_INLINE ushort float_to_half_bits_(float x) {
  ushort bits;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(x));
  return bits;
}
MSL_INLINE ushort float_to_bfloat_bits_(float x) {
  ushort bits;
  asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(bits) : "f"(x));
  return bits;
}

#else

inline float half_bits_to_float_(ushort bits) {
  uint sign = uint(bits & 0x8000u) << 16, rest = bits & 0x7FFFu;
  if (rest >= 0x7C00u) return as_type<float>(sign | 0x7F800000u | (rest & 0x3FFu) << 13);
  if (rest >= 0x0400u) return as_type<float>(sign | ((rest << 13) + 0x38000000u));
  return as_type<float>(sign | as_type<uint>(float(rest) * 0x1p-24f));  // subnormal: exact
}
inline ushort float_to_half_bits_(float x) {
  uint u = as_type<uint>(x), sign = u >> 16 & 0x8000u;
  u &= 0x7FFFFFFFu;
  if (u > 0x7F800000u) return ushort(sign | 0x7E00u | (u >> 13 & 0x3FFu));  // NaN stays one, with its payload
  if (u >= 0x477FF000u) return ushort(sign | 0x7C00u);                      // 65520 and up
  if (u < 0x38800000u) {  // subnormal, a multiple of 2^-24: adding 2^-1 lets the adder round to even
    return ushort(sign | (as_type<uint>(as_type<float>(u) + 0.5f) - 0x3F000000u));
  }
  return ushort(sign | ((u + 0xFFFu + (u >> 13 & 1u) - 0x38000000u) >> 13));
}
inline ushort float_to_bfloat_bits_(float x) {
  uint u = as_type<uint>(x);
  if ((u & 0x7FFFFFFFu) > 0x7F800000u) return ushort(u >> 16 | 0x40u);
  return ushort((u + 0x7FFFu + (u >> 16 & 1u)) >> 16);
}

#endif

struct bfloat;

// Converts implicitly from every arithmetic type and to float; half op half gives half, half op float gives float.
struct half {
  ushort bits;
  half() = default;
  template <class A, MSL_REQUIRES(is_arithmetic_<A>)>
  MSL_INLINE half(A x) : bits(float_to_half_bits_(float(x))) {}
  MSL_INLINE explicit half(bfloat x);
  MSL_INLINE operator float() const { return half_bits_to_float_(bits); }
  MSL_INLINE half operator-() const { return as_type<half>(ushort(bits ^ 0x8000u)); }
};

// A storage type: explicit from everything, implicit to float, and arithmetic on it is arithmetic in float.
struct bfloat {
  ushort bits;
  bfloat() = default;
  template <class A, MSL_REQUIRES(is_arithmetic_<A>)>
  MSL_INLINE explicit bfloat(A x) : bits(float_to_bfloat_bits_(float(x))) {}
  MSL_INLINE explicit bfloat(half x) : bits(float_to_bfloat_bits_(float(x))) {}
  MSL_INLINE operator float() const { return as_type<float>(uint(bits) << 16); }
};

MSL_INLINE half::half(bfloat x) : bits(float_to_half_bits_(float(x))) {}

// 1.5h: Metal's literals. C++ reserves suffixes without an underscore for its own library.
#if defined(__clang__)
#pragma clang diagnostic ignored "-Wuser-defined-literals"
#elif defined(__GNUC__) && !defined(__CUDACC__)
#pragma GCC diagnostic ignored "-Wliteral-suffix"
#endif
MSL_INLINE half operator""h(long double x) { return half(float(x)); }
MSL_INLINE half operator"" H(long double x) { return half(float(x)); }

template <class T>
constexpr bool is_floating_point_v = is_one_of_<T, float, half, bfloat>;

#define MSL_HALF_OPERATOR(op)                                                        \
  MSL_INLINE half operator op(half a, half b) { return half(float(a) op float(b)); } \
  MSL_INLINE float operator op(half a, float b) { return float(a) op b; }            \
  MSL_INLINE float operator op(float a, half b) { return a op float(b); }            \
  template <class A, MSL_REQUIRES(is_integral_v<A>)>                                 \
  MSL_INLINE half operator op(half a, A b) {                                         \
    return half(float(a) op float(b));                                               \
  }                                                                                  \
  template <class A, MSL_REQUIRES(is_integral_v<A>)>                                 \
  MSL_INLINE half operator op(A a, half b) {                                         \
    return half(float(a) op float(b));                                               \
  }                                                                                  \
  template <class A>                                                                 \
  MSL_INLINE half& operator op##=(half& a, A b) {                                    \
    return a = half(float(a) op float(b));                                           \
  }
MSL_HALF_OPERATOR(+)
MSL_HALF_OPERATOR(-)
MSL_HALF_OPERATOR(*)
MSL_HALF_OPERATOR(/)
#undef MSL_HALF_OPERATOR

}  // namespace metal
