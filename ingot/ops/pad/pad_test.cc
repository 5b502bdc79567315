#include "ingot/ops/pad/pad.h"

#include <gtest/gtest.h>

#include "ingot/base/message_test.h"
#include "ingot/device/cpu/memory.h"

namespace ingot {
namespace {

Tensor row(int64_t n) { return zeros({2, n}, DType::kF32); }

TEST(Pad, RefusesWhatHasNoMeaning) {
  EXPECT_EQ(message_of([] { pad(row(3), {1}); }),
            "pad: pad: expected two counts for each of at most 2 axes, got 1 counts");
  EXPECT_EQ(message_of([] {
              pad(row(3), {0, 0, 0, 0, 1, 1});
            }),
            "pad: pad: expected two counts for each of at most 2 axes, got 6 counts");
  EXPECT_EQ(message_of([] {
              pad(row(3), {-2, -2});
            }),
            "pad: counts: expected no size below 0, got -2 and -2 on axis 1 of size 3");
  EXPECT_EQ(message_of([] {
              pad(row(3), {INT64_MAX, 1});
            }),
            cat("pad: counts: expected no size below 0, got ", INT64_MAX, " and 1 on axis 1 of size 3"));
  EXPECT_EQ(message_of([] {
              pad(row(3), {0, 3}, PadMode::kReflect);
            }),
            "pad: counts of reflect: expected below the size, got 0 and 3 on axis 1 of size 3");
  EXPECT_EQ(message_of([] {
              pad(row(3), {4, 0}, PadMode::kCircular);
            }),
            "pad: counts of circular: expected at most the size, got 4 and 0 on axis 1 of size 3");
  EXPECT_EQ(message_of([] {
              pad(row(0), {1, 0}, PadMode::kReplicate);
            }),
            "pad: x: expected elements to replicate, got 1 and 0 on axis 1 of size 0");
  EXPECT_EQ(message_of([] { pad_mode_from_name("mirror"); }),
            "pad: mode: expected constant, reflect, replicate or circular, got \"mirror\"");
}

TEST(Pad, TheValueTakesTheDType) {
  EXPECT_EQ(to_doubles(pad(zeros({1}, DType::kF8E4M3), {1, 0}, PadMode::kConstant, 1000))[0], 448);
  EXPECT_EQ(to_doubles(pad(zeros({1}, DType::kBF16), {0, 1}, PadMode::kConstant, 1.00001))[1], 1);
}

// Nothing but the result is allocated: tiled decoders pad thousands of frames.
TEST(Pad, TakesNoMemoryBesidesTheResult) {
  Tensor x = zeros({4, 64, 64}, DType::kF32);
  empty_cpu_cache();
  reset_cpu_peak();
  const size_t before = cpu_memory().used;
  Tensor y = pad(x, {1, 1, 1, 1, 2, 0});
  EXPECT_LE(cpu_memory().peak - before, size_t(y.nbytes()) * 5 / 4 + 4096);
}

// Only the end of an axis of 2^32 elements, which all lie at one place.
TEST(Pad, AxesBeyondTwoToThe32) {
  constexpr int64_t kLong = int64_t{1} << 32;
  for (Device device : {kCpu, Device{DeviceKind::kSim, 0}}) {
    Tensor x = full({1, 1}, 7, DType::kI8, device).expand({3, kLong});
    Tensor y = pad(x, {3 - kLong, 2}, PadMode::kConstant, 1);
    EXPECT_EQ(to_doubles(y), (std::vector<double>{7, 7, 7, 1, 1, 7, 7, 7, 1, 1, 7, 7, 7, 1, 1})) << name(device);
    EXPECT_EQ(pad(x, {3 - kLong, 2}, PadMode::kReplicate).cpu().data<int8_t>()[4], 7) << name(device);
  }
}

}  // namespace
}  // namespace ingot
