// Conversions of the simulator's half and bfloat, all codes and a dense sample of floats, against ingot/base.
#include "ingot/base/small_floats.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>

#include "ingot/msl/portable/msl_types.h"

namespace {

uint32_t bits(float x) {
  uint32_t u;
  std::memcpy(&u, &x, sizeof u);
  return u;
}
float from_bits(uint32_t u) {
  float x;
  std::memcpy(&x, &u, sizeof x);
  return x;
}

TEST(PortableSmallFloats, EveryCodeDecodes) {
  for (uint32_t code = 0; code < 0x10000; ++code) {
    metal::half h = metal::as_type<metal::half>(uint16_t(code));
    metal::bfloat b = metal::as_type<metal::bfloat>(uint16_t(code));
    ASSERT_EQ(bits(float(h)), bits(ingot::half_to_float(uint16_t(code)))) << code;
    ASSERT_EQ(bits(float(b)), bits(ingot::bfloat_to_float(uint16_t(code)))) << code;
  }
}

void check_encoding(uint32_t pattern) {
  float x = from_bits(pattern);
  ASSERT_EQ(metal::half(x).bits, ingot::float_to_half(x)) << std::hex << pattern;
  ASSERT_EQ(metal::bfloat(x).bits, ingot::float_to_bfloat(x)) << std::hex << pattern;
}

TEST(PortableSmallFloats, FloatsEncode) {
  for (uint64_t pattern = 0; pattern < (uint64_t{1} << 32); pattern += 4093) check_encoding(uint32_t(pattern));
  // Around every code of either format: itself, the ties beside it, and one bit off each.
  for (uint32_t code = 0; code < 0x10000; ++code) {
    uint32_t h = bits(ingot::half_to_float(uint16_t(code))), b = code << 16;
    for (uint32_t offset : {0u, 1u, ~0u, 0xFFFu, 0x1000u, 0x1001u, 0x7FFFu, 0x8000u, 0x8001u}) {
      check_encoding(h + offset);
      check_encoding(b + offset);
    }
  }
}

TEST(PortableSmallFloats, ArithmeticKeepsItsType) {
  using namespace metal;
  static_assert(std::is_same_v<decltype(half(1.0f) + half(2.0f)), half>);
  static_assert(std::is_same_v<decltype(half(1.0f) * 2), half>);
  static_assert(std::is_same_v<decltype(half(1.0f) * 2.0f), float>);
  static_assert(std::is_same_v<decltype(metal::bfloat(1.0f) + metal::bfloat(2.0f)), float>);
  static_assert(!std::is_convertible_v<float, metal::bfloat>);
  EXPECT_EQ(float(half(2048.0f) + half(1.0f)), 2048.0f);  // a tie, to even
  half h = 1.5f;
  h += 1;
  h *= 2.0f;
  EXPECT_EQ(float(-h), -5.0f);
  EXPECT_EQ((1.5h).bits, half(1.5f).bits);
  EXPECT_TRUE(h > half(4.0f) && h == 5.0f);
}

}  // namespace
