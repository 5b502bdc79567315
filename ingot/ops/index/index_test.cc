#include "ingot/ops/index/index.h"

#include <gtest/gtest.h>

#include <functional>

#include "ingot/base/error.h"
#include "ingot/device/cpu/memory.h"
#include "ingot/device/cpu/thread_pool.h"
#include "ingot/ops/op_check.h"

namespace ingot {
namespace {

void expect_index_error(const std::string& parts, const std::function<void()>& f) {
  try {
    f();
    ADD_FAILURE() << "no error; expected " << parts;
  } catch (const Error& e) {
    EXPECT_EQ(e.kind(), ErrorKind::kIndex) << e.what();
    EXPECT_NE(std::string(e.what()).find(parts), std::string::npos) << e.what();
  }
}

TEST(Index, OutsideIsAnErrorNamingIndexAxisAndSize) {
  Tensor ones = full({4, 4}, 1, DType::kF32), x = zeros({3, 2}, DType::kF32);
  auto at = [](int64_t i) { return tensor_of<int64_t>({i}, {1}); };
  expect_index_error("index 4 is outside axis 0 of size 4", [&] { index_select(ones, 0, at(4)); });
  expect_index_error("index -5 is outside axis 1 of size 4", [&] { index_select(ones, 1, at(-5)); });
  expect_index_error("index 2 is outside axis 1 of size 2", [&] { gather(x, 1, tensor_of<int64_t>({2, 0}, {1, 2})); });
  expect_index_error("index 4 is outside axis 0 of size 4", [&] { embedding(at(4), ones); });
  expect_index_error("index -1 is outside axis 0 of size 4", [&] { embedding(at(-1), ones); });
  expect_index_error("index 3", [&] {
    scatter_add(x, 0, tensor_of<int64_t>({0, 3}, {1, 2}), full({1, 2}, 1, DType::kF32));
  });
  expect_index_error("index 9", [&] { index_add(x, 0, at(9), full({1, 2}, 1, DType::kF32)); });
  expect_index_error("index 9223372036854775807", [&] { embedding(at(INT64_MAX), ones); });
  expect_index_error("index -9223372036854775808", [&] { gather(x, 0, tensor_of<int64_t>({INT64_MIN}, {1, 1})); });
  expect_index_error("index 0 is outside axis 0 of size 0", [&] {
    index_select(zeros({0, 3}, DType::kF32), 0, at(0));
  });
  expect_index_error("index 0 is outside axis 0 of size 0", [&] { embedding(at(0), zeros({0, 3}, DType::kF32)); });
  expect_index_error("index 7", [&] { index_select(zeros({5, 0}, DType::kF32), 0, at(7)); });
}

TEST(Index, OnAGpuTheErrorComesWithTheNextSynchronisation) {
  constexpr Device kSim{DeviceKind::kSim, 0};
  Tensor x = zeros({3, 2}, DType::kF32, kSim), row = full({1, 2}, 1, DType::kF32, kSim);
  auto at = [&](int64_t i, const Dims& sizes) {
    return tensor_of<int64_t>(std::vector(size_t(numel(sizes)), i), sizes, kSim);
  };
  expect_index_error("index_select: index 3 is outside axis 0 of size 3",
                     [&] { index_select(x, 0, at(3, {1})).cpu(); });
  expect_index_error("gather: index -3 is outside axis 1 of size 2", [&] { gather(x, 1, at(-3, {1, 2})).cpu(); });
  expect_index_error("embedding: index -1 is outside axis 0 of size 3", [&] { embedding(at(-1, {1}), x).cpu(); });
  expect_index_error("scatter_add: index 3", [&] { scatter_add(x, 0, at(3, {1, 2}), row).cpu(); });
  expect_index_error("index_add: index 9", [&] { index_add(x, 0, at(9, {1}), row).cpu(); });
  EXPECT_EQ(to_doubles(index_add(x, 0, at(1, {1}), row)), (std::vector<double>{0, 0, 1, 1, 0, 0}));
}

TEST(Index, NegativeCountsFromTheEnd) {
  Tensor x = tensor_of<float>({1, 2, 3}, {3});
  EXPECT_EQ(to_doubles(gather(x, 0, tensor_of<int64_t>({-1, 0, -3}, {3}))), (std::vector<double>{3, 1, 1}));
  EXPECT_EQ(to_doubles(index_select(x, 0, tensor_of<int32_t>({-2}, {1}))), (std::vector<double>{2}));
}

// A table past 2^31 elements: rows on both sides of the edge. Only the pages of those rows are touched.
TEST(Index, TableBeyond2To31Elements) {
  constexpr int64_t kRows = 262144, kCols = 10752;
  if (process_memory().machine_available < (size_t{5} << 30)) GTEST_SKIP() << "needs 2.8 GB";
  Tensor table = empty({kRows, kCols}, DType::kI8);
  std::vector<int64_t> ids = {0, 199728, 199729, 262143};
  for (int64_t id : ids) std::fill_n(table.data<int8_t>() + id * kCols, kCols, int8_t{1});
  Tensor y = embedding(tensor_of(ids, {4}), table), z = index_select(table, 0, tensor_of(ids, {4}));
  for (const Tensor& t : {y, z})
    for (int64_t i = 0; i < t.numel(); i++) ASSERT_EQ(t.data<int8_t>()[i], 1) << i;
  Tensor g = gather(table, 0, tensor_of<int64_t>({262143, 199729}, {2, 1}));
  EXPECT_EQ(to_int64s(g), (std::vector<int64_t>{1, 1}));
  table = y = z = Tensor();
  empty_cpu_cache();
}

TEST(Index, RepeatedIndicesAddUpInOrderOnAnyNumberOfThreads) {
  Tensor x = zeros({3, 200}, DType::kF32), src = make_input({{5000, 200}}, DType::kF32, 1);
  Tensor index = make_input({{5000}, Fill::kIndex, DType::kI64, 0, 3}, DType::kI64, 2);
  int before = num_threads();
  set_num_threads(1);
  Tensor one = index_add(x, 0, index, src);
  set_num_threads(5);
  Tensor five = index_add(x, 0, index, src);
  set_num_threads(before);
  EXPECT_EQ(to_doubles(one), to_doubles(five));
  // Halves: 2048 + 1 + 1 ... in f16 would stay at 2048.
  Tensor h = index_add(full({1}, 2048, DType::kF16), 0, zeros({8}, DType::kI64), full({8}, 1, DType::kF16));
  EXPECT_EQ(to_doubles(h), (std::vector<double>{2056}));
}

TEST(Index, IntegersStayExactAndWrap) {
  Tensor x = tensor_of<int64_t>({(int64_t{1} << 60) + 1, INT64_MAX}, {2});
  EXPECT_EQ(to_int64s(index_add(x, 0, tensor_of<int64_t>({0, 1}, {2}), tensor_of<int64_t>({1, 1}, {2}))),
            (std::vector<int64_t>{(int64_t{1} << 60) + 2, INT64_MIN}));
  EXPECT_EQ(to_int64s(index_add(tensor_of<uint8_t>({250}, {1}), 0, tensor_of<int64_t>({0}, {1}),
                                tensor_of<uint8_t>({3}, {1}), 2)),
            (std::vector<int64_t>{0}));
}

TEST(Index, ScalarsAndOtherDTypes) {
  Tensor s = tensor_of<float>({5}, {});
  EXPECT_EQ(to_doubles(index_select(s, 0, tensor_of<int64_t>({0}, {}))), (std::vector<double>{5}));
  EXPECT_EQ(to_doubles(gather(s, 0, tensor_of<int64_t>({0}, {}))), (std::vector<double>{5}));
  EXPECT_EQ(to_doubles(scatter_add(s, 0, tensor_of<int64_t>({0}, {}), s)), (std::vector<double>{10}));
  Tensor f8 = full({3, 2}, 1.5, DType::kF8E4M3);
  EXPECT_EQ(embedding(tensor_of<int64_t>({1}, {1}), f8).dtype(), DType::kF8E4M3);
}

TEST(Index, Errors) {
  Tensor x = zeros({3, 2}, DType::kF32), i = zeros({3, 2}, DType::kI64);
  EXPECT_THROW(gather(x, 2, i), Error);
  EXPECT_THROW(gather(x, 0, zeros({3}, DType::kI64)), Error);
  EXPECT_THROW(gather(x, 0, zeros({3, 3}, DType::kI64)), Error);
  EXPECT_THROW(gather(x, 0, zeros({3, 2}, DType::kF32)), Error);
  EXPECT_THROW(embedding(i, zeros({3}, DType::kF32)), Error);
  EXPECT_THROW(embedding(zeros({2}, DType::kF32), x), Error);
  EXPECT_THROW(index_select(x, 0, i), Error);
  EXPECT_THROW(scatter_add(x, 0, i, zeros({2, 2}, DType::kF32)), Error);
  EXPECT_THROW(scatter_add(x, 0, i, zeros({3, 2}, DType::kF16)), Error);
  EXPECT_THROW(scatter_add(zeros({3, 2}, DType::kF8E4M3), 0, i, zeros({3, 2}, DType::kF8E4M3)), Error);
  EXPECT_THROW(index_add(x, 0, zeros({2}, DType::kI64), zeros({3, 2}, DType::kF32)), Error);
  EXPECT_THROW(index_add(i, 0, zeros({3}, DType::kI64), i, 0.5), Error);
  EXPECT_THROW(embedding({}, x), Error);
}

}  // namespace
}  // namespace ingot
