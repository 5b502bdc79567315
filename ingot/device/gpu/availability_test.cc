#include "ingot/device/gpu/availability.h"

#include <gtest/gtest.h>

#include "ingot/base/error.h"
#include "ingot/device/gpu/driver.h"

namespace ingot::gpu {
namespace {

constexpr Device kSim{DeviceKind::kSim, 0}, kMetal{DeviceKind::kMetal, 0};

template <class Facts>
std::string reason(const Facts& facts) {
  Availability a = explain(facts);
  EXPECT_FALSE(a.available);
  EXPECT_FALSE(a.advice.empty());
  return a.reason;
}

TEST(Availability, Metal) {
  MetalFacts f{true, 15, 1, true, true, "", true, "Apple M4"};
  EXPECT_TRUE(explain(f).available);
  EXPECT_EQ(explain(f).reason, "Apple M4");
  EXPECT_EQ(explain(f).advice, "");
  f.queue = false;
  EXPECT_EQ(reason(f), "no Metal command queue could be made");
  f.library_error = "error: use of undeclared identifier";
  EXPECT_EQ(reason(f), "the kernels do not compile: error: use of undeclared identifier");
  f.device = false;
  EXPECT_EQ(reason(f), "the system gives no Metal device");
  f.apple_silicon = false;
  EXPECT_EQ(reason(f), "this Mac has no Apple silicon: Intel Macs are not supported");
  f.macos_major = 14;
  f.macos_minor = 6;
  EXPECT_EQ(reason(f), "macOS is too old: 14.6, needed is 15.0");
  f.built_in = false;
  EXPECT_EQ(reason(f), "this build has no Metal driver: not macOS");
}

TEST(Availability, Simulator) {
  EXPECT_EQ(explain(SimFacts{3}).reason, "simulator: 3 kernels on the CPU, for tests");
  EXPECT_EQ(reason(SimFacts{0}), "this build holds no simulated kernels");
}

TEST(Availability, DriversAreMadeOnceOrRefusedWithTheReason) {
  EXPECT_TRUE(ingot::availability(kSim).available);
  EXPECT_EQ(&driver(kSim), &driver(kSim));
  EXPECT_EQ(driver(kSim).device(), kSim);
  for (Device d : {kCpu, kMetal}) {
    try {
      driver(d);
      FAIL() << name(d);
    } catch (const Error& e) {
      EXPECT_EQ(e.kind(), ErrorKind::kUnsupported);
      EXPECT_EQ(std::string(e.what()).find(name(d)), 0u);
    }
  }
}

}  // namespace
}  // namespace ingot::gpu
