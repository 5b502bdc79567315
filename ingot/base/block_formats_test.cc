#include "ingot/base/block_formats.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "ingot/base/error.h"

namespace ingot {
namespace {

using enum WeightFormat;

WeightFormat format_at(int i) { return static_cast<WeightFormat>(i); }

// The judge: element i of a block, straight from the format's description, indexed by bytes, sharing no code with the
// library.
float half_at(const uint8_t* p) {
  unsigned h = p[0] + 256u * p[1], exponent = h >> 10 & 31, fraction = h & 1023;
  double magnitude = exponent == 0    ? std::ldexp(fraction, -24)
                     : exponent == 31 ? (fraction != 0 ? NAN : INFINITY)
                                      : std::ldexp(1024 + fraction, static_cast<int>(exponent) - 25);
  return static_cast<float>(h >> 15 ? -magnitude : magnitude);
}
int nibble(const uint8_t* q, int i) { return i < 16 ? q[i] % 16 : q[i - 16] / 16; }
int bit(const uint8_t* bytes, int i) { return bytes[i / 8] >> (i % 8) & 1; }
float f(int x) { return static_cast<float>(x); }
constexpr int kTable[16] = {-127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113};

void scale_min(const uint8_t* s, int b, int& sc, int& mn) {
  if (b < 4) {
    sc = s[b] & 63;
    mn = s[b + 4] & 63;
  } else {
    sc = (s[b + 4] & 15) + 16 * (s[b - 4] >> 6);
    mn = (s[b + 4] >> 4) + 16 * (s[b] >> 6);
  }
}

float judge(WeightFormat format, const uint8_t* x, int i) {
  switch (format) {
    case kQ4_0:
      return f(nibble(x + 2, i) - 8) * half_at(x);
    case kQ4_1:
      return f(nibble(x + 4, i)) * half_at(x) + half_at(x + 2);
    case kQ5_0:
      return f(nibble(x + 6, i) + 16 * bit(x + 2, i) - 16) * half_at(x);
    case kQ5_1:
      return f(nibble(x + 8, i) + 16 * bit(x + 4, i)) * half_at(x) + half_at(x + 2);
    case kQ8_0:
      return f(static_cast<int8_t>(x[2 + i])) * half_at(x);
    case kQ2_K: {
      int n = i / 128, j = i % 128 / 32, l = i % 32, s = x[8 * n + 2 * j + l / 16];
      int code = x[16 + 32 * n + l] >> (2 * j) & 3;
      return half_at(x + 80) * f(s & 15) * f(code) - half_at(x + 82) * f(s >> 4);
    }
    case kQ3_K: {
      int n = i / 128, j = i % 128 / 32, l = i % 32, k = 8 * n + 2 * j + l / 16;
      const uint8_t* s = x + 96;
      int low = k < 8 ? s[k] & 15 : s[k - 8] >> 4, high = s[8 + k % 4] >> (2 * (k / 4)) & 3;
      int code = (x[32 + 32 * n + l] >> (2 * j) & 3) - ((x[l] >> (4 * n + j) & 1) ? 0 : 4);
      return half_at(x + 108) * f(low + 16 * high - 32) * f(code);
    }
    case kQ4_K:
    case kQ5_K: {
      int b = i / 32, l = i % 32, sc, mn;
      scale_min(x + 4, b, sc, mn);
      const uint8_t* q = x + (format == kQ4_K ? 16 : 48);
      int code = b % 2 == 0 ? q[32 * (b / 2) + l] % 16 : q[32 * (b / 2) + l] / 16;
      if (format == kQ5_K) code += 16 * (x[16 + l] >> b & 1);
      return half_at(x) * f(sc) * f(code) - half_at(x + 2) * f(mn);
    }
    case kQ6_K: {
      int n = i / 128, r = i % 128, l = r % 32, quarter = r / 32;
      const uint8_t *ql = x + 64 * n, *qh = x + 128 + 32 * n;
      int s = static_cast<int8_t>(x[192 + 8 * n + l / 16 + 2 * quarter]);
      int low = quarter == 0   ? ql[l] & 15
                : quarter == 1 ? ql[l + 32] & 15
                : quarter == 2 ? ql[l] >> 4
                               : ql[l + 32] >> 4;
      return half_at(x + 208) * f(s) * f(low + 16 * (qh[l] >> (2 * quarter) & 3) - 32);
    }
    case kIQ4_NL:
      return half_at(x) * f(kTable[nibble(x + 2, i)]);
    case kIQ4_XS: {
      int b = i / 32, high = x[2] + 256 * x[3];
      int ls = (x[4 + b / 2] >> (4 * (b % 2)) & 15) + 16 * (high >> (2 * b) & 3);
      return half_at(x) * f(ls - 32) * f(kTable[nibble(x + 8 + 16 * b, i % 32)]);
    }
    case kMXFP4: {
      constexpr double kValues[8] = {0, 0.5, 1, 1.5, 2, 3, 4, 6};
      int code = nibble(x + 1, i);
      double value = std::ldexp(kValues[code % 8], x[0] - 127);
      return static_cast<float>(code >= 8 ? -value : value);
    }
    default:
      return NAN;
  }
}

void expect_same_bits(float expected, float got, const std::string& where) {
  if (std::isnan(expected)) {
    EXPECT_TRUE(std::isnan(got)) << where;
  } else {
    EXPECT_EQ(float_to_bits(expected), float_to_bits(got)) << where << ": " << expected << " and " << got;
  }
}

TEST(BlockFormats, EveryBlockFormatMatchesItsDescriptionBitForBit) {
  std::mt19937 random(7);
  for (int i = 0; i < kNumWeightFormats; i++) {
    WeightFormat format = format_at(i);
    if (is_plain(format)) continue;
    int elements = static_cast<int>(block_elements(format)), bytes = static_cast<int>(block_bytes(format));
    for (int trial = 0; trial < 150 && !testing::Test::HasFailure(); trial++) {
      // Three blocks in a row from an odd address; random scales include subnormals, infinities and NaNs.
      std::vector<uint8_t> memory(static_cast<size_t>(3 * bytes + 1));
      for (uint8_t& b : memory) b = static_cast<uint8_t>(random());
      if (format == kMXFP4) {
        for (int block = 0; block < 3; block++) memory[static_cast<size_t>(1 + block * bytes)] %= 255;
      }
      std::vector<float> got(static_cast<size_t>(3 * elements));
      dequantize_row(format, memory.data() + 1, got.data(), 3 * elements);
      for (int k = 0; k < 3 * elements; k++) {
        float expected = judge(format, memory.data() + 1 + k / elements * bytes, k % elements);
        expect_same_bits(expected, got[static_cast<size_t>(k)], cat(name(format), " element ", k));
      }
    }
  }
}

TEST(BlockFormats, SubnormalScalesAreNotFlushed) {
  for (int i = 0; i < kNumWeightFormats; i++) {
    WeightFormat format = format_at(i);
    if (is_plain(format) || format == kMXFP4) continue;
    std::vector<uint8_t> block(static_cast<size_t>(block_bytes(format)), 0x21);
    // The smallest fp16 subnormal wherever a scale may lie.
    size_t at = format == kQ2_K ? 80 : format == kQ3_K ? 108 : format == kQ6_K ? 208 : 0;
    block[at] = 1;
    block[at + 1] = 0;
    std::vector<float> got(256);
    dequantize_row(format, block.data(), got.data(), block_elements(format));
    bool any = false;
    for (int k = 0; k < block_elements(format); k++) {
      expect_same_bits(judge(format, block.data(), k), got[static_cast<size_t>(k)], name(format));
      any = any || got[static_cast<size_t>(k)] != 0;
    }
    EXPECT_TRUE(any) << name(format);
  }
}

TEST(BlockFormats, MxScaleCode255IsNan) {
  BlockMXFP4 block{};
  block.e = 255;
  float y[32];
  dequantize_row(kMXFP4, &block, y, 32);
  for (float v : y) EXPECT_TRUE(std::isnan(v));
  block.e = 0;  // 2^-127 times 0.5: a float subnormal
  block.q[0] = 0x91;
  dequantize_row(kMXFP4, &block, y, 32);
  EXPECT_EQ(y[0], 0x1p-128f);
  EXPECT_EQ(y[16], -0x1p-128f);
}

TEST(BlockFormats, PlainFormatsFromAnyAddress) {
  const float values[] = {0.0f, -0.0f, 1.5f, -448.0f, 0.001f, 65504.0f};
  for (WeightFormat format : {kF32, kF16, kBF16, kF64, kF8E4M3, kF8E5M2}) {
    for (int shift = 0; shift < 8; shift++) {
      std::vector<uint8_t> memory(static_cast<size_t>(row_bytes(format, 6) + shift));
      float back[6];
      quantize_row(format, values, memory.data() + shift, 6);
      dequantize_row(format, memory.data() + shift, back, 6);
      for (int k = 0; k < 6; k++) {
        float expected = format == kF16      ? float(half(values[k]))
                         : format == kBF16   ? float(bfloat(values[k]))
                         : format == kF8E4M3 ? float(f8e4m3(values[k]))
                         : format == kF8E5M2 ? float(f8e5m2(values[k]))
                                             : values[k];
        expect_same_bits(expected, back[k], cat(name(format), " shift ", shift, " value ", k));
      }
    }
  }
  int64_t big[] = {int64_t{1} << 62, -3, 16777217};
  float out[3];
  dequantize_row(kI64, big, out, 3);
  EXPECT_EQ(out[0], 0x1p62f);
  EXPECT_EQ(out[1], -3.0f);
  EXPECT_EQ(out[2], 16777216.0f);
  int8_t small[] = {-128, 127};
  dequantize_row(kI8, small, out, 2);
  EXPECT_EQ(out[0], -128.0f);
  EXPECT_EQ(out[1], 127.0f);
}

TEST(BlockFormats, Q8QuantiserRoundsHalfAwayFromZero) {
  std::vector<float> x(32, 0.0f);
  x[0] = 127.0f;  // d = 1
  x[1] = 0.5f, x[2] = -0.5f, x[3] = 1.5f, x[4] = 2.5f, x[5] = -127.0f, x[6] = 0.49f;
  BlockQ8_0 b;
  quantize_row(kQ8_0, x.data(), &b, 32);
  EXPECT_EQ(load_half(b.d), 1.0f);
  const int expected[] = {127, 1, -1, 2, 3, -127, 0};
  for (int k = 0; k < 7; k++) EXPECT_EQ(b.q[k], expected[k]) << k;
}

TEST(BlockFormats, Q4QuantiserTakesTheFirstLargestValueWithItsSign) {
  std::vector<float> x(32, 0.0f);
  x[3] = 8.0f, x[20] = -8.0f;  // equal magnitude: the first decides, d = -1
  BlockQ4_0 b;
  quantize_row(kQ4_0, x.data(), &b, 32);
  EXPECT_EQ(load_half(b.d), -1.0f);
  float y[32];
  dequantize_row(kQ4_0, &b, y, 32);
  EXPECT_EQ(y[3], 8.0f);
  EXPECT_EQ(y[20], -7.0f);  // code 15 is the largest
  EXPECT_EQ(y[0], 0.0f);
}

TEST(BlockFormats, QuantisersStayWithinHalfAStep) {
  std::mt19937 random(3);
  std::normal_distribution<float> normal;
  for (WeightFormat format : {kQ8_0, kQ4_0}) {
    std::vector<float> x(32 * 50), y(x.size());
    for (float& v : x) v = normal(random);
    std::vector<uint8_t> bytes(static_cast<size_t>(row_bytes(format, 1600)));
    quantize_row(format, x.data(), bytes.data(), 1600);
    dequantize_row(format, bytes.data(), y.data(), 1600);
    for (size_t block = 0; block < 50; block++) {
      float d = std::fabs(load_half(bytes.data() + block * static_cast<size_t>(block_bytes(format))));
      // Q4_0 has no code for the value opposite to the largest one: a whole step there. fp16 rounds d by up to 2^-11.
      float limit = (format == kQ8_0 ? 0.57f : 1.01f) * d;
      for (size_t k = block * 32; k < block * 32 + 32; k++) EXPECT_LE(std::fabs(x[k] - y[k]), limit) << name(format);
    }
  }
}

TEST(BlockFormats, QuantiserEdges) {
  for (WeightFormat format : {kQ8_0, kQ4_0}) {
    for (float bad : {NAN, INFINITY, -INFINITY}) {
      std::vector<float> x(32, 1.0f), y(32);
      x[9] = bad;
      uint8_t block[34];
      quantize_row(format, x.data(), block, 32);
      dequantize_row(format, block, y.data(), 32);
      for (float v : y) EXPECT_TRUE(std::isnan(v)) << name(format);
    }
    for (float tiny : {0.0f, 1e-45f, -1e-40f, 1e-38f, 1e-9f}) {
      std::vector<float> x(32, tiny), y(32);
      x[0] = 0;
      uint8_t block[34];
      quantize_row(format, x.data(), block, 32);
      dequantize_row(format, block, y.data(), 32);
      for (float v : y) EXPECT_EQ(v, 0.0f) << name(format) << " " << tiny;
    }
  }
}

TEST(BlockFormats, SizesAndRefusals) {
  EXPECT_EQ(row_bytes(kQ4_K, 512), 288);
  EXPECT_EQ(row_bytes(kMXFP4, 64), 34);
  EXPECT_EQ(row_bytes(kBF16, 7), 14);
  EXPECT_EQ(row_bytes(kQ4_0, 0), 0);
  EXPECT_THROW(row_bytes(kQ4_K, 255), Error);
  EXPECT_THROW(row_bytes(kQ8_0, -32), Error);
  EXPECT_THROW(row_bytes(kF64, INT64_MAX), Error);
  EXPECT_THROW(name(format_at(kNumWeightFormats)), Error);
  float x[256] = {};
  uint8_t out[1024];
  for (WeightFormat format : {kQ4_K, kQ6_K, kI8, kMXFP4}) EXPECT_THROW(quantize_row(format, x, out, 256), Error);
  EXPECT_THROW(dequantize_row(kQ4_K, out, x, 32), Error);
}

TEST(BlockFormats, PlainFormatsAndDTypesAgree) {
  for (int i = 0; i < kNumWeightFormats; i++) {
    WeightFormat format = format_at(i);
    std::optional<DType> dtype = plain_dtype(format);
    EXPECT_EQ(dtype.has_value(), is_plain(format)) << name(format);
    if (!dtype) continue;
    EXPECT_EQ(static_cast<int64_t>(itemsize(*dtype)), block_bytes(format));
    EXPECT_EQ(weight_format_of(*dtype), format);
    EXPECT_STREQ(name(*dtype), name(format));
  }
  EXPECT_FALSE(weight_format_of(DType::kBool));
  EXPECT_FALSE(weight_format_of(DType::kF8E8M0));
}

}  // namespace
}  // namespace ingot
