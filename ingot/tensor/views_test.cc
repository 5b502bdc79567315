#include <gtest/gtest.h>

#include <functional>
#include <numeric>
#include <random>
#include <vector>

#include "ingot/base/error.h"
#include "ingot/tensor/tensor.h"

namespace ingot {
namespace {

Tensor iota(const Dims& sizes) {
  std::vector<int32_t> values(size_t(numel(sizes)));
  std::iota(values.begin(), values.end(), 0);
  return tensor_of(values, sizes);
}

std::string message_of(const std::function<void()>& f) {
  try {
    f();
  } catch (const Error& e) {
    return e.what();
  }
  return "no error";
}

using Values = std::vector<int64_t>;

TEST(View, OfContiguous) {
  Tensor x = iota({2, 3, 4});
  EXPECT_EQ(x.view({24}).sizes(), (Dims{24}));
  EXPECT_EQ(x.view({-1, 4}).sizes(), (Dims{6, 4}));
  EXPECT_EQ(x.view({4, 1, 6, 1}).strides().size(), 4);
  EXPECT_EQ(to_int64s(x.view({6, 4})), to_int64s(x));
  EXPECT_EQ(x.view({24}).storage(), x.storage());
  EXPECT_EQ(full({}, 3, DType::kI32).view({1, 1}).sizes(), (Dims{1, 1}));
  EXPECT_EQ(full({1}, 3, DType::kI32).view({}).item(), 3);
}

TEST(View, OfStrided) {
  Tensor x = iota({4, 6}).slice(1, 0, 4);  // rows of 4 in a pitch of 6
  EXPECT_EQ(to_int64s(x.view({2, 2, 4})), to_int64s(x));
  EXPECT_EQ(to_int64s(x.view({4, 2, 2})), to_int64s(x));
  EXPECT_THROW(x.view({16}), Error);
  Tensor t = iota({2, 3}).t();
  EXPECT_THROW(t.view({6}), Error);
  EXPECT_EQ(to_int64s(t.view({3, 1, 2})), to_int64s(t));
  Tensor repeated = iota({3}).expand({2, 3});
  EXPECT_THROW(repeated.view({6}), Error);
  EXPECT_EQ(to_int64s(repeated.view({2, 1, 3})), to_int64s(repeated));
  EXPECT_EQ(message_of([&] { t.view({6}); }),
            "view: sizes [3, 2] with strides [1, 3] cannot be seen as [6] without a copy; call contiguous first");
}

TEST(View, Errors) {
  Tensor x = iota({2, 3});
  EXPECT_EQ(message_of([&] { x.view({4}); }), "view: sizes: expected a shape of 6 elements (from [2, 3]), got [4]");
  EXPECT_EQ(message_of([&] { x.view({-1, -1}); }), "view: sizes: expected no negative size but one -1, got [-1, -1]");
  EXPECT_THROW(x.view({-2, 3}), Error);
  EXPECT_THROW(x.view({-1, 4}), Error);
  EXPECT_THROW(x.view({-1, 0}), Error);
  EXPECT_THROW(x.view({-1, int64_t{1} << 40, int64_t{1} << 40}), Error);
  EXPECT_THROW(x.view({INT64_MAX, 2}), Error);
  EXPECT_THROW(x.view({}), Error);
}

TEST(View, OfNothing) {
  Tensor x = empty({2, 0, 3}, DType::kF32);
  EXPECT_EQ(x.view({0}).sizes(), (Dims{0}));
  EXPECT_EQ(x.view({5, 0}).sizes(), (Dims{5, 0}));
  EXPECT_EQ(x.view({-1, 3}).sizes(), (Dims{0, 3}));
  EXPECT_THROW(x.view({-1, 0}), Error) << "any size would fit";
  EXPECT_THROW(x.view({1}), Error);
}

// Against copying: a view, where there is one, has the elements of the same reshape of a contiguous copy.
TEST(View, RandomShapesKeepTheOrder) {
  std::mt19937 random(3);
  int views = 0, refusals = 0;
  for (int round = 0; round < 3000; round++) {
    Dims sizes;
    for (int d = 0, rank = 1 + int(random() % 4); d < rank; d++) sizes.push_back(1 + random() % 4);
    Tensor x = iota(sizes);
    if (random() % 2) x = x.transpose(int64_t(random()) % x.dim(), int64_t(random()) % x.dim());
    if (random() % 2) x = x.slice(int64_t(random()) % x.dim(), 0, 3);
    if (random() % 4 == 0)
      x = x.unsqueeze(0).expand([&] {
        Dims to = x.sizes();
        to.insert(0, 2);
        return to;
      }());
    // A random factorisation of the number of elements.
    Dims wanted;
    int64_t rest = x.numel();
    for (int64_t f : {2, 3, 4, 2, 1})
      if (rest % f == 0 && random() % 2) wanted.push_back(f), rest /= f;
    wanted.push_back(rest);
    Tensor y;
    try {
      y = x.view(wanted);
    } catch (const Error&) {
      refusals++;
      ASSERT_FALSE(x.is_contiguous());
      continue;
    }
    views++;
    ASSERT_EQ(to_int64s(y), to_int64s(x)) << cat(x.sizes(), x.strides(), wanted);
  }
  EXPECT_GT(views, 500);
  EXPECT_GT(refusals, 100);
}

TEST(Permute, MovesAxes) {
  Tensor x = iota({2, 3, 4});
  Tensor y = x.permute({2, 0, 1});
  EXPECT_EQ(y.sizes(), (Dims{4, 2, 3}));
  EXPECT_EQ(y.select(0, 1).select(0, 1).select(0, 2).item(), x.select(0, 1).select(0, 2).select(0, 1).item());
  EXPECT_EQ(x.permute({-1, -3, -2}).strides(), y.strides());
  EXPECT_EQ(message_of([&] { x.permute({0, 1}); }), "permute: order: expected 3 dimensions, got [0, 1]");
  EXPECT_EQ(message_of([&] { x.permute({0, 1, -2}); }), "permute: order: expected each dimension once, got [0, 1, -2]");
  EXPECT_THROW(x.permute({0, 1, 3}), Error);
  EXPECT_EQ(full({}, 1, DType::kI32).permute({}).item(), 1);
  EXPECT_EQ(to_int64s(iota({2, 3}).t()), (Values{0, 3, 1, 4, 2, 5}));
  EXPECT_EQ(x.transpose(0, -1).sizes(), (Dims{4, 3, 2}));
  EXPECT_THROW(x.transpose(0, 3), Error);
  EXPECT_THROW(iota({3}).t(), Error);
}

TEST(Slice, ClampsAsPython) {
  Tensor x = iota({10});
  EXPECT_EQ(to_int64s(x.slice(0, 2, 5)), (Values{2, 3, 4}));
  EXPECT_EQ(to_int64s(x.slice(0, -3, 100)), (Values{7, 8, 9}));
  EXPECT_EQ(to_int64s(x.slice(0, -100, -8)), (Values{0, 1}));
  EXPECT_EQ(to_int64s(x.slice(0, 1, 10, 4)), (Values{1, 5, 9}));
  EXPECT_EQ(to_int64s(x.slice(-1, 0, 10, 3)), (Values{0, 3, 6, 9}));
  EXPECT_EQ(to_int64s(x.slice(0, 3, INT64_MAX, INT64_MAX)), (Values{3}));
  EXPECT_EQ(to_int64s(x.slice(0, INT64_MIN, INT64_MAX, 9)), (Values{0, 9}));
  EXPECT_EQ(x.slice(0, 5, 5).numel(), 0);
  EXPECT_EQ(x.slice(0, 7, 2).sizes(), (Dims{0}));
  EXPECT_EQ(x.slice(0, 10, 20).numel(), 0);
  EXPECT_EQ(message_of([&] { x.slice(0, 0, 5, 0); }), "slice: step: expected at least 1, got 0");
  EXPECT_THROW(x.slice(0, 0, 5, -1), Error);
  EXPECT_THROW(x.slice(1, 0, 5), Error);
  EXPECT_THROW(full({}, 1, DType::kI32).slice(0, 0, 1), Error);
  Tensor grid = iota({4, 5}).slice(0, 1, 4, 2).slice(1, 0, 5, 2);
  EXPECT_EQ(to_int64s(grid), (Values{5, 7, 9, 15, 17, 19}));
}

TEST(Narrow, RefusesWhatSliceWouldClamp) {
  Tensor x = iota({10});
  EXPECT_EQ(to_int64s(x.narrow(0, 8, 2)), (Values{8, 9}));
  EXPECT_EQ(x.narrow(0, 10, 0).numel(), 0);
  EXPECT_EQ(message_of([&] { x.narrow(0, 8, 3); }),
            "narrow: start and length: expected a range inside [0, 10), got 8 and 3");
  EXPECT_THROW(x.narrow(0, -1, 1), Error);
  EXPECT_THROW(x.narrow(0, 0, -1), Error);
  EXPECT_THROW(x.narrow(0, INT64_MAX, INT64_MAX), Error);
  EXPECT_THROW(x.narrow(0, 1, INT64_MAX), Error);
}

TEST(Select, TakesOneIndex) {
  Tensor x = iota({3, 4});
  EXPECT_EQ(to_int64s(x.select(0, 1)), (Values{4, 5, 6, 7}));
  EXPECT_EQ(to_int64s(x.select(1, -1)), (Values{3, 7, 11}));
  try {
    x.select(1, 4);
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.kind(), ErrorKind::kIndex);
    EXPECT_STREQ(e.what(), "select: index 4 is outside axis 1 of size 4");
  }
  EXPECT_THROW(x.select(0, -4), Error);
  EXPECT_THROW(x.select(0, INT64_MIN), Error);
  EXPECT_THROW(full({}, 1, DType::kI32).select(0, 0), Error);
  EXPECT_THROW(empty({0, 3}, DType::kF32).select(0, 0), Error);
  EXPECT_EQ(empty({3, 0, int64_t{1} << 60}, DType::kF64).select(0, 2).sizes(), (Dims{0, int64_t{1} << 60}));
}

TEST(Squeeze, AddsAndDropsAxes) {
  Tensor x = iota({2, 3});
  EXPECT_EQ(x.unsqueeze(0).sizes(), (Dims{1, 2, 3}));
  EXPECT_EQ(x.unsqueeze(-1).sizes(), (Dims{2, 3, 1}));
  EXPECT_EQ(x.unsqueeze(1).squeeze(1).sizes(), (Dims{2, 3}));
  EXPECT_EQ(x.squeeze(0).sizes(), (Dims{2, 3}));
  EXPECT_EQ(full({}, 1, DType::kI32).unsqueeze(0).sizes(), (Dims{1}));
  EXPECT_EQ(full({}, 1, DType::kI32).squeeze(0).sizes(), Dims{});
  EXPECT_THROW(x.unsqueeze(3), Error);
  EXPECT_THROW(x.squeeze(2), Error);
  EXPECT_THROW(iota({1, 1, 1, 1, 1, 1, 1, 1}).unsqueeze(0), Error) << "rank 9";
  EXPECT_EQ(to_int64s(x.t().unsqueeze(1)), to_int64s(x.t()));
}

TEST(Expand, RepeatsWithoutCopying) {
  Tensor x = iota({3, 1});
  EXPECT_EQ(to_int64s(x.expand({3, 2})), (Values{0, 0, 1, 1, 2, 2}));
  EXPECT_EQ(x.expand({2, -1, -1}).sizes(), (Dims{2, 3, 1}));
  EXPECT_EQ(x.expand({2, 3, 4}).strides(), (Dims{0, 1, 0}));
  EXPECT_EQ(x.expand({3, 0}).numel(), 0);
  EXPECT_EQ(full({}, 7, DType::kI32).expand({2, 2}).numel(), 4);
  EXPECT_EQ(message_of([&] {
              x.expand({4, 2});
            }),
            "expand: sizes: expected a shape that [3, 1] broadcasts to, got [4, 2]");
  EXPECT_EQ(message_of([&] { x.expand({3}); }), "expand: sizes: expected at least 2 dimensions, got [3]");
  EXPECT_THROW(x.expand({-1, 3, 1}), Error) << "a new axis has no size to keep";
  EXPECT_THROW(x.expand({3, -2}), Error);
  EXPECT_THROW(x.expand({3, INT64_MAX}), Error);
}

TEST(AsStrided, StaysInsideTheStorage) {
  Tensor x = iota({10});
  EXPECT_EQ(to_int64s(x.as_strided({3, 3}, {2, 1}, 4)), (Values{1, 2, 3, 3, 4, 5, 5, 6, 7}));
  EXPECT_EQ(to_int64s(x.as_strided({4}, {-2}, 36)), (Values{9, 7, 5, 3}));
  EXPECT_THROW(x.as_strided({3, 3}, {4, 1}, 4), Error);
  EXPECT_THROW(x.as_strided({2}, {-1}, 0), Error);
  EXPECT_THROW(x.as_strided({2, 2}, {1}, 0), Error);
  EXPECT_EQ(x.as_strided({0}, {1}, INT64_MAX).numel(), 0);
  // The offset counts from the storage, not from the view.
  EXPECT_EQ(x.slice(0, 5, 10).as_strided({1}, {1}, 0).item(), 0);
}

TEST(ViewDType, ReadsTheSameBytes) {
  Tensor x = tensor_of<float>({1.0f, -0.0f}, {2});
  EXPECT_EQ(to_int64s(x.view_dtype(DType::kI32)), (Values{0x3F800000, INT32_MIN}));
  EXPECT_EQ(message_of([&] { x.view_dtype(DType::kF16); }), "view_dtype: dtype: expected one of 4 bytes, got f16");
  EXPECT_EQ(tensor_of<uint8_t>({0x7E}, {1}).view_dtype(DType::kF8E4M3).item(), 448);
}

TEST(Contiguity, IgnoresAxesOfSizeOne) {
  Tensor x = iota({2, 3});
  EXPECT_TRUE(x.unsqueeze(1).is_contiguous());
  EXPECT_FALSE(x.t().is_contiguous());
  EXPECT_TRUE(x.slice(0, 1, 2).is_contiguous());
  EXPECT_FALSE(x.slice(1, 0, 2).is_contiguous());
  EXPECT_TRUE(x.as_strided({1, 3}, {99, 1}, 0).is_contiguous());
  EXPECT_TRUE(empty({3, 0}, DType::kF32).t().is_contiguous());
  EXPECT_FALSE(x.select(0, 0).expand({2, 3}).is_contiguous());
  EXPECT_TRUE(x.select(0, 0).expand({1, 3}).is_contiguous());
}

}  // namespace
}  // namespace ingot
