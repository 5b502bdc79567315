// ingot/msl/erf.h through the simulator, against the C library in double precision.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "ingot/device/sim/sim.h"

namespace ingot {
namespace {

TEST(KernelErf, ErfAndGelu) {
  std::vector<float> x;
  for (int i = -40000; i < 40000; ++i) x.push_back(float(i) * 0.00015f);
  for (int e = -149; e < 128; ++e) x.push_back(std::ldexp(1.0f, e));
  const float infinity = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
  x.insert(x.end(), {0.0f, -0.0f, infinity, -infinity, nan, 1.0f, -1.0f, 4.05f});
  while (x.size() % 256 != 0) x.push_back(0.5f);

  std::vector<float> erfs(x.size()), gelus(x.size());
  sim::Args args;
  args.bind(0, x.data(), x.size() * 4);
  args.bind(1, erfs.data(), x.size() * 4);
  args.bind(2, gelus.data(), x.size() * 4);
  sim::dispatch("erf_and_gelu", args, {uint32_t(x.size() / 256), 1, 1}, {256, 1, 1});
  for (size_t i = 0; i < x.size(); ++i) {
    if (std::isnan(x[i])) {
      EXPECT_TRUE(std::isnan(erfs[i]));
      continue;
    }
    double expected = std::erf(double(x[i]));
    double unit = std::ldexp(1.0, std::max(std::ilogb(float(expected)), -126) - 23);
    ASSERT_LE(std::fabs(double(erfs[i]) - expected), 2.5 * (expected == 0 ? 0x1p-149 : unit)) << x[i];
    if (std::isinf(x[i])) continue;
    double gelu = 0.5 * x[i] * (1 + std::erf(double(x[i]) / std::sqrt(2.0)));
    ASSERT_LE(std::fabs(double(gelus[i]) - gelu), 1e-6 * std::max(1.0, std::fabs(double(x[i])))) << x[i];
  }
}

}  // namespace
}  // namespace ingot
