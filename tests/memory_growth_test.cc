// Memory does not grow with the number of different shapes or scalars that were seen.
#include <gtest/gtest.h>

#include <numeric>
#include <random>
#include <vector>

#include "ingot/device/cpu/memory.h"
#include "ingot/ops/linear/linear.h"
#include "ingot/ops/pointwise/pointwise.h"

namespace ingot {
namespace {

constexpr size_t kSlack = 4 << 20;  // of the process: heap arenas, stacks

TEST(MemoryGrowth, EveryBatchSizeTwice) {
  Tensor w = full({32, 32}, 0.5, DType::kF32), bias = full({32}, 1, DType::kF32);
  std::vector<int64_t> sizes(1024);
  std::iota(sizes.begin(), sizes.end(), 1);
  auto pass = [&] {
    for (int64_t n : sizes) ASSERT_EQ(linear(full({n, 32}, 1, DType::kF32), w, bias).sizes(), (Dims{n, 32}));
  };
  pass();
  const size_t before = process_memory().resident;
  for (int i = 0; i < 5; i++) {
    std::shuffle(sizes.begin(), sizes.end(), std::mt19937(static_cast<unsigned>(i)));
    pass();
  }
  EXPECT_LT(process_memory().resident, before + before / 20 + kSlack);
}

TEST(MemoryGrowth, ANewScalarWithEachCall) {
  std::mt19937 random(1);
  Tensor x = zeros({}, DType::kF32);
  auto calls = [&](int count) {
    for (int i = 0; i < count; i++) {
      const double r = double(random()) / double(std::mt19937::max());
      ASSERT_EQ(clamp(x, 1 - r, 1 + r).item(), double(float(1 - r)));
    }
  };
  calls(1000);
  const size_t before = process_memory().resident;
  calls(100000);
  EXPECT_LT(process_memory().resident, before + kSlack);
}

}  // namespace
}  // namespace ingot
