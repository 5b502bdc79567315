#include "ingot/tensor/stream.h"

#include <gtest/gtest.h>

#include <thread>

#include "ingot/base/error.h"

namespace ingot {
namespace {

// y += x, as an operator's body would be written.
void add_(const Tensor& y, const Tensor& x) {
  cpu_stream().run("add_", {y, x}, {y}, [y, x] {
    for (int64_t i = 0; i < y.numel(); i++) y.data<float>()[i] += x.data<float>()[i];
  });
}

TEST(CpuStreamTest, RunsAtOnce) {
  Tensor y = zeros({2}, DType::kF32), x = full({2}, 3, DType::kF32);
  uint64_t before = y.version(), input = x.version();
  add_(y, x);
  EXPECT_EQ(to_doubles(y), (std::vector<double>{3, 3}));
  EXPECT_EQ(y.version(), before + 1);
  EXPECT_EQ(x.version(), input);
}

TEST(CpuStreamTest, CaptureRecordsAndReplaysInOrder) {
  Tensor a = full({1}, 1, DType::kF32), b = full({1}, 10, DType::kF32);
  auto calls = cpu_stream().capture([&] {
    EXPECT_TRUE(cpu_stream().capturing());
    add_(a, b);
    add_(b, a);
    EXPECT_EQ(a.item(), 1) << "nothing runs during the capture";
  });
  EXPECT_FALSE(cpu_stream().capturing());
  ASSERT_EQ(calls.size(), 2u);
  EXPECT_EQ(calls[0].name, "add_");
  EXPECT_EQ(calls[0].inputs.size(), 2u);
  EXPECT_EQ(calls[1].outputs[0].storage(), b.storage());
  replay(calls);
  replay(calls);
  EXPECT_EQ(a.item(), 11 + 21);
  EXPECT_EQ(b.item(), 21 + 32);
}

TEST(CpuStreamTest, ReplaySeesWhatTheMemoryHoldsThen) {
  Tensor y = zeros({1}, DType::kF32), x = full({1}, 1, DType::kF32);
  auto calls = cpu_stream().capture([&] { add_(y, x); });
  replay(calls);
  *x.data<float>() = 5;  // between two replays the input is written anew, as a decode step's token is
  replay(calls);
  EXPECT_EQ(y.item(), 6);
}

TEST(CpuStreamTest, VersionsCountWhatRunsAndNotWhatIsRecorded) {
  Tensor y = zeros({1}, DType::kF32);
  uint64_t before = y.version();
  auto calls = cpu_stream().capture([&] { add_(y, y); });
  EXPECT_EQ(y.version(), before);
  replay(calls);
  replay(calls);
  EXPECT_EQ(y.version(), before + 2);
}

TEST(CpuStreamTest, CaptureKeepsItsTensorsAlive) {
  Tensor y = zeros({1}, DType::kF32);
  auto calls = cpu_stream().capture([&] { add_(y, full({1}, 4, DType::kF32)); });
  Tensor other = full({1}, 99, DType::kF32);  // would take over the freed block
  replay(calls);
  EXPECT_EQ(y.item(), 4);
}

TEST(CpuStreamTest, CapturesDoNotNest) {
  auto calls = cpu_stream().capture([] { EXPECT_THROW(cpu_stream().capture([] {}), Error); });
  EXPECT_TRUE(calls.empty());
}

TEST(CpuStreamTest, AThrowEndsTheCapture) {
  Tensor y = zeros({1}, DType::kF32), x = full({1}, 1, DType::kF32);
  EXPECT_THROW(cpu_stream().capture([&] {
    add_(y, x);
    throw 7;
  }),
               int);
  EXPECT_FALSE(cpu_stream().capturing());
  add_(y, x);
  EXPECT_EQ(y.item(), 1);
  EXPECT_TRUE(cpu_stream().capture([] {}).empty());
}

TEST(CpuStreamTest, CaptureBelongsToItsThread) {
  Tensor y = zeros({1}, DType::kF32);
  auto calls = cpu_stream().capture([&] { std::thread([&] { add_(y, full({1}, 2, DType::kF32)); }).join(); });
  EXPECT_EQ(y.item(), 2);
  EXPECT_TRUE(calls.empty());
}

TEST(CpuStreamTest, UndefinedOutputsAreSkipped) {
  bool ran = false;
  cpu_stream().run("optional", {Tensor()}, {Tensor()}, [&] { ran = true; });
  EXPECT_TRUE(ran);
}

TEST(CpuStreamTest, ReadOnlyOutputsAreRefusedInACaptureToo) {
  float value = 0;
  Tensor y = from_memory(&value, {1}, DType::kF32, {}, /*read_only=*/true);
  EXPECT_TRUE(cpu_stream().capture([&] { EXPECT_THROW(add_(y, y), Error); }).empty());
}

}  // namespace
}  // namespace ingot
