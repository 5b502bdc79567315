// Copies between devices, and offsets that need 64 bits.
#include <gtest/gtest.h>

#include "ingot/base/error.h"
#include "ingot/base/message_test.h"
#include "ingot/ops/copy/copy.h"
#include "ingot/ops/op_check.h"
#include "ingot/ops/pointwise/pointwise.h"
#include "ingot/ops/reduce/reduce.h"

namespace ingot {
namespace {

constexpr Device kSim{DeviceKind::kSim, 0};

Tensor counting(const Dims& sizes) {
  std::vector<int32_t> v(size_t(numel(sizes)));
  for (size_t i = 0; i < v.size(); i++) v[i] = int32_t(i);
  return tensor_of(v, sizes);
}

TEST(CopyBetweenDevices, ThereAndBack) {
  Tensor x = counting({3, 4});
  for (const Tensor& view : {x, x.t(), x.slice(1, 1, 4, 2), x.select(0, 2), x.narrow(0, 0, 0)}) {
    Tensor there = to(view, kSim);
    EXPECT_EQ(there.device(), kSim);
    EXPECT_TRUE(there.is_contiguous());
    EXPECT_EQ(to_int64s(there), to_int64s(view));
    EXPECT_EQ(to_int64s(to(there, kCpu)), to_int64s(view));
  }
  Tensor there = to(x, kSim);
  EXPECT_EQ(to(there, kSim).storage(), there.storage());
  EXPECT_EQ(to_int64s(to(there.t(), kCpu)), to_int64s(x.t()));
  EXPECT_TRUE(to(there.t(), kCpu).is_contiguous());
}

TEST(CopyBetweenDevices, IntoViews) {
  Tensor x = counting({2, 3}), there = zeros({3, 2}, DType::kF32, kSim);
  copy_(there.t(), x);  // converted and transposed on the way
  EXPECT_EQ(to_doubles(there), (std::vector<double>{0, 3, 1, 4, 2, 5}));
  Tensor back = zeros({4, 3}, DType::kI64);
  copy_(back.narrow(0, 1, 3), there.select(1, 1));
  EXPECT_EQ(to_int64s(back), (std::vector<int64_t>{0, 0, 0, 3, 4, 5, 3, 4, 5, 3, 4, 5}));
}

TEST(CopyBetweenDevices, OperandsMustBeTogether) {
  Tensor x = zeros({2}, DType::kF32), y = zeros({2}, DType::kF32, kSim);
  EXPECT_EQ(message_of([&] { add(x, y); }), "add: tensors on cpu and on sim: move one of them");
  EXPECT_EQ(message_of([&] { add(y, x); }), "add: tensors on sim and on cpu: move one of them");
  EXPECT_EQ(message_of([&] { to(zeros({2}, DType::kF64), kSim); }), "tensor: f64 on sim: it lives on the cpu only");
  EXPECT_EQ(message_of([&] { to(y, DType::kF64); }), "tensor: f64 on sim: it lives on the cpu only");
}

TEST(CopyBetweenDevices, UnusualFloat8OnTheGpu) {
  Tensor x = tensor_of(std::vector<float>{1e6f, -1e6f, 448, 1.5f, 464.5f}, {5});
  Tensor n = tensor_of(std::vector<int32_t>{1000000, -470, 3, 0}, {4});
  for (DType t : {DType::kF8E4M3, DType::kF8E5M2})
    for (auto overflow : {Float8Overflow::kDefault, Float8Overflow::kSaturate, Float8Overflow::kNonSaturating})
      for (const Tensor& v : {x, n}) {
        Tensor expected = to(v, t, overflow).view_dtype(DType::kU8);
        EXPECT_EQ(to_int64s(to(to(v, kSim), t, overflow).view_dtype(DType::kU8)), to_int64s(expected));
      }
}

// The memory between is never touched, so it costs none.
TEST(LargeOffsets, TakeSixtyFourBits) {
  constexpr int64_t kFar = int64_t(1) << 31;
  Tensor wide = empty({kFar + 8}, DType::kU8, kSim);
  Tensor ends = wide.as_strided({2, 8}, {kFar, 1}, 0);
  copy_(ends, counting({2, 8}));
  EXPECT_EQ(to_int64s(wide.narrow(0, kFar, 8)), (std::vector<int64_t>{8, 9, 10, 11, 12, 13, 14, 15}));
  EXPECT_EQ(to_int64s(contiguous(ends)), to_int64s(counting({2, 8})));
  EXPECT_EQ(to_int64s(add(ends, ends.t().t())),
            (std::vector<int64_t>{0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30}));
  EXPECT_EQ(to_int64s(sum(ends, {0})), (std::vector<int64_t>{8, 10, 12, 14, 16, 18, 20, 22}));
  EXPECT_EQ(to_int64s(sum(ends, {1})), (std::vector<int64_t>{28, 92}));
  // Backwards, through a negative stride.
  Tensor flipped = ends.as_strided({2, 8}, {-kFar, 1}, kFar);
  EXPECT_EQ(to_int64s(amax(contiguous(flipped), {1})), (std::vector<int64_t>{15, 7}));
}

}  // namespace
}  // namespace ingot
