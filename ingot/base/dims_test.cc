#include "ingot/base/dims.h"

#include <gtest/gtest.h>

#include <functional>
#include <vector>

#include "ingot/base/error.h"

namespace ingot {
namespace {

std::string message_of(const std::function<void()>& f) {
  try {
    f();
  } catch (const Error& e) {
    return e.what();
  }
  return "no error";
}

TEST(DimsClass, HoldsUpToEight) {
  Dims d{1, 2, 3, 4, 5, 6, 7, 8};
  EXPECT_EQ(d.size(), 8);
  EXPECT_EQ(d.back(), 8);
  EXPECT_THROW(d.push_back(9), Error);
  EXPECT_THROW(d.insert(0, 9), Error);
  EXPECT_EQ(d, (Dims{1, 2, 3, 4, 5, 6, 7, 8})) << "a refused change leaves it as it was";
  EXPECT_THROW((Dims{1, 2, 3, 4, 5, 6, 7, 8, 9}), Error);
  EXPECT_THROW(Dims::filled(9, 1), Error);
  EXPECT_EQ(message_of([] { Dims(std::vector<int64_t>(100, 1)); }),
            "shape: number of dimensions: expected at most 8, got 100");
}

TEST(DimsClass, InsertsAndErases) {
  Dims d{1, 2, 3};
  d.insert(0, 9);
  d.insert(4, 8);
  d.insert(2, 7);
  EXPECT_EQ(d, (Dims{9, 1, 7, 2, 3, 8}));
  d.erase(5);
  d.erase(0);
  d.erase(1);
  EXPECT_EQ(d, (Dims{1, 2, 3}));
  EXPECT_NE(d, (Dims{1, 2}));
  EXPECT_NE(d, (Dims{1, 2, 4}));
  EXPECT_TRUE(Dims{}.empty());
  EXPECT_EQ(Dims::filled(3, 5), (Dims{5, 5, 5}));
}

TEST(Numel, MultipliesWithoutOverflow) {
  EXPECT_EQ(numel({}), 1);
  EXPECT_EQ(numel({2, 3, 4}), 24);
  EXPECT_EQ(numel({2, 0, 4}), 0);
  EXPECT_EQ(numel({int64_t{1} << 62}), int64_t{1} << 62);
  EXPECT_EQ(numel({int64_t{1} << 31, int64_t{1} << 31}), int64_t{1} << 62);
  EXPECT_THROW(numel({int64_t{1} << 32, int64_t{1} << 31}), Error);
  EXPECT_THROW(numel({INT64_MAX, INT64_MAX}), Error);
  EXPECT_THROW(numel({0, INT64_MAX, INT64_MAX}), Error) << "a zero does not hide an absurd shape";
  EXPECT_EQ(message_of([] { numel({2, -1}, "reshape"); }), "reshape: size: expected no negative size, got [2, -1]");
  EXPECT_THROW(numel({INT64_MIN}), Error);
}

TEST(ContiguousStrides, LastIsFastest) {
  EXPECT_EQ(contiguous_strides({}), Dims{});
  EXPECT_EQ(contiguous_strides({5}), (Dims{1}));
  EXPECT_EQ(contiguous_strides({2, 3, 4}), (Dims{12, 4, 1}));
  EXPECT_EQ(contiguous_strides({2, 0, 4}), (Dims{4, 4, 1}));
}

TEST(NormalizeDim, CountsFromBothEnds) {
  EXPECT_EQ(normalize_dim("f", 2, 3), 2);
  EXPECT_EQ(normalize_dim("f", -3, 3), 0);
  EXPECT_EQ(normalize_dim("f", 0, 0), 0);
  EXPECT_EQ(normalize_dim("f", -1, 0), 0);
  EXPECT_THROW(normalize_dim("f", 1, 0), Error);
  EXPECT_EQ(message_of([] { normalize_dim("softmax", 5, 3); }), "softmax: dim: expected a value in [-3, 3), got 5");
  EXPECT_THROW(normalize_dim("f", INT64_MIN, 3), Error);
  EXPECT_THROW(normalize_dim("f", INT64_MAX, 3), Error);
}

TEST(Broadcast, ShapesFitAsInNumPy) {
  EXPECT_EQ(broadcast_shapes("add", {}, {2, 3}), (Dims{2, 3}));
  EXPECT_EQ(broadcast_shapes("add", {3}, {2, 1}), (Dims{2, 3}));
  EXPECT_EQ(broadcast_shapes("add", {4, 1, 3}, {2, 1}), (Dims{4, 2, 3}));
  EXPECT_EQ(broadcast_shapes("add", {1}, {0}), (Dims{0}));
  EXPECT_EQ(broadcast_shapes("add", {0, 1}, {1, 5}), (Dims{0, 5}));
  EXPECT_EQ(message_of([] {
              broadcast_shapes("add", {2, 3}, {4});
            }),
            "add: shapes [2, 3] and [4] do not broadcast: sizes 3 and 4");
  EXPECT_THROW(broadcast_shapes("add", {0}, {3}), Error);
}

TEST(Broadcast, StridesAreZeroWhereRepeated) {
  EXPECT_EQ(broadcast_strides({3, 1}, {1, 7}, {2, 3, 4}), (Dims{0, 1, 0}));
  EXPECT_EQ(broadcast_strides({3, 1}, {1, 7}, {3, 1}), (Dims{1, 7}));
  EXPECT_EQ(broadcast_strides({}, {}, {2, 2}), (Dims{0, 0}));
}

}  // namespace
}  // namespace ingot
