#include "ingot/ops/join/join.h"

#include <gtest/gtest.h>

#include "ingot/base/error.h"
#include "ingot/device/cpu/memory.h"

namespace ingot {
namespace {

TEST(Join, PromotesAndSkipsOldEmpties) {
  Tensor y = cat({tensor_of<int32_t>({1, 2}, {2}), tensor_of<float>({0.5f}, {1})});
  EXPECT_EQ(y.dtype(), DType::kF32);
  EXPECT_EQ(to_doubles(y), (std::vector<double>{1, 2, 0.5}));
  EXPECT_EQ(cat({zeros({0}, DType::kF32), zeros({2, 3}, DType::kI32)}).dtype(), DType::kF32);
  EXPECT_EQ(cat({zeros({0}, DType::kI8), zeros({0}, DType::kI8)}, 5).sizes(), Dims({0}));
  EXPECT_EQ(stack({tensor_of<bool>({true}, {1}), tensor_of<int64_t>({7}, {1})}).dtype(), DType::kI64);
  Tensor f8 = cat({zeros({2}, DType::kF8E4M3), zeros({1}, DType::kF8E4M3)});
  EXPECT_EQ(f8.dtype(), DType::kF8E4M3);
  EXPECT_THROW(cat({f8, zeros({1}, DType::kF32)}), Error);
}

TEST(Join, AListInAVariableWithALiteralAxis) {
  std::vector<Tensor> list = {zeros({2, 1}, DType::kF32), zeros({2, 2}, DType::kF32)};
  EXPECT_EQ(cat(list, 1).sizes(), Dims({2, 3}));
}

TEST(Join, LargeIntegersStayExact) {
  int64_t big = (int64_t{1} << 62) + 1;
  EXPECT_EQ(to_int64s(cat({tensor_of<int64_t>({big}, {1}), tensor_of<int8_t>({-1}, {1})})),
            (std::vector<int64_t>{big, -1}));
}

// A result past 2^31 elements: the last row is right.
TEST(Join, MoreThan2To31Elements) {
  if (process_memory().machine_available < (size_t{4} << 30)) GTEST_SKIP() << "needs 2.2 GB";
  constexpr int64_t kRows = 32769, kCols = 32768;
  Tensor one = full({1, 1}, 1, DType::kI8).expand({kRows, kCols}),
         two = full({1, 1}, 2, DType::kI8).expand({kRows, kCols});
  Tensor y = cat({one, two}, 1);
  ASSERT_EQ(y.sizes(), Dims({kRows, 2 * kCols}));
  const int8_t* p = y.data<int8_t>();
  for (int64_t r : {int64_t{0}, int64_t{16383}, int64_t{32767}, kRows - 1})
    for (int64_t c = 0; c < 2 * kCols; c++) ASSERT_EQ(p[r * 2 * kCols + c], c < kCols ? 1 : 2) << r << " " << c;
  empty_cpu_cache();
}

TEST(Join, PiecesAreViews) {
  Tensor x = tensor_of<float>({0, 1, 2, 3, 4, 5}, {2, 3});
  std::vector<Tensor> a = split(x, 2, 1), b = split(x, std::vector<int64_t>{1, 2}, -1), c = chunk(x, 2, 0);
  EXPECT_EQ(a.size(), 2u);
  EXPECT_EQ(to_doubles(a[1]), (std::vector<double>{2, 5}));
  EXPECT_EQ(b[1].storage(), x.storage());
  EXPECT_EQ(to_doubles(c[1]), (std::vector<double>{3, 4, 5}));
  EXPECT_EQ(chunk(x, 5, 1).size(), 3u);
  EXPECT_EQ(chunk(zeros({0}, DType::kF32), 3).size(), 3u);
  EXPECT_EQ(split(x, INT64_MAX, 0).size(), 1u);
  EXPECT_EQ(chunk(x, INT64_MAX, 0).size(), 2u);
}

TEST(Join, Errors) {
  Tensor x = zeros({2, 3}, DType::kF32);
  EXPECT_THROW(cat({}), Error);
  EXPECT_THROW(cat({x, Tensor()}), Error);
  EXPECT_THROW(cat({x, zeros({3, 2}, DType::kF32)}), Error);
  EXPECT_THROW(cat({x, zeros({2}, DType::kF32)}), Error);
  EXPECT_THROW(cat({x}, 2), Error);
  EXPECT_THROW(cat({zeros({}, DType::kF32)}), Error);
  EXPECT_THROW(stack({x, zeros({2, 2}, DType::kF32)}), Error);
  EXPECT_THROW(stack({x}, 3), Error);
  EXPECT_THROW(stack({zeros({1, 1, 1, 1, 1, 1, 1, 1}, DType::kF32)}), Error);
  EXPECT_THROW(split(x, 0), Error);
  EXPECT_THROW(split(x, -1), Error);
  EXPECT_THROW(split(x, std::vector<int64_t>{1, 2}, 0), Error);
  EXPECT_THROW(split(x, std::vector<int64_t>{-1, 3}, 0), Error);
  EXPECT_THROW(split(x, std::vector<int64_t>{INT64_MAX, INT64_MAX, 4}, 0), Error);
  EXPECT_THROW(chunk(x, 0), Error);
  EXPECT_THROW(split(zeros({}, DType::kF32), 1), Error);
}

}  // namespace
}  // namespace ingot
