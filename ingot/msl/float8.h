// For kernels: the 8-bit floats of ingot/base/small_floats.h, code for code and bit for bit. Names and rules are those
// of that header: one rounding, to nearest, ties to even; f8e4m3 saturates, f8e5m2 overflows to infinity, and the other
// mode of each is offered by name; a NaN stays one.
#pragma once
#include <metal_stdlib>
using namespace metal;

// Magnitude's code in a format with `mantissa` stored bits and smallest normal exponent `min_exponent`, before any rule
// for overflow. `u` holds the bits of a finite float without its sign.
static inline uint round_to_float8(uint u, int mantissa, int min_exponent) {
  if (int(u >> 23) - 127 < min_exponent) {
    // Subnormal: a multiple of 2^(min_exponent - mantissa). Added to 2^23 of these, the adder rounds to even.
    uint unit = uint(127 + min_exponent - mantissa + 23) << 23;
    return as_type<uint>(as_type<float>(u) + as_type<float>(unit)) - unit;
  }
  int drop = 23 - mantissa;
  uint rounded = u + ((1u << (drop - 1)) - 1u) + ((u >> drop) & 1u);
  return (rounded >> drop) - (uint(127 + min_exponent - 1) << mantissa);
}

// ---- f8e4m3: no infinity, NaN is 0x7F and 0xFF, at most 448
static inline float f8e4m3_to_float(uchar code) {
  // The bits of a half at 2^-8 of the value: exact, subnormals too.
  uint bits = uint(code);
  float value = float(as_type<half>(ushort(((bits & 0x80u) << 8) | ((bits & 0x7Fu) << 7)))) * 256.0f;
  return (bits & 0x7Fu) == 0x7Fu ? as_type<float>(((bits & 0x80u) << 24) | 0x7FC00000u) : value;
}
static inline uchar float_to_f8e4m3(float x) {
  uint u = as_type<uint>(x), sign = (u >> 24) & 0x80u;
  u &= 0x7FFFFFFFu;
  if (u > 0x7F800000u) return uchar(sign | 0x7Fu);
  if (u >= 0x43E00000u) return uchar(sign | 0x7Eu);  // 448
  return uchar(sign | round_to_float8(u, 3, -6));
}
static inline uchar float_to_f8e4m3_nonsaturating(float x) {  // above 464 and infinities: NaN
  uint u = as_type<uint>(x);
  if ((u & 0x7FFFFFFFu) > 0x43E80000u) return uchar(((u >> 24) & 0x80u) | 0x7Fu);
  return float_to_f8e4m3(x);
}

// ---- f8e5m2: the upper half of a half, at most 57344
static inline float f8e5m2_to_float(uchar code) {
  uint bits = uint(code);
  if ((bits & 0x7Fu) > 0x7Cu) return as_type<float>(((bits & 0x80u) << 24) | 0x7F800000u | ((bits & 3u) << 21));
  return float(as_type<half>(ushort(bits << 8)));
}
static inline uchar float_to_f8e5m2(float x) {
  uint u = as_type<uint>(x), sign = (u >> 24) & 0x80u;
  u &= 0x7FFFFFFFu;
  if (u > 0x7F800000u) return uchar(sign | 0x7Fu);
  if (u >= 0x47700000u) return uchar(sign | 0x7Cu);  // 61440, half-way beyond the largest
  return uchar(sign | round_to_float8(u, 2, -14));
}
static inline uchar float_to_f8e5m2_saturating(float x) {
  uint code = uint(float_to_f8e5m2(x));
  return (code & 0x7Fu) == 0x7Cu ? uchar(code - 1u) : uchar(code);
}

// ---- f8e8m0: 2^(code - 127), 0xFF is NaN
static inline float f8e8m0_to_float(uchar code) {
  uint bits = uint(code);
  if (bits == 0xFFu) return as_type<float>(0x7FC00000u);
  return as_type<float>(bits == 0u ? 0x00400000u : bits << 23);
}
// The nearest power of two, ties to the even code; zero and negative: 0x00; NaN and infinity: 0xFF.
static inline uchar float_to_f8e8m0(float x) {
  uint u = as_type<uint>(x);
  if ((u & 0x7FFFFFFFu) >= 0x7F800000u) return uchar(0xFFu);
  if ((u >> 31) != 0u) return uchar(0u);
  uint exponent = u >> 23, fraction = u & 0x7FFFFFu;
  if (exponent == 0u) return uchar(fraction > 0x600000u ? 1u : 0u);  // 2^-127 is the subnormal 0x400000
  if (fraction > 0x400000u || (fraction == 0x400000u && (exponent & 1u) != 0u)) ++exponent;
  return uchar(exponent >= 0xFFu ? 0xFEu : exponent);
}
