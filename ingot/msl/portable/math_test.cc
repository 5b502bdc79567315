// The math library against the C library in double precision, edges included, and the integer functions.
#include <gtest/gtest.h>

#include <climits>
#include <cmath>
#include <cstdint>
#include <limits>

#include "ingot/msl/portable/msl_types.h"

namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

// |got - expected| in units of expected's last place.
double ulps(float got, double expected) {
  float rounded = float(expected);
  if (std::isnan(rounded) || std::isnan(got)) return std::isnan(rounded) && std::isnan(got) ? 0 : 1e9;
  if (std::isinf(rounded) || std::isinf(got)) return rounded == got ? 0 : 1e9;
  double unit = std::ldexp(1.0, std::max(std::ilogb(rounded == 0 ? 1e-38f : rounded), -126) - 23);
  return std::fabs(double(got) - expected) / unit;
}

void expect_accurate(const char* name, float (*f)(float), double (*reference)(double), float low, float high) {
  for (int i = 0; i <= 20000; ++i) {
    float x = low + (high - low) * float(i) / 20000;
    ASSERT_LE(ulps(f(x), reference(double(x))), 2.0) << name << "(" << x << ")";
  }
  for (float x : {0.0f, -0.0f, kInf, -kInf, kNan}) {
    ASSERT_LE(ulps(f(x), reference(double(x))), 2.0) << name << "(" << x << ")";
  }
}

