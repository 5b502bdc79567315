#include "ingot/ops/softmax/softmax.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "ingot/base/error.h"
#include "ingot/device/cpu/thread_pool.h"
#include "ingot/ops/copy/copy.h"
#include "ingot/ops/op_check.h"

namespace ingot {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

std::string message_of(const Tensor& x, int64_t dim, std::optional<DType> dtype = {}) {
  try {
    softmax(x, dim, dtype);
  } catch (const Error& e) {
    return e.what();
  }
  return "no error";
}

// Pitfall B11: one rule at every length.
TEST(Softmax, AllMaskedRowIsNaNAtEveryLength) {
  for (DType dtype : {DType::kF16, DType::kBF16, DType::kF32, DType::kF64})
    for (int64_t n : {1, 2, 127, 128, 4095, 4096, 4097, 20000})
      for (auto f : {softmax, log_softmax})
        for (double v : to_doubles(f(full({n}, -kInf, dtype), 0, {}))) ASSERT_TRUE(std::isnan(v)) << n;
}

TEST(Softmax, MaskedEntriesBesideFiniteOnes) {
  for (int64_t n : {3, 4097, 9000}) {
    Tensor x = full({n}, -kInf, DType::kF32);
    x.data<float>()[n - 1] = 5;
    std::vector<double> y = to_doubles(softmax(x, 0)), z = to_doubles(log_softmax(x, 0));
    for (int64_t i = 0; i < n - 1; i++) {
      ASSERT_EQ(y[size_t(i)], 0);
      ASSERT_EQ(z[size_t(i)], -kInf);
    }
    EXPECT_EQ(y.back(), 1);
    EXPECT_EQ(z.back(), 0);
  }
}

TEST(Softmax, OneNaNOrInfinityTakesTheRow) {
  for (int64_t n : {5, 4097, 9000})
    for (int64_t at : {int64_t{0}, n - 1})
      for (double special : {double(NAN), kInf}) {
        Tensor x = full({n}, -kInf, DType::kF32);
        for (int64_t i = 0; i < n / 2; i++) x.data<float>()[i] = 1;
        x.data<float>()[at] = float(special);
        for (auto f : {softmax, log_softmax})
          for (double v : to_doubles(f(x, 0, {}))) ASSERT_TRUE(std::isnan(v));
      }
}

TEST(Softmax, HugeSpreadDoesNotOverflow) {
  Tensor x = tensor_of(std::vector<float>{3e38f, -3e38f, 3e38f}, {3});
  EXPECT_EQ(to_doubles(softmax(x, 0)), (std::vector<double>{0.5, 0, 0.5}));
}

TEST(Softmax, BitEqualForEveryNumberOfThreads) {
  int before = num_threads();
  for (DType dtype : {DType::kF32, DType::kBF16}) {
    for (Dims sizes : {Dims{1, 128256}, Dims{5, 9001}, Dims{300, 129}}) {
      Tensor x = make_input({sizes}, dtype, 7);
      set_num_threads(1);
      std::vector<double> one = to_doubles(softmax(x, -1));
      for (int threads : {2, 3, 8}) {
        set_num_threads(threads);
        EXPECT_EQ(to_doubles(softmax(x, -1)), one);
      }
    }
  }
  set_num_threads(before);
}

TEST(Softmax, DTypeArgumentReadsTheInputUnrounded) {
  Tensor x = tensor_of(std::vector<float>{0, 1e-3f, 5, -2}, {4});
  Tensor y = softmax(to(x, DType::kBF16), 0, DType::kF32);
  EXPECT_EQ(y.dtype(), DType::kF32);
  EXPECT_LT(relative_error(y, to(softmax(to(to(x, DType::kBF16), DType::kF64), 0), DType::kF64)), 1e-6);
  Tensor z = softmax(x, 0, DType::kBF16);
  EXPECT_EQ(to_doubles(z), to_doubles(to(softmax(x, 0), DType::kBF16)));
  EXPECT_LT(relative_error(softmax(x, 0, DType::kF64), softmax(to(x, DType::kF64), 0)), 1e-15);
}

TEST(Softmax, EmptyAndScalar) {
  EXPECT_EQ(softmax(zeros({0, 3}, DType::kF32), 1).sizes(), Dims({0, 3}));
  EXPECT_EQ(softmax(zeros({3, 0}, DType::kF32), 1).sizes(), Dims({3, 0}));
  EXPECT_EQ(softmax(full({}, 7, DType::kF32), 0).item(), 1);
  EXPECT_EQ(log_softmax(full({}, 7, DType::kF32), -1).item(), 0);
}

TEST(Softmax, Refuses) {
  Tensor x = zeros({2, 3}, DType::kF32);
  EXPECT_NE(message_of(x, 2).find("softmax: dim"), std::string::npos);
  EXPECT_NE(message_of(Tensor(), 0).find("undefined"), std::string::npos);
  EXPECT_NE(message_of(zeros({2}, DType::kF8E4M3), 0).find("cast"), std::string::npos);
  EXPECT_NE(message_of(zeros({2}, DType::kI32), 0).find("i32"), std::string::npos);
  EXPECT_NE(message_of(x, 0, DType::kI64).find("dtype"), std::string::npos);
}

}  // namespace
}  // namespace ingot
