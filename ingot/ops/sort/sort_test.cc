#include "ingot/ops/sort/sort.h"

#include <gtest/gtest.h>

#include <cmath>

#include "ingot/base/error.h"
#include "ingot/base/message_test.h"
#include "ingot/device/cpu/memory.h"
#include "ingot/device/cpu/thread_pool.h"
#include "ingot/ops/op_check.h"

namespace ingot {
namespace {

Tensor list(std::vector<float> v) { return tensor_of(v, {int64_t(v.size())}); }
using Ints = std::vector<int64_t>;

// Pitfall B27: ties go to the lowest index, so top-k is a prefix of top-(k+1).
TEST(TopK, IsAPrefixOfTheNext) {
  Tensor x = list({1, 2, 5, 4, 5});
  const Ints order = {2, 4, 3, 1, 0};
  for (int64_t k = 0; k <= 5; k++) EXPECT_EQ(to_int64s(topk(x, k).indices), Ints(order.begin(), order.begin() + k));
  EXPECT_EQ(to_int64s(topk(list({-1, -1, -1, -1}), 1).indices), Ints{0});
  Tensor ties = make_input({{5000}, Fill::kTies}, DType::kF32, 3);
  Ints all = to_int64s(sort(ties, 0, true).indices);
  for (int64_t k : {1, 2, 100, 500, 700, 2600, 5000})
    EXPECT_EQ(to_int64s(topk(ties, k).indices), Ints(all.begin(), all.begin() + k)) << k;
}

// Pitfall B28: every k up to the length.
TEST(TopK, EveryK) {
  Tensor x = empty({30}, DType::kF32);
  for (int i = 0; i < 30; i++) x.data<float>()[i] = float(i);
  for (int64_t k = 0; k <= 30; k++) {
    Sorted s = topk(x, k);
    for (int64_t i = 0; i < k; i++) EXPECT_EQ(s.values.data<float>()[i], float(29 - i));
  }
  Tensor wide = make_input({{1, 24, 1200}}, DType::kF32, 1);
  Sorted all = sort(wide, -1, true);
  for (int64_t k : {15, 20, 149, 151, 1199})
    EXPECT_EQ(to_doubles(topk(wide, k).values), to_doubles(all.values.narrow(2, 0, k)));
}

// Pitfall B08: nothing of nothing.
TEST(TopK, Empty) {
  for (Dims sizes : {Dims{0}, Dims{4, 0}, Dims{0, 4}}) {
    Sorted s = topk(zeros(sizes, DType::kF32), 0);
    EXPECT_EQ(s.values.numel(), 0);
    EXPECT_EQ(s.indices.dtype(), DType::kI64);
    EXPECT_EQ(s.indices.dim(), sizes.size());
    EXPECT_EQ(s.indices.size(-1), 0);
  }
  Tensor x = zeros({4}, DType::kF32);
  EXPECT_NE(message_of([&] { topk(x, 5); }).find("topk: k"), std::string::npos);
  EXPECT_NE(message_of([&] { topk(x, -1); }).find("topk: k"), std::string::npos);
}

TEST(Sort, NaNIsGreatestAndZerosAreEqual) {
  Tensor x = list({NAN, 1, -INFINITY, NAN, INFINITY, 0.0f, -0.0f});
  EXPECT_EQ(to_int64s(sort(x).indices), (Ints{2, 5, 6, 1, 4, 0, 3}));
  EXPECT_EQ(to_int64s(sort(x, 0, true).indices), (Ints{0, 3, 4, 1, 5, 6, 2}));
  EXPECT_EQ(to_int64s(topk(x, 3).indices), (Ints{0, 3, 4}));
  EXPECT_EQ(to_int64s(topk(x, 2, 0, false).indices), (Ints{2, 5}));
  EXPECT_TRUE(std::signbit(sort(x).values.data<float>()[2]));
  EXPECT_EQ(argmax(x).item(), 0);
  EXPECT_EQ(argmin(x).item(), 0);
  EXPECT_EQ(argmax(list({-0.0f, 0.0f})).item(), 0);
}

// Pitfall B19: integers do not pass through floats.
TEST(Sort, BigIntegers) {
  Tensor x =
      tensor_of(Ints{16777217, 16777216, (int64_t{1} << 53) + 1, int64_t{1} << 53, INT64_MIN, INT64_MAX, -1}, {7});
  EXPECT_EQ(to_int64s(sort(x).indices), (Ints{4, 6, 1, 0, 3, 2, 5}));
  EXPECT_EQ(argmax(x).item(), 5);
  EXPECT_EQ(argmin(x).item(), 4);
  EXPECT_EQ(argmax(tensor_of(Ints{int64_t{1} << 53, (int64_t{1} << 53) + 1}, {2})).item(), 1);
}

TEST(Sort, LongRowsAgreeForEveryNumberOfThreads) {
  int before = num_threads();
  for (DType dtype : {DType::kF32, DType::kBF16, DType::kF64, DType::kI32}) {
    Tensor x = make_input({{1, 128256}}, dtype, 5);
    set_num_threads(1);
    Ints sorted = to_int64s(sort(x, -1, true).indices), top = to_int64s(topk(x, 50).indices);
    EXPECT_EQ(top, Ints(sorted.begin(), sorted.begin() + 50));
    EXPECT_EQ(int64_t(argmax(x).item()), top[0]);
    for (int threads : {2, 3, 8}) {
      set_num_threads(threads);
      EXPECT_EQ(to_int64s(topk(x, 50).indices), top);
      EXPECT_EQ(int64_t(argmax(x).item()), top[0]);
      EXPECT_EQ(int64_t(argmin(x).item()), int64_t(topk(x, 1, -1, false).indices.item()));
    }
  }
  set_num_threads(before);
}

TEST(Sort, RowsThatRiseAllTheWay) {
  // Every element displaces one of the k so far.
  Tensor x = empty({1, 100000}, DType::kF32);
  for (int i = 0; i < 100000; i++) x.data<float>()[i] = float(i);
  Sorted s = topk(x, 64);
  for (int i = 0; i < 64; i++) EXPECT_EQ(s.indices.data<int64_t>()[i], 99999 - i);
}

TEST(ArgMax, WithoutDimCountsInRowMajorOrder) {
  Tensor x = tensor_of(std::vector<float>{0, 9, 1, 2, 3, 4}, {2, 3});
  EXPECT_EQ(argmax(x).item(), 1);
  EXPECT_EQ(argmax(x.t()).item(), 2);
  EXPECT_EQ(argmax(x, {}, true).sizes(), Dims({1, 1}));
  EXPECT_EQ(to_int64s(argmax(x, 0)), (Ints{1, 0, 1}));
  EXPECT_EQ(argmax(x, 1, true).sizes(), Dims({2, 1}));
}

TEST(ArgMax, NaNAtAnyPlace) {
  for (int64_t n : {1, 17, 4096, 4097, 50000})
    for (int64_t at : {int64_t{0}, n / 2, n - 1}) {
      Tensor x = make_input({{n}}, DType::kF32, 2);
      x.data<float>()[at] = NAN;
      if (at + 1 < n) x.data<float>()[n - 1] = NAN;
      EXPECT_EQ(argmax(x).item(), double(at));
      EXPECT_EQ(argmin(x).item(), double(at));
    }
}

TEST(Sort, Refuses) {
  Tensor x = zeros({2, 0}, DType::kF32), f8 = full({2}, 1, DType::kF8E4M3);
  EXPECT_NE(message_of([&] { argmax(x, 1); }).find("argmax: axis 1"), std::string::npos);
  EXPECT_NE(message_of([&] { argmin(x); }).find("argmin"), std::string::npos);
  EXPECT_EQ(argmax(x, 0).sizes(), Dims({0}));
  EXPECT_NE(message_of([&] { sort(f8); }).find("cast"), std::string::npos);
  EXPECT_NE(message_of([&] { sort(x, 2); }).find("sort: dim"), std::string::npos);
  EXPECT_NE(message_of([&] { topk(Tensor(), 1); }).find("undefined"), std::string::npos);
}

// Kind K01 (PyTorch #194082): an index beyond 2^31, in one row that repeats the same elements by stride 0.
TEST(ArgMax, BeyondTwoToThe31Elements) {
  constexpr int64_t kRepeats = (int64_t{1} << 21) + 1;
  if (process_memory().machine_available < (size_t{3} << 30)) GTEST_SKIP() << "needs 2.2 GB of memory";
  Tensor x = zeros({kRepeats * 1024}, DType::kI8);
  x.data<int8_t>()[kRepeats * 1024 - 1] = 1;
  EXPECT_EQ(to_int64s(argmax(x)), Ints{kRepeats * 1024 - 1});
}

}  // namespace
}  // namespace ingot