TEST(PortableMath, UnaryFunctions) {
#define EXPECT_ACCURATE(name, low, high) \
  expect_accurate(                       \
      #name, [](float x) { return metal::name(x); }, [](double x) { return std::name(x); }, low, high)
  EXPECT_ACCURATE(exp, -100, 90);
  EXPECT_ACCURATE(exp2, -150, 129);
  EXPECT_ACCURATE(log, -1, 1e6f);
  EXPECT_ACCURATE(log2, -1, 1e6f);
  EXPECT_ACCURATE(log10, -1, 1e6f);
  EXPECT_ACCURATE(sqrt, -1, 1e6f);
  EXPECT_ACCURATE(sin, -100, 100);
  EXPECT_ACCURATE(cos, -100, 100);
  EXPECT_ACCURATE(tan, -1.5f, 1.5f);
  EXPECT_ACCURATE(atan, -10, 10);
  EXPECT_ACCURATE(sinh, -10, 10);
  EXPECT_ACCURATE(cosh, -10, 10);
  EXPECT_ACCURATE(tanh, -10, 10);
  EXPECT_ACCURATE(floor, -3, 3);
  EXPECT_ACCURATE(ceil, -3, 3);
  EXPECT_ACCURATE(trunc, -3, 3);
  EXPECT_ACCURATE(rint, -3, 3);
  EXPECT_ACCURATE(round, -3, 3);
  EXPECT_ACCURATE(fabs, -3, 3);
#undef EXPECT_ACCURATE
  expect_accurate(
      "rsqrt", metal::rsqrt, [](double x) { return 1 / std::sqrt(x); }, -1, 1e6f);
  expect_accurate("precise::exp", metal::precise::exp, std::exp, -100, 90);
  expect_accurate("fast::exp", metal::fast::exp, std::exp, -100, 90);  // the simulator's is the precise one
  EXPECT_EQ(metal::rint(2.5f), 2.0f);
  EXPECT_EQ(metal::round(2.5f), 3.0f);
  EXPECT_EQ(metal::sign(-2.0f), -1.0f);
  EXPECT_EQ(metal::sign(kNan), 0.0f);
  EXPECT_EQ(metal::fract(-0.25f), 0.75f);
  EXPECT_LT(metal::fract(-1e-10f), 1.0f);
}

TEST(PortableMath, BinaryAndTernary) {
  EXPECT_EQ(metal::max(kNan, 1.0f), 1.0f);
  EXPECT_EQ(metal::min(1.0f, kNan), 1.0f);
  EXPECT_EQ(metal::clamp(5.0f, 0.0f, 1.0f), 1.0f);
  EXPECT_EQ(metal::pow(2.0f, 10.0f), 1024.0f);
  EXPECT_EQ(metal::fmod(-5.5f, 2.0f), -1.5f);
  EXPECT_EQ(metal::copysign(3.0f, -0.0f), -3.0f);
  EXPECT_EQ(metal::atan2(1.0f, -1.0f), std::atan2(1.0f, -1.0f));
  EXPECT_EQ(metal::fma(0x1.000002p0f, 0x1.000002p0f, -1.0f), std::fma(0x1.000002p0f, 0x1.000002p0f, -1.0f));
  EXPECT_EQ(metal::select(1.0f, 2.0f, true), 2.0f);
  EXPECT_EQ(metal::mix(1.0f, 3.0f, 0.5f), 2.0f);
  EXPECT_EQ(metal::saturate(-kInf), 0.0f);
  EXPECT_EQ(metal::step(1.0f, 1.0f), 1.0f);
  EXPECT_EQ(metal::ldexp(1.5f, -130), 0x1.8p-130f);
  EXPECT_EQ(metal::dot(metal::float4(1, 2, 3, 4), metal::float4(1.0f)), 10.0f);
  EXPECT_EQ(metal::length(metal::float2(3, 4)), 5.0f);
  EXPECT_EQ(float(metal::exp(metal::half(0.0f))), 1.0f);
  EXPECT_EQ(metal::max(metal::float2(1, 5), metal::float2(2, 4)).y, 5.0f);
}

TEST(PortableMath, Classification) {
  EXPECT_TRUE(metal::isnan(kNan) && !metal::isnan(kInf) && !metal::isnan(0.0f));
  EXPECT_TRUE(metal::isinf(-kInf) && !metal::isinf(kNan) && !metal::isinf(3e38f));
  EXPECT_TRUE(metal::isfinite(3e38f) && !metal::isfinite(kInf) && !metal::isfinite(kNan));
  EXPECT_TRUE(metal::isnormal(1.0f) && !metal::isnormal(1e-40f));
  EXPECT_TRUE(metal::signbit(-0.0f) && !metal::signbit(0.0f));
  EXPECT_TRUE(metal::all(metal::isnan(metal::float2(kNan, -kNan))));
}

TEST(PortableMath, Integers) {
  using metal::ushort;
  EXPECT_EQ(metal::abs(INT_MIN), INT_MIN);
  EXPECT_EQ(metal::abs(-5), 5);
  EXPECT_EQ(metal::absdiff(INT_MIN, INT_MAX), UINT_MAX);
  EXPECT_EQ(metal::clz(0u), 32u);
  EXPECT_EQ(metal::clz(ushort(1)), ushort(15));
  EXPECT_EQ(metal::ctz(0u), 32u);
  EXPECT_EQ(metal::ctz(ushort(0)), ushort(16));
  EXPECT_EQ(metal::ctz(8), 3);
  EXPECT_EQ(metal::popcount(-1), 32);
  EXPECT_EQ(metal::popcount(metal::uchar(0xF1)), metal::uchar(5));
  EXPECT_EQ(metal::reverse_bits(1u), 0x80000000u);
  EXPECT_EQ(metal::rotate(0x80000001u, 33u), 3u);
  EXPECT_EQ(metal::rotate(5u, 0u), 5u);
  EXPECT_EQ(metal::extract_bits(0xF0, 4, 4), -1);
  EXPECT_EQ(metal::extract_bits(0xF0u, 4, 4), 15u);
  EXPECT_EQ(metal::insert_bits(0u, 0xFFu, 28, 4), 0xF0000000u);
  EXPECT_EQ(metal::mulhi(INT_MIN, INT_MIN), 1 << 30);
  EXPECT_EQ(metal::mulhi(UINT_MAX, UINT_MAX), UINT_MAX - 1);
  EXPECT_EQ(metal::mulhi(~0ul, ~0ul), ~0ul - 1);
  EXPECT_EQ(metal::mulhi(-1L, 1L), -1L);
  EXPECT_EQ(metal::addsat(INT_MAX, 1), INT_MAX);
  EXPECT_EQ(metal::addsat(INT_MIN, -1), INT_MIN);
  EXPECT_EQ(metal::subsat(3u, 5u), 0u);
  EXPECT_EQ(metal::subsat(INT_MIN, 1), INT_MIN);
  EXPECT_EQ(metal::clamp(7u, 1u, 3u), 3u);
  EXPECT_EQ(metal::median3(3, 1, 2), 2);
  EXPECT_EQ(metal::numeric_limits<int>::min(), INT_MIN);
  EXPECT_EQ(metal::numeric_limits<uint16_t>::max(), 65535);
  EXPECT_EQ(metal::numeric_limits<float>::infinity(), kInf);
}

}  // namespace
