// The vectors of the instruction set that the tests are compiled for; the higher sets are held to the same results
// through the operators.
#define INGOT_ISA isa_of_the_test
#include "ingot/device/cpu/simd.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace ingot::INGOT_ISA {
namespace {

const float kValues[] = {0.0f,      -0.0f,      1.0f,       -1.5f,     65504.0f, 65519.0f,  65520.0f,    -1e5f,
                         0x1p-24f,  0x1p-25f,   0x1.8p-25f, 0x1p-14f,  1e-40f,   0x1p-149f, 3.14159f,    1e38f,
                         HUGE_VALF, -HUGE_VALF, NAN,        0.333333f, 2049.0f,  2051.0f,   1.00390625f, 1.01171875f};

template <class T>
void expect_stores_as_converted() {
  constexpr int n = int(std::size(kValues));
  for (int start = 0; start < n; start++) {
    float in[kLanes];
    for (int i = 0; i < kLanes; i++) in[i] = kValues[(start + i) % n];
    T out[kLanes + 1];
    out[kLanes].bits = 0x1234;
    store(out, load(in));
    EXPECT_EQ(out[kLanes].bits, 0x1234) << "wrote past the vector";
    vf back = load(out);
    for (int i = 0; i < kLanes; i++) {
      EXPECT_EQ(out[i].bits, T(in[i]).bits) << in[i];
      EXPECT_EQ(float_to_bits(back[i]), float_to_bits(float(out[i]))) << in[i];
    }
  }
}

TEST(Simd, HalvesRoundAsTheScalarConversion) { expect_stores_as_converted<half>(); }
TEST(Simd, BfloatsRoundAsTheScalarConversion) { expect_stores_as_converted<bfloat>(); }

TEST(Simd, UnalignedLoads) {
  std::vector<float> x(kLanes + 3);
  for (size_t i = 0; i < x.size(); i++) x[i] = float(i);
  vf v = load(x.data() + 3);
  for (int i = 0; i < kLanes; i++) EXPECT_EQ(v[i], float(i + 3));
}

TEST(Simd, LanesAreReduced) {
  vf v;
  float sum = 0;
  for (int i = 0; i < kLanes; i++) v[i] = float(i * i), sum += float(i * i);
  EXPECT_EQ(sum_lanes(v), sum);
  EXPECT_EQ(max_lanes(v), float((kLanes - 1) * (kLanes - 1)));
  EXPECT_EQ(vmax(splat(1), splat(2))[0], 2);
  EXPECT_EQ(vmin(splat(1), splat(2))[0], 1);
  EXPECT_TRUE(std::isnan(vmax(splat(1), splat(NAN))[0]));
  EXPECT_EQ(vmax(splat(NAN), splat(1))[0], 1) << "the second where either is NaN";
}

TEST(Simd, ExpIsWithinTwoUlps) {
  double worst = 0;
  for (float x = -86.5f; x < 88.7f; x += 0.00137f) {
    float got = vexp(splat(x))[0];
    double want = std::exp(double(x));
    double ulp = std::nextafter(float(want), HUGE_VALF) - float(want);
    worst = std::max(worst, std::fabs(got - want) / ulp);
  }
  EXPECT_LT(worst, 2);
}

TEST(Simd, ExpAtItsEdges) {
  EXPECT_EQ(vexp(splat(0))[0], 1.0f);
  EXPECT_EQ(vexp(splat(-HUGE_VALF))[0], 0.0f);
  EXPECT_EQ(vexp(splat(HUGE_VALF))[0], HUGE_VALF);
  EXPECT_EQ(vexp(splat(-104.5f))[0], 0.0f);
  EXPECT_EQ(vexp(splat(89))[0], HUGE_VALF);
  EXPECT_TRUE(std::isnan(vexp(splat(NAN))[0]));
  EXPECT_NEAR(vexp(splat(-100))[0], std::exp(-100.0), 0x1p-149) << "subnormal results are not flushed";
}

}  // namespace
}  // namespace ingot::INGOT_ISA
