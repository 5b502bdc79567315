// Each mistake that a kernel can make when it runs, planted in tests/msl/kernels/mistakes.metal, is reported: by the
// simulator in every build, by a seed, or by the sanitizer of the build.
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "ingot/base/error.h"
#include "ingot/device/sim/sanitizers.h"
#include "ingot/device/sim/sim.h"

namespace ingot {
namespace {

const std::string kFile = "tests/msl/kernels/mistakes.metal";

class SimMistakes : public ::testing::Test {
 protected:
  void SetUp() override { args_.bind(0, y_.data(), y_.size() * 4); }

  std::string report(const char* kernel, uint64_t seed = 0) {
    try {
      sim::dispatch(kernel, args_, {1, 1, 1}, {256, 1, 1}, {.seed = seed});
    } catch (const Error& e) {
      return e.what();
    }
    return "no error";
  }
  // Values that differ from what the kernel would give if it were right: y[i] = i - 1.
  int wrong(const char* kernel, uint64_t seed) {
    sim::dispatch(kernel, args_, {1, 1, 1}, {256, 1, 1}, {.seed = seed});
    int n = 0;
    for (int i = 1; i < 256; ++i) n += !(y_[i] == float(i - 1));
    return n;
  }

  std::vector<float> y_ = std::vector<float>(256);
  sim::Args args_;
};

TEST_F(SimMistakes, BarrierThatNotAllThreadsReach) {
  for (uint64_t seed : {0, 1, 2}) {
    EXPECT_EQ(
        report("barrier_not_reached", seed),
        "barrier_not_reached: " + kFile + ":8: threadgroup_barrier: 100 of 256 threads arrived; 156 threads returned");
  }
}

TEST_F(SimMistakes, DifferentBarriers) {
  EXPECT_EQ(
      report("different_barriers"),
      "different_barriers: " + kFile + ":18: threadgroup_barrier: other threads wait at the one of " + kFile + ":16");
}

TEST_F(SimMistakes, DifferentSimdOperations) {
  EXPECT_EQ(report("different_operations"), "different_operations: " + kFile +
                                                ":28: simd_max: other lanes of simdgroup 0 wait at the simd_sum of " +
                                                kFile + ":27");
}

TEST_F(SimMistakes, ReturnBeforeSimdOperation) {
  EXPECT_EQ(report("early_return"),
            "early_return: " + kFile + ":36: simd_sum: 8 of 32 lanes of simdgroup 6 arrived; 248 threads returned");
}

TEST_F(SimMistakes, TooMuchThreadgroupMemory) {
  args_.tg_bytes[0] = 32800;
  EXPECT_NE(report("large_argument").find("threadgroup memory: expected at most 32768 bytes, got 32800"),
            std::string::npos);
}

TEST_F(SimMistakes, TheSimulatorStaysUsable) {
  for (int round = 0; round < 20; ++round) {
    EXPECT_NE(report("barrier_not_reached", round), "no error");
    EXPECT_NE(report("different_operations", round), "no error");
    ASSERT_EQ(report("neighbours", round), "no error");
    for (int i = 0; i < 256; ++i) ASSERT_EQ(y_[i], float((i + 4) % 256));
  }
}

TEST_F(SimMistakes, UninitialisedThreadgroupMemoryIsNan) {
  EXPECT_EQ(report("uninitialised"), "no error");
  EXPECT_TRUE(std::isnan(y_[3]));
}

#if INGOT_TSAN

// The race detector writes its report and goes on; the process then ends with its exit code.
void expect_race(const char* kernel, sim::Size groups) {
  auto run = [&] {
    std::vector<float> y(256);
    sim::Args args;
    args.bind(0, y.data(), 1024);
    sim::dispatch(kernel, args, groups, {256, 1, 1});
    std::exit(0);
  };
  EXPECT_EXIT(run(), ::testing::ExitedWithCode(66), "data race") << kernel;
}
TEST(SimRaces, Found) {
  ::testing::FLAGS_gtest_death_test_style = "threadsafe";
  expect_race("missing_barrier", {1, 1, 1});
  expect_race("missing_simdgroup_barrier", {1, 1, 1});
  expect_race("barrier_without_flag", {1, 1, 1});
  expect_race("groups_share", {2, 1, 1});
}

#else

TEST_F(SimMistakes, SeedsShowAMissingBarrier) {
  EXPECT_EQ(wrong("missing_barrier", 0), 0) << "hidden without a seed";
  int seen = 0;
  for (uint64_t seed = 1; seed <= 8; ++seed) seen += wrong("missing_barrier", seed) > 0;
  EXPECT_GE(seen, 7);
}

#endif

#if defined(__has_feature)
#if __has_feature(undefined_behavior_sanitizer)
TEST(SimMisaligned, Found) {
  ::testing::FLAGS_gtest_death_test_style = "threadsafe";
  alignas(16) static float x[264], y[256];
  sim::Args args;
  args.bind(0, x, sizeof x);
  args.bind(1, y, sizeof y);
  EXPECT_DEATH(sim::dispatch("misaligned_vector", args, {1, 1, 1}, {256, 1, 1}), "misaligned address");
}
#endif
#endif

#if INGOT_ASAN

TEST(SimOverruns, Found) {
  ::testing::FLAGS_gtest_death_test_style = "threadsafe";
  auto run = [](const char* kernel) {
    auto x = std::make_unique<float[]>(256), y = std::make_unique<float[]>(256);
    sim::Args args;
    args.bind(0, kernel == std::string("beyond_threadgroup") ? y.get() : x.get(), 1024);
    args.bind(1, y.get(), 1024);
    sim::dispatch(kernel, args, {1, 1, 1}, {256, 1, 1});
  };
  EXPECT_DEATH(run("beyond_threadgroup"), "heap-buffer-overflow|out of bounds");  // UBSan knows the array
  EXPECT_DEATH(run("beyond_buffer"), "heap-buffer-overflow");
}

#endif

}  // namespace
}  // namespace ingot
