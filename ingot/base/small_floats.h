// Floats narrower than 32 bits as storage types with exact conversions. Arithmetic is done in float.
//   half    IEEE binary16        bfloat  upper half of binary32
//   f8e4m3  S1E4M3 bias 7, no infinity, NaN = 0x7F/0xFF, max 448 (OCP "E4M3", PyTorch float8_e4m3fn)
//   f8e5m2  S1E5M2 bias 15, infinities, max 57344                 (PyTorch float8_e5m2)
//   f8e8m0  unsigned power of two 2^(code-127), 0xFF = NaN         (PyTorch float8_e8m0fnu; scales)
// Conversions from float round once, to nearest, ties to even. f8e4m3 saturates (overflow and infinities give +-448;
// NaN keeps its sign and becomes 0x7F/0xFF); f8e5m2 and half overflow to infinity. The other mode of each float8 is
// offered by name.
#pragma once
#include <bit>
#include <cstdint>
#include <limits>

#include "ingot/base/export.h"

namespace ingot {

constexpr float bits_to_float(uint32_t u) { return std::bit_cast<float>(u); }
constexpr uint32_t float_to_bits(float f) { return std::bit_cast<uint32_t>(f); }

constexpr float half_to_float(uint16_t h) {
  uint32_t sign = uint32_t(h & 0x8000u) << 16, rest = h & 0x7FFFu;
  if (rest >= 0x7C00u) return bits_to_float(sign | 0x7F800000u | (rest & 0x3FFu) << 13);
  if (rest >= 0x0400u) return bits_to_float(sign | ((rest << 13) + 0x38000000u));
  float magnitude = float(rest) * 0x1p-24f;  // subnormal: exact
  return bits_to_float(sign | float_to_bits(magnitude));
}

// The shared rounding step: x to a format with `mantissa` stored bits and smallest normal exponent `min_exponent`,
// returned as the integer code of its magnitude (before any overflow rule). |x| must be finite.
constexpr uint32_t round_to_small(float x, int mantissa, int min_exponent) {
  uint32_t u = float_to_bits(x) & 0x7FFFFFFFu;
  int exponent = int(u >> 23) - 127;
  if (exponent < min_exponent) {
    // Subnormal: a multiple of 2^(min_exponent - mantissa). Adding 2^23 of that unit makes the adder round to even for
    // us.
    float unit_shift = bits_to_float(uint32_t(127 + min_exponent - mantissa + 23) << 23);
    float sum = bits_to_float(u) + unit_shift;
    return float_to_bits(sum) - float_to_bits(unit_shift);
  }
  int drop = 23 - mantissa;
  uint32_t rounded = u + ((1u << (drop - 1)) - 1) + ((u >> drop) & 1u);
  return (rounded >> drop) - (uint32_t(127 + min_exponent - 1) << mantissa);
}

constexpr uint16_t float_to_half(float x) {
  uint32_t u = float_to_bits(x);
  uint16_t sign = uint16_t(u >> 16 & 0x8000u);
  u &= 0x7FFFFFFFu;
  if (u > 0x7F800000u) return uint16_t(sign | 0x7E00u | (u >> 13 & 0x3FFu));
  if (u >= 0x477FF000u) return uint16_t(sign | 0x7C00u);  // 65520 and up
  return uint16_t(sign | round_to_small(x, 10, -14));
}

constexpr float bfloat_to_float(uint16_t b) { return bits_to_float(uint32_t(b) << 16); }
constexpr uint16_t float_to_bfloat(float x) {
  uint32_t u = float_to_bits(x);
  if ((u & 0x7FFFFFFFu) > 0x7F800000u) return uint16_t(u >> 16 | 0x40u);
  return uint16_t((u + 0x7FFFu + (u >> 16 & 1u)) >> 16);
}

constexpr float f8e4m3_to_float(uint8_t c) {
  uint32_t sign = uint32_t(c & 0x80u) << 24, rest = c & 0x7Fu;
  if (rest == 0x7Fu) return bits_to_float(sign | 0x7FC00000u);
  if (rest >= 8u) return bits_to_float(sign | ((rest << 20) + (120u << 23)));
  return bits_to_float(sign | float_to_bits(float(rest) * 0x1p-9f));
}
constexpr uint8_t float_to_f8e4m3(float x) {  // saturating
  uint32_t u = float_to_bits(x);
  uint8_t sign = uint8_t(u >> 24 & 0x80u);
  u &= 0x7FFFFFFFu;
  if (u > 0x7F800000u) return uint8_t(sign | 0x7Fu);
  if (u >= float_to_bits(448.0f)) return uint8_t(sign | 0x7Eu);
  return uint8_t(sign | round_to_small(x, 3, -6));
}
constexpr uint8_t float_to_f8e4m3_nonsaturating(float x) {  // beyond 464 and infinities: NaN
  uint32_t u = float_to_bits(x) & 0x7FFFFFFFu;
  if (u > float_to_bits(464.0f)) return uint8_t((float_to_bits(x) >> 24 & 0x80u) | 0x7Fu);
  return float_to_f8e4m3(x);
}

constexpr float f8e5m2_to_float(uint8_t c) { return half_to_float(uint16_t(c << 8)); }
constexpr uint8_t float_to_f8e5m2(float x) {  // overflow to infinity
  uint32_t u = float_to_bits(x);
  uint8_t sign = uint8_t(u >> 24 & 0x80u);
  u &= 0x7FFFFFFFu;
  if (u > 0x7F800000u) return uint8_t(sign | 0x7Fu);
  if (u >= float_to_bits(61440.0f)) return uint8_t(sign | 0x7Cu);
  return uint8_t(sign | round_to_small(x, 2, -14));
}
constexpr uint8_t float_to_f8e5m2_saturating(float x) {  // overflow and infinities: +-57344
  uint8_t c = float_to_f8e5m2(x);
  return (c & 0x7Fu) == 0x7Cu ? uint8_t(c - 1) : c;
}

constexpr float f8e8m0_to_float(uint8_t c) {
  if (c == 0xFFu) return bits_to_float(0x7FC00000u);
  return c == 0 ? 0x1p-127f : bits_to_float(uint32_t(c) << 23);
}
// Nearest power of two, ties to the even code; below 2^-127 (zero, negative): 0x00; NaN and infinity: 0xFF.
constexpr uint8_t float_to_f8e8m0(float x) {
  uint32_t u = float_to_bits(x);
  if ((u & 0x7FFFFFFFu) >= 0x7F800000u) return 0xFFu;
  if (u >> 31) return 0;
  uint32_t exponent = u >> 23, fraction = u & 0x7FFFFFu;
  if (exponent == 0) return fraction > 0x600000u ? 1 : 0;  // 2^-127 is the subnormal 0x400000
  if (fraction > 0x400000u || (fraction == 0x400000u && (exponent & 1u))) exponent++;
  return exponent >= 0xFFu ? 0xFEu : uint8_t(exponent);
}

// The storage types. Equal size and layout as their code; implicit to float, explicit from it.
struct half {
  uint16_t bits = 0;
  half() = default;
  explicit constexpr half(float x) : bits(float_to_half(x)) {}
  constexpr operator float() const { return half_to_float(bits); }
};
struct bfloat {
  uint16_t bits = 0;
  bfloat() = default;
  explicit constexpr bfloat(float x) : bits(float_to_bfloat(x)) {}
  constexpr operator float() const { return bfloat_to_float(bits); }
};
struct f8e4m3 {
  uint8_t bits = 0;
  f8e4m3() = default;
  explicit constexpr f8e4m3(float x) : bits(float_to_f8e4m3(x)) {}
  constexpr operator float() const { return f8e4m3_to_float(bits); }
};
struct f8e5m2 {
  uint8_t bits = 0;
  f8e5m2() = default;
  explicit constexpr f8e5m2(float x) : bits(float_to_f8e5m2(x)) {}
  constexpr operator float() const { return f8e5m2_to_float(bits); }
};
struct f8e8m0 {
  uint8_t bits = 0;
  f8e8m0() = default;
  explicit constexpr f8e8m0(float x) : bits(float_to_f8e8m0(x)) {}
  constexpr operator float() const { return f8e8m0_to_float(bits); }
};

}  // namespace ingot
