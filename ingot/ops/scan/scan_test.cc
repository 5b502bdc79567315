#include "ingot/ops/scan/scan.h"

#include <gtest/gtest.h>

#include <cmath>

#include "ingot/base/error.h"
#include "ingot/device/cpu/thread_pool.h"
#include "ingot/ops/op_check.h"

namespace ingot {
namespace {

std::string message_of(const Tensor& x, int64_t dim) {
  try {
    cumsum(x, dim);
  } catch (const Error& e) {
    return e.what();
  }
  return "no error";
}

TEST(Scan, IntegersWiden) {
  EXPECT_EQ(to_int64s(cumsum(full({3}, 127, DType::kI8), 0)), (std::vector<int64_t>{127, 254, 381}));
  EXPECT_EQ(to_int64s(cumprod(full({3}, 100000, DType::kI32), 0)),
            (std::vector<int64_t>{100000, 10000000000, 1000000000000000}));
  int64_t big = (int64_t{1} << 53) + 1;
  EXPECT_EQ(to_int64s(cumsum(tensor_of(std::vector<int64_t>{big, 1}, {2}), 0)), (std::vector<int64_t>{big, big + 1}));
}

TEST(Scan, HalvesDoNotStall) {
  // A running bf16 sum of ones would stop at 256.
  Tensor y = cumsum(full({5000}, 1, DType::kBF16), 0);
  EXPECT_EQ(y.select(0, 4095).item(), 4096);
}

TEST(Scan, NaNStays) {
  Tensor y = cumsum(tensor_of(std::vector<float>{1, NAN, 2}, {3}), 0);
  EXPECT_EQ(y.data<float>()[0], 1);
  EXPECT_TRUE(std::isnan(y.data<float>()[1]) && std::isnan(y.data<float>()[2]));
}

TEST(Scan, BitEqualForEveryNumberOfThreads) {
  int before = num_threads();
  Tensor x = make_input({{1, 300001}}, DType::kF32, 1);
  set_num_threads(1);
  std::vector<double> one = to_doubles(cumsum(x, 1));
  for (int threads : {2, 5}) {
    set_num_threads(threads);
    EXPECT_EQ(to_doubles(cumsum(x, 1)), one);
  }
  set_num_threads(before);
}

TEST(Scan, Refuses) {
  EXPECT_NE(message_of(zeros({2}, DType::kF32), 1).find("cumsum: dim"), std::string::npos);
  EXPECT_NE(message_of(full({2}, 1, DType::kF8E4M3), 0).find("cast"), std::string::npos);
  EXPECT_NE(message_of(Tensor(), 0).find("undefined"), std::string::npos);
}

}  // namespace
}  // namespace ingot
