// Every code against the formula of its format, and rounding against a search for the nearest code, both in double.
#include "ingot/base/small_floats.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace ingot {
namespace {

enum class Overflow { kSaturate, kInfinity, kNaN };

struct Format {
  const char* name;
  int exponent_bits, mantissa_bits, bias;
  bool has_infinity;  // else only the all-ones code is NaN
  float (*decode)(uint32_t code);
  uint32_t (*encode)(float x);
  Overflow overflow;

  int bits() const { return 1 + exponent_bits + mantissa_bits; }
  uint32_t sign_bit() const { return 1u << (bits() - 1); }
};

const Format kFormats[] = {
    {"f16", 5, 10, 15, true, [](uint32_t c) { return half_to_float(uint16_t(c)); },
     [](float x) { return uint32_t{float_to_half(x)}; }, Overflow::kInfinity},
    {"bf16", 8, 7, 127, true, [](uint32_t c) { return bfloat_to_float(uint16_t(c)); },
     [](float x) { return uint32_t{float_to_bfloat(x)}; }, Overflow::kInfinity},
    {"f8e4m3", 4, 3, 7, false, [](uint32_t c) { return f8e4m3_to_float(uint8_t(c)); },
     [](float x) { return uint32_t{float_to_f8e4m3(x)}; }, Overflow::kSaturate},
    {"f8e4m3 nonsaturating", 4, 3, 7, false, [](uint32_t c) { return f8e4m3_to_float(uint8_t(c)); },
     [](float x) { return uint32_t{float_to_f8e4m3_nonsaturating(x)}; }, Overflow::kNaN},
    {"f8e5m2", 5, 2, 15, true, [](uint32_t c) { return f8e5m2_to_float(uint8_t(c)); },
     [](float x) { return uint32_t{float_to_f8e5m2(x)}; }, Overflow::kInfinity},
    {"f8e5m2 saturating", 5, 2, 15, true, [](uint32_t c) { return f8e5m2_to_float(uint8_t(c)); },
     [](float x) { return uint32_t{float_to_f8e5m2_saturating(x)}; }, Overflow::kSaturate},
};

// The value of a code by the definition of its format.
double formula(const Format& f, uint32_t code) {
  double sign = code & f.sign_bit() ? -1 : 1;
  uint32_t mantissa = code & ((1u << f.mantissa_bits) - 1);
  int exponent = int((code & (f.sign_bit() - 1)) >> f.mantissa_bits);
  int all_ones = (1 << f.exponent_bits) - 1;
  if (exponent == all_ones) {
    if (f.has_infinity) return mantissa ? std::nan("") : sign * HUGE_VAL;
    if (mantissa == (1u << f.mantissa_bits) - 1) return std::nan("");
  }
  if (exponent == 0) return sign * std::ldexp(mantissa, 1 - f.bias - f.mantissa_bits);
  return sign * std::ldexp(1.0 + std::ldexp(mantissa, -f.mantissa_bits), exponent - f.bias);
}

// The finite values from 0 up; the index is the code.
std::vector<double> finite_values(const Format& f) {
  std::vector<double> values;
  for (uint32_t c = 0; c < f.sign_bit() && std::isfinite(formula(f, c)); c++) values.push_back(formula(f, c));
  return values;
}

// The nearest code by comparing x with the middle of its two neighbours, which is exact in double. The neighbour of the
// largest value is the one that the next code would have if the exponent went on.
uint32_t nearest(const Format& f, const std::vector<double>& values, float x) {
  uint32_t sign = std::signbit(x) ? f.sign_bit() : 0;
  uint32_t largest = uint32_t(values.size()) - 1, infinity = f.sign_bit() - (1u << f.mantissa_bits);
  uint32_t beyond = f.overflow == Overflow::kSaturate   ? largest
                    : f.overflow == Overflow::kInfinity ? infinity
                                                        : f.sign_bit() - 1;
  double a = std::fabs(static_cast<double>(x));
  uint32_t above = uint32_t(std::upper_bound(values.begin(), values.end(), a) - values.begin());
  uint32_t below = above - 1;  // values[0] is 0, so there is one
  double next = above <= largest ? values[above] : 2 * values[largest] - values[largest - 1];
  if (a >= next) return sign | beyond;
  double middle = (values[below] + next) / 2;
  uint32_t code = a < middle || (a == middle && below % 2 == 0) ? below : above;
  return sign | (code > largest ? beyond : code);
}

void expect_nearest(const Format& f, const std::vector<double>& values, float x, int& failures) {
  uint32_t want = nearest(f, values, x), got = f.encode(x);
  if (want != got && ++failures < 10)
    ADD_FAILURE() << f.name << ": " << std::hexfloat << x << " gives code " << got << ", nearest is " << want;
}

TEST(SmallFloats, EveryCodeHasTheValueOfItsFormula) {
  for (const Format& f : kFormats) {
    for (uint32_t c = 0; c < 1u << f.bits(); c++) {
      double want = formula(f, c);
      float got = f.decode(c);
      if (std::isnan(want)) {
        EXPECT_TRUE(std::isnan(got)) << f.name << " code " << c;
        EXPECT_EQ(std::signbit(got), (c & f.sign_bit()) != 0) << f.name << " code " << c;
      } else {
        EXPECT_EQ(got, want) << f.name << " code " << c;
        EXPECT_EQ(std::signbit(got), std::signbit(want)) << f.name << " code " << c;
      }
    }
  }
}

TEST(SmallFloats, EveryCodeComesBack) {
  for (const Format& f : kFormats) {
    for (uint32_t c = 0; c < 1u << f.bits(); c++) {
      uint32_t back = f.encode(f.decode(c));
      double value = formula(f, c);
      if (std::isnan(value)) {
        EXPECT_TRUE(std::isnan(formula(f, back))) << f.name << " code " << c;
        EXPECT_EQ(back & f.sign_bit(), c & f.sign_bit()) << f.name << " code " << c;
      } else if (std::isinf(value) && f.overflow == Overflow::kSaturate) {
        EXPECT_EQ(back, c - 1) << f.name;
      } else {
        EXPECT_EQ(back, c) << f.name;
      }
    }
  }
}

TEST(SmallFloats, RoundsToNearestEvenOverTheWholeRange) {
  for (const Format& f : kFormats) {
    std::vector<double> values = finite_values(f);
    int failures = 0;
    for (uint64_t u = 0; u < uint64_t{1} << 32; u += 4099) {  // a prime: all low bits occur
      float x = bits_to_float(uint32_t(u));
      if (std::isnan(x)) {
        uint32_t code = f.encode(x);
        failures += !std::isnan(formula(f, code)) || (code & f.sign_bit()) != (std::signbit(x) ? f.sign_bit() : 0);
      } else {
        expect_nearest(f, values, x, failures);
      }
    }
    EXPECT_EQ(failures, 0) << f.name;
  }
}

TEST(SmallFloats, TiesAndTheirNeighbours) {
  for (const Format& f : kFormats) {
    std::vector<double> values = finite_values(f);
    values.push_back(2 * values.back() - values[values.size() - 2]);  // the overflow tie too
    std::vector<double> finite(values.begin(), values.end() - 1);
    int failures = 0;
    for (size_t i = 0; i + 1 < values.size(); i++) {
      for (double at : {values[i], (values[i] + values[i + 1]) / 2}) {
        float exact = static_cast<float>(at);
        ASSERT_EQ(exact, at) << f.name;
        for (float x : {std::nextafter(exact, -HUGE_VALF), exact, std::nextafter(exact, HUGE_VALF)}) {
          expect_nearest(f, finite, x, failures);
          expect_nearest(f, finite, -x, failures);
        }
      }
    }
    for (float x : {HUGE_VALF, 0x1.fffffep127f, 0x1p-149f, 0x1.fffffcp-127f, 0x1p-126f}) {
      expect_nearest(f, finite, x, failures);
      expect_nearest(f, finite, -x, failures);
    }
    EXPECT_EQ(failures, 0) << f.name;
  }
}

TEST(SmallFloats, Float8VectorsFromTheField) {
  struct Row {
    float x;
    int saturating, nonsaturating;
  };
  const Row rows[] = {{448, 0x7E, 0x7E},
                      {464, 0x7E, 0x7E},
                      {464.01f, 0x7E, 0x7F},
                      {465, 0x7E, 0x7F},
                      {480, 0x7E, 0x7F},
                      {1000, 0x7E, 0x7F},
                      {-1000, 0xFE, 0xFF},
                      {HUGE_VALF, 0x7E, 0x7F},
                      {-HUGE_VALF, 0xFE, 0xFF},
                      {NAN, 0x7F, 0x7F},
                      {-NAN, 0xFF, 0xFF},
                      {0x1p-10f, 0x00, 0x00},
                      {0x1p-10f * 1.0001f, 0x01, 0x01},
                      {0x1.8p-10f, 0x01, 0x01},
                      {3 * 0x1p-10f, 0x02, 0x02},
                      {1.0625f, 0x38, 0x38},
                      {1.1875f, 0x3A, 0x3A},
                      {17, 0x58, 0x58},
                      {18, 0x59, 0x59},
                      {19, 0x5A, 0x5A},
                      {232, 0x76, 0x76},
                      {240, 0x77, 0x77},
                      {0.0146484375f, 0x08, 0x08},
                      {-0.0f, 0x80, 0x80}};
  for (const Row& r : rows) {
    EXPECT_EQ(float_to_f8e4m3(r.x), r.saturating) << r.x;
    EXPECT_EQ(float_to_f8e4m3_nonsaturating(r.x), r.nonsaturating) << r.x;
  }
  EXPECT_EQ(f8e4m3_to_float(0x01), 0x1p-9f);
  EXPECT_EQ(f8e4m3_to_float(0x08), 0x1p-6f);
  EXPECT_EQ(f8e4m3_to_float(0x7E), 448.0f);
  EXPECT_EQ(f8e5m2_to_float(0x7B), 57344.0f);
  EXPECT_EQ(float_to_f8e5m2(61439.0f), 0x7B);
  EXPECT_EQ(float_to_f8e5m2(61440.0f), 0x7C);
  EXPECT_EQ(float_to_f8e5m2(-HUGE_VALF), 0xFC);
  EXPECT_EQ(float_to_f8e5m2_saturating(61440.0f), 0x7B);
  EXPECT_EQ(float_to_f8e5m2_saturating(-HUGE_VALF), 0xFB);
  EXPECT_EQ(float_to_f8e5m2_saturating(NAN), 0x7F);
  EXPECT_EQ(float_to_half(65519.996f), 0x7BFF);
  EXPECT_EQ(float_to_half(65520.0f), 0x7C00);
}

// 1 + 2^-4 + 2^-13 lies above the tie between 1 and 1.125; through f16 it would round to the tie first and then to 1.
TEST(SmallFloats, OneRoundingNotTwo) {
  float x = 1.0625f + 0x1p-13f;
  EXPECT_EQ(float_to_f8e4m3(x), 0x39);
  EXPECT_EQ(float_to_f8e4m3(half_to_float(float_to_half(x))), 0x38);
}

TEST(SmallFloats, ScalesArePowersOfTwo) {
  for (int c = 0; c < 255; c++) {
    double value = std::ldexp(1.0, c - 127);
    EXPECT_EQ(f8e8m0_to_float(uint8_t(c)), value);
    EXPECT_EQ(float_to_f8e8m0(static_cast<float>(value)), c);
    if (c == 254) continue;
    float middle = static_cast<float>(1.5 * value);  // between code c and c + 1
    EXPECT_EQ(float_to_f8e8m0(middle), c % 2 == 0 ? c : c + 1);
    EXPECT_EQ(float_to_f8e8m0(std::nextafter(middle, 0.0f)), c);
    EXPECT_EQ(float_to_f8e8m0(std::nextafter(middle, HUGE_VALF)), c + 1);
  }
  EXPECT_TRUE(std::isnan(f8e8m0_to_float(0xFF)));
  EXPECT_EQ(float_to_f8e8m0(0.0f), 0);
  EXPECT_EQ(float_to_f8e8m0(-0.0f), 0);
  EXPECT_EQ(float_to_f8e8m0(-5.0f), 0);
  EXPECT_EQ(float_to_f8e8m0(0x1p-149f), 0);
  EXPECT_EQ(float_to_f8e8m0(0x1.fffffep127f), 0xFE);
  EXPECT_EQ(float_to_f8e8m0(HUGE_VALF), 0xFF);
  EXPECT_EQ(float_to_f8e8m0(NAN), 0xFF);
}

TEST(SmallFloats, StorageTypesAreTheirCodes) {
  static_assert(sizeof(half) == 2 && sizeof(bfloat) == 2 && sizeof(f8e4m3) == 1 && sizeof(f8e5m2) == 1 &&
                sizeof(f8e8m0) == 1);
  static_assert(f8e4m3(1.0f).bits == 0x38 && float(half(0.5f)) == 0.5f);  // usable in constants
  EXPECT_EQ(bfloat(1.0f).bits, 0x3F80);
  EXPECT_EQ(f8e5m2(1.0f).bits, 0x3C);
  EXPECT_EQ(f8e8m0(1.0f).bits, 127);
  EXPECT_EQ(half().bits, 0);
}

}  // namespace
}  // namespace ingot
