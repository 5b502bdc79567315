// Random views against naive indexing.
#include "ingot/base/strided_loop.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <vector>

namespace ingot {
namespace {

using Offsets = std::array<int64_t, kMaxOperands>;

// The operands' offsets of every element, in index order.
std::vector<Offsets> naive(const Dims& sizes, const std::vector<Dims>& strides) {
  std::vector<Offsets> all;
  int64_t n = numel(sizes);
  for (int64_t i = 0; i < n; i++) {
    Offsets at{};
    int64_t rest = i;
    for (int d = sizes.size() - 1; d >= 0; d--) {
      for (size_t k = 0; k < strides.size(); k++) at[k] += rest % sizes[d] * strides[k][d];
      rest /= sizes[d];
    }
    all.push_back(at);
  }
  return all;
}

// The same through the loop, its rows taken in ranges of random length.
std::vector<Offsets> walked(const StridedLoop& loop, std::mt19937& random) {
  std::vector<Offsets> all;
  for (int64_t begin = 0; begin < loop.rows;) {
    int64_t end = std::min<int64_t>(loop.rows, begin + 1 + random() % 7);
    loop.for_rows(begin, end, [&](const Offsets& row) {
      for (int64_t i = 0; i < loop.inner; i++) {
        Offsets at{};
        for (int k = 0; k < loop.operands; k++) at[k] = row[k] + i * loop.inner_stride(k);
        all.push_back(at);
      }
    });
    begin = end;
  }
  return all;
}

StridedLoop make(const Dims& sizes, const std::vector<Dims>& s, bool keep_order) {
  switch (s.size()) {
    case 1:
      return make_strided_loop(sizes, {s[0]}, keep_order);
    case 2:
      return make_strided_loop(sizes, {s[0], s[1]}, keep_order);
    case 3:
      return make_strided_loop(sizes, {s[0], s[1], s[2]}, keep_order);
    default:
      return make_strided_loop(sizes, {s[0], s[1], s[2], s[3]}, keep_order);
  }
}

// Strides of a random view: dimensions permuted in memory, padded, repeated (0) or reversed.
Dims random_strides(const Dims& sizes, std::mt19937& random) {
  std::vector<int> order(size_t(sizes.size()));
  for (size_t i = 0; i < order.size(); i++) order[i] = int(i);
  if (random() % 2) std::shuffle(order.begin(), order.end(), random);
  Dims strides = Dims::filled(sizes.size(), 0);
  int64_t step = 1;
  for (size_t i = order.size(); i-- > 0;) {
    if (random() % 6 == 0) step += random() % 3;
    strides[order[i]] = random() % 8 == 0 ? 0 : random() % 8 == 0 ? -step : step;
    step *= std::max<int64_t>(sizes[order[i]], 1);
  }
  return strides;
}

TEST(StridedLoopWalk, VisitsWhatNaiveIndexingVisits) {
  std::mt19937 random(7);
  for (int round = 0; round < 4000; round++) {
    Dims sizes;
    for (int d = 0, rank = int(random() % 9); d < rank; d++)
      sizes.push_back(random() % 40 == 0 ? 0 : random() % 3 == 0 ? 1 : 1 + random() % 4);
    std::vector<Dims> strides(1 + random() % 4);
    for (Dims& s : strides) s = random_strides(sizes, random);
    std::vector<Offsets> want = naive(sizes, strides);
    StridedLoop ordered = make(sizes, strides, true), sorted = make(sizes, strides, false);
    ASSERT_EQ(ordered.rows * ordered.inner, numel(sizes)) << cat(sizes);
    ASSERT_EQ(walked(ordered, random), want) << cat(sizes);
    std::vector<Offsets> got = walked(sorted, random);
    std::sort(got.begin(), got.end());
    std::sort(want.begin(), want.end());
    ASSERT_EQ(got, want) << cat(sizes);
  }
}

TEST(StridedLoopWalk, MergesWhatLiesTogether) {
  StridedLoop all = make_strided_loop({2, 3, 4}, {{12, 4, 1}, {12, 4, 1}});
  EXPECT_EQ(all.sizes, (Dims{24}));
  EXPECT_EQ(all.rows, 1);
  StridedLoop padded = make_strided_loop({2, 3, 4}, {{12, 4, 1}, {16, 4, 1}});
  EXPECT_EQ(padded.sizes, (Dims{2, 12}));
  StridedLoop ones = make_strided_loop({1, 5, 1}, {{77, 1, 99}});
  EXPECT_EQ(ones.sizes, (Dims{5}));
  StridedLoop repeated = make_strided_loop({4, 5}, {{5, 1}, {0, 0}});
  EXPECT_EQ(repeated.sizes, (Dims{20})) << "a stride of 0 merges with a stride of 0";
  EXPECT_EQ(repeated.inner_stride(1), 0);
}

TEST(StridedLoopWalk, FollowsTheOutput) {
  StridedLoop transposed = make_strided_loop({3, 4}, {{1, 3}, {4, 1}});
  EXPECT_EQ(transposed.sizes, (Dims{4, 3}));
  EXPECT_EQ(transposed.inner_stride(0), 1);
  EXPECT_EQ(transposed.inner_stride(1), 4);
  StridedLoop kept = make_strided_loop({3, 4}, {{1, 3}, {4, 1}}, /*keep_order=*/true);
  EXPECT_EQ(kept.sizes, (Dims{3, 4}));
}

TEST(StridedLoopWalk, ScalarsAndNothing) {
  StridedLoop scalar = make_strided_loop({}, {Dims{}});
  EXPECT_EQ(scalar.rows, 1);
  EXPECT_EQ(scalar.inner, 1);
  // Zero-sized: no row, whatever the strides are.
  for (const Dims& sizes : {Dims{0}, Dims{0, 3}, Dims{3, 0}, Dims{2, 0, 5}}) {
    StridedLoop none =
        make_strided_loop(sizes, {Dims::filled(sizes.size(), INT64_MAX), Dims::filled(sizes.size(), INT64_MIN)});
    EXPECT_EQ(none.rows * none.inner, 0) << cat(sizes);
    none.for_rows(0, none.rows, [](const Offsets&) { FAIL(); });
  }
}

}  // namespace
}  // namespace ingot
