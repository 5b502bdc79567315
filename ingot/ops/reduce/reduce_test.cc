#include "ingot/ops/reduce/reduce.h"

#include <gtest/gtest.h>

#include <cmath>

#include "ingot/base/error.h"
#include "ingot/base/message_test.h"
#include "ingot/device/cpu/memory.h"
#include "ingot/device/cpu/thread_pool.h"
#include "ingot/ops/copy/copy.h"
#include "ingot/ops/op_check.h"

namespace ingot {
namespace {

// Pitfall B05: ranks 1 to 8, strided, every subset of axes against a contiguous copy.
TEST(Reduce, StridedTensorsOfEveryRank) {
  Tensor buffer = make_input({{1 << 14}}, DType::kF64, 5);
  for (int rank = 1; rank <= 8; rank++) {
    Dims sizes, strides;
    int64_t step = 3;
    const int order[8] = {4, 0, 7, 2, 6, 1, 3, 5};
    for (int d = 0; d < rank; d++) sizes.push_back(d % 3 == 0 ? 3 : 2), strides.push_back(0);
    for (int k = 0; k < 8; k++)
      if (order[k] < rank) strides[order[k]] = step, step = step * sizes[order[k]] + (k == 2);
    Tensor x = buffer.as_strided(sizes, strides, 8), dense = contiguous(x);
    for (unsigned axes = 1; axes < (1u << rank); axes++) {
      Dims dim;
      for (int d = 0; d < rank; d++)
        if (axes >> d & 1u) dim.push_back(d);
      ASSERT_LT(relative_error(sum(x, dim), sum(dense, dim)), 1e-13) << dim.size();
      ASSERT_EQ(to_doubles(amax(x, dim)), to_doubles(amax(dense, dim)));
    }
  }
}

TEST(Reduce, TheStridesOfTheReport) {
  Tensor x = empty({65536}, DType::kI32);
  for (int i = 0; i < 65536; i++) x.data<int32_t>()[i] = i;
  Tensor v = x.as_strided({1, 1, 512, 64, 2}, {65536, 65536, 64, 1, 32768}, 0);
  EXPECT_EQ(to_int64s(sum(v)), (std::vector<int64_t>{int64_t{65535} * 32768}));
  EXPECT_EQ(to_int64s(amax(v)), (std::vector<int64_t>{65535}));
  for (int64_t d = 0; d < 5; d++) EXPECT_EQ(to_int64s(sum(v, {d})), to_int64s(sum(contiguous(v), {d})));
}

TEST(Reduce, LongSumsAreAccurate) {
  constexpr int64_t n = 10'000'000;
  Tensor x = empty({n}, DType::kF32);
  double exact = 0;
  for (int64_t i = 0; i < n; i++) exact += double(x.data<float>()[i] = 0.1f + float(i % 7) * 1e-3f);
  EXPECT_NEAR(sum(x).item() / exact, 1, 1e-6);
  EXPECT_NEAR(mean(x).item() / (exact / n), 1, 1e-6);
  EXPECT_NEAR(sum(x.view({n / 8, 8}), {0}).data<float>()[3] / (exact / 8), 1, 1e-2);
  EXPECT_NEAR(sum(sum(x.view({n / 8, 8}), {0})).item() / exact, 1, 1e-6);
  EXPECT_NEAR(sum(full({1 << 20}, 1, DType::kBF16)).item(), 1 << 20, 0);
}

TEST(Reduce, IntegersWidenAndStayExact) {
  int64_t big = (int64_t{1} << 53) + 1;
  EXPECT_EQ(to_int64s(sum(tensor_of(std::vector<int64_t>{big, 1, 1}, {3}))), (std::vector<int64_t>{big + 2}));
  EXPECT_EQ(sum(full({300}, 127, DType::kI8)).dtype(), DType::kI64);
  EXPECT_EQ(to_int64s(sum(full({300}, 127, DType::kI8))), (std::vector<int64_t>{38100}));
  EXPECT_EQ(to_int64s(sum(full({3}, INT32_MAX, DType::kI32))), (std::vector<int64_t>{int64_t{3} * INT32_MAX}));
  EXPECT_EQ(to_int64s(sum(full({5}, 1, DType::kBool))), (std::vector<int64_t>{5}));
  EXPECT_EQ(to_int64s(amin(tensor_of(std::vector<int64_t>{big, big + 1}, {2}))), (std::vector<int64_t>{big}));
}

// Pitfall B30: quiet rows, with and without an offset a thousand times larger.
TEST(Reduce, VarianceOfQuietRows) {
  for (float offset : {0.0f, 1000.0f}) {
    std::vector<float> v = {offset - 9.9e-4f, offset - 9.9e-4f, offset + 9.9e-4f, offset + 9.9e-4f};
    double mean = 0, exact = 0;
    for (float x : v) mean += double(x) / 4;
    for (float x : v) exact += (x - mean) * (x - mean) / 4;
    EXPECT_NEAR(var(tensor_of(v, {4}), {}, 0).item() / exact, 1, 1e-5);
    EXPECT_NEAR(var(tensor_of(v, {4, 1}).expand({4, 8}), {0}, 0).select(0, 3).item() / exact, 1, 1e-5);
  }
  EXPECT_TRUE(std::isnan(var(zeros({1}, DType::kF32)).item()));
  EXPECT_TRUE(std::isinf(var(tensor_of(std::vector<float>{1, 2}, {2}), {}, 5).item()));
  EXPECT_EQ(var(full({4096}, 3.3, DType::kF32)).item(), 0);
  EXPECT_TRUE(std::isnan(var(tensor_of(std::vector<float>{1, INFINITY}, {2})).item()));
}

// Pitfall B32: axis lengths around a work-group.
TEST(Reduce, LengthsAroundTheChunks) {
  for (int64_t n : {1, 1023, 1024, 1025, 4097, 5000, 65535, 65536, 65537, 131073}) {
    Tensor x = make_input({{n}}, DType::kF32, uint64_t(n)), d = to(x, DType::kF64);
    EXPECT_NEAR(sum(x).item(), sum(d).item(), 1e-6 * double(n)) << n;
    if (n > 1) {
      EXPECT_LT(relative_error(var(x), var(d)), 1e-5) << n;
    }
    EXPECT_EQ(amax(x).item(), amax(d).item());
  }
}

TEST(Reduce, NaNAnywhereIsFound) {
  for (int64_t n : {1, 7, 16, 65, 1000, 70000})
    for (int64_t at : {int64_t{0}, n / 2, n - 1}) {
      Tensor x = full({n}, 1, DType::kF32);
      x.data<float>()[at] = NAN;
      EXPECT_TRUE(std::isnan(amax(x).item()) && std::isnan(amin(x).item()) && std::isnan(sum(x).item()))
          << n << " " << at;
      EXPECT_TRUE(std::isnan(amax(x.view({n, 1}).expand({n, 5}), {0}).select(0, 4).item()));
      EXPECT_TRUE(all(x).item() == 1);
    }
}

TEST(Reduce, LogSumExpEdges) {
  double inf = INFINITY;
  EXPECT_EQ(logsumexp(full({5}, -inf, DType::kF32)).item(), -inf);
  EXPECT_EQ(logsumexp(tensor_of(std::vector<float>{1, float(inf), float(-inf)}, {3})).item(), inf);
  EXPECT_TRUE(std::isnan(logsumexp(tensor_of(std::vector<float>{1, NAN}, {2})).item()));
  EXPECT_NEAR(logsumexp(full({4}, 1e30, DType::kF32)).item(), 1e30, 1e24);
  EXPECT_EQ(logsumexp(zeros({0}, DType::kF32)).item(), -inf);
}

TEST(Reduce, OfNothing) {
  Tensor x = zeros({2, 0, 3}, DType::kF32);
  EXPECT_EQ(to_doubles(sum(x, {1})), std::vector<double>(6, 0));
  EXPECT_EQ(to_doubles(prod(x, {1})), std::vector<double>(6, 1));
  EXPECT_TRUE(std::isnan(mean(x).item()));
  EXPECT_TRUE(std::isnan(var(x).item()));
  EXPECT_EQ(any(x).item(), 0);
  EXPECT_EQ(all(x).item(), 1);
  EXPECT_EQ(sum(x, {0}).sizes(), Dims({0, 3}));
  EXPECT_EQ(amax(x, {0}).sizes(), Dims({0, 3}));
  EXPECT_NE(message_of([&] { amax(x, {1}); }).find("amax: axis 1"), std::string::npos);
  EXPECT_NE(message_of([&] { amin(x); }).find("amin: axis 1"), std::string::npos);
}

TEST(Reduce, BitEqualForEveryNumberOfThreads) {
  int before = num_threads();
  Tensor x = make_input({{200000, 5}}, DType::kF32, 9);
  auto results = [&] {
    std::vector<double> v = to_doubles(sum(x, {0}));
    for (double d : {sum(x).item(), var(x).item(), logsumexp(x).item(), sum(x.t(), {1}).select(0, 2).item()})
      v.push_back(d);
    return v;
  };
  set_num_threads(1);
  std::vector<double> one = results();
  for (int threads : {2, 3, 7}) {
    set_num_threads(threads);
    EXPECT_EQ(results(), one);
  }
  set_num_threads(before);
}

TEST(Reduce, Refuses) {
  Tensor x = zeros({2, 3}, DType::kF32), i = zeros({2}, DType::kI32);
  EXPECT_NE(message_of([&] { mean(i); }).find("mean"), std::string::npos);
  EXPECT_NE(message_of([&] { var(i); }).find("var"), std::string::npos);
  EXPECT_NE(message_of([&] { logsumexp(i); }).find("logsumexp"), std::string::npos);
  EXPECT_NE(message_of([&] { sum(x, {2}); }).find("dim"), std::string::npos);
  EXPECT_NE(message_of([&] { sum(x, {1, -1}); }).find("once"), std::string::npos);
  EXPECT_NE(message_of([&] { sum(full({2}, 1, DType::kF8E4M3)); }).find("cast"), std::string::npos);
  EXPECT_NE(message_of([&] { sum(Tensor()); }).find("undefined"), std::string::npos);
}

// Kind K01: more than 2^31 elements, seen through stride 0.
TEST(Reduce, BeyondTwoToThe31Elements) {
  Tensor row = full({1 << 16}, 1, DType::kI8);
  row.data<int8_t>()[5] = 3;
  Tensor x = row.expand({(int64_t{1} << 15) + 1, 1 << 16});
  EXPECT_EQ(to_int64s(sum(x)), (std::vector<int64_t>{((int64_t{1} << 15) + 1) * ((1 << 16) + 2)}));
}

}  // namespace
}  // namespace ingot
