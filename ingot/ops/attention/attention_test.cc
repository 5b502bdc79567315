#include "ingot/ops/attention/attention.h"

#include <gtest/gtest.h>

#include <cmath>

#include "ingot/base/error.h"
#include "ingot/device/cpu/thread_pool.h"
#include "ingot/ops/copy/copy.h"
#include "ingot/ops/op_check.h"

namespace ingot {
namespace {

void poison(const Tensor& row, double value) { copy_(row, full({1}, value, DType::kF32)); }

Tensor attend(const Tensor& q, const Tensor& k, const Tensor& v, const Tensor& mask = {},
              CausalMode causal = CausalMode::kNone) {
  return scaled_dot_product_attention(q, k, v, mask, causal);
}

TEST(Attention, FullyMaskedRowIsZero) {
  for (DType t : {DType::kF32, DType::kF16, DType::kBF16, DType::kF64}) {
    Tensor q = make_input({{1, 1, 2, 4}}, t, 1), k = make_input({{1, 1, 2, 4}}, t, 2),
           v = make_input({{1, 1, 2, 4}}, t, 3);
    std::vector<double> values = to_doubles(v);
    for (bool as_float : {false, true}) {
      Tensor mask = tensor_of<bool>({false, false, true, false}, {2, 2});
      if (as_float) mask = tensor_of<float>({-INFINITY, -INFINITY, 0, -INFINITY}, {2, 2});
      std::vector<double> y = to_doubles(attend(q, k, v, mask));
      for (size_t i = 0; i < 4; i++) {
        EXPECT_EQ(y[i], 0) << name(t);
        EXPECT_EQ(y[4 + i], values[i]) << name(t);
      }
    }
  }
}

// Keys and values that are masked hold NaN and infinities, in every way a key can be masked.
TEST(Attention, MaskedKeysDoNotLeak) {
  constexpr int64_t kKeys = 140, kDim = 24;
  for (DType t : {DType::kF32, DType::kF16, DType::kF64})
    for (int how = 0; how < 4; how++) {
      Tensor q = make_input({{2, 5, kDim}}, t, 1), k = make_input({{2, kKeys, kDim}}, t, 2),
             v = make_input({{2, kKeys, kDim}}, t, 3);
      Tensor bad_k = clone(k), bad_v = clone(v), mask;
      std::vector<bool> seen(5 * kKeys, true);
      CausalMode causal = CausalMode::kNone;
      for (size_t i = 0; i < 5; i++)
        for (size_t j = 0; j < kKeys; j++) {
          bool hidden = how == 2 ? j > i : how == 3 ? j + 5 > i + kKeys : j % 3 == 1 || j == 0;
          seen[i * kKeys + j] = !hidden;
        }
      std::vector<bool> ever(kKeys, false);
      for (size_t i = 0; i < 5 * kKeys; i++)
        if (seen[i]) ever[i % kKeys] = true;
      for (int64_t h = 0; h < 2; h++)
        for (int64_t j = 0; j < kKeys; j++)
          if (!ever[size_t(j)]) {
            poison(bad_k.select(0, h).select(0, j), NAN);
            poison(bad_v.select(0, h).select(0, j), j % 2 ? NAN : INFINITY);
          }
      if (how == 0) mask = tensor_of<bool>(seen, {5, kKeys});
      if (how == 1) {
        std::vector<float> add(5 * kKeys);
        for (size_t i = 0; i < add.size(); i++) add[i] = seen[i] ? 0.0f : -INFINITY;
        mask = tensor_of(add, {5, kKeys});
      }
      if (how == 2) causal = CausalMode::kTopLeft;
      if (how == 3) causal = CausalMode::kBottomRight;
      std::vector<double> clean = to_doubles(attend(q, k, v, mask, causal)),
                          y = to_doubles(attend(q, bad_k, bad_v, mask, causal));
      for (size_t i = 0; i < y.size(); i++) EXPECT_NEAR(y[i], clean[i], 1e-6) << how << " " << i;
    }
}

// A causal row must not see what a later row sees.
TEST(Attention, LaterNanStaysInLaterRows) {
  Tensor q = make_input({{1, 40, 16}}, DType::kF32, 1), k = make_input({{1, 40, 16}}, DType::kF32, 2),
         v = make_input({{1, 40, 16}}, DType::kF32, 3);
  Tensor bad_v = clone(v);
  poison(bad_v.select(0, 0).select(0, 17), NAN);
  std::vector<double> clean = to_doubles(attend(q, k, v, {}, CausalMode::kTopLeft)),
                      y = to_doubles(attend(q, k, bad_v, {}, CausalMode::kTopLeft));
  for (size_t i = 0; i < y.size(); i++) {
    if (i / 16 < 17) {
      EXPECT_EQ(y[i], clean[i]);
    } else {
      EXPECT_TRUE(std::isnan(y[i]));
    }
  }
}

TEST(Attention, VisibleNanShows) {
  for (size_t place : {0u, 15u}) {
    std::vector<float> k(16, 0.0f);
    k[place] = NAN;
    Tensor ones = tensor_of(std::vector<float>(16, 1.0f), {1, 16, 1});
    Tensor y = attend(ones.narrow(1, 0, 1), tensor_of(k, {1, 16, 1}), ones);
    EXPECT_TRUE(std::isnan(to_doubles(y)[0]));
    std::vector<bool> only(16, false);
    only[place] = true;
    EXPECT_TRUE(std::isnan(
        to_doubles(attend(ones.narrow(1, 0, 1), tensor_of(k, {1, 16, 1}), ones, tensor_of<bool>(only, {1, 16})))[0]));
  }
}

TEST(Attention, TwoWaysToBeCausal) {
  // Equal scores: the result is the mean of the values seen.
  Tensor q = zeros({1, 2, 4}, DType::kF32), k = zeros({1, 4, 4}, DType::kF32),
         v = tensor_of<float>({1, 2, 4, 8}, {1, 4, 1});
  EXPECT_EQ(to_doubles(attend(q, k, v, {}, CausalMode::kTopLeft)), (std::vector<double>{1, 1.5}));
  std::vector<double> y = to_doubles(attend(q, k, v, {}, CausalMode::kBottomRight));
  EXPECT_NEAR(y[0], 7.0 / 3, 1e-6);
  EXPECT_EQ(y[1], 3.75);
  // More queries than keys: the first ones see nothing.
  EXPECT_EQ(to_doubles(attend(zeros({1, 3, 4}, DType::kF32), k.narrow(1, 0, 1), v.narrow(1, 0, 1), {},
                              CausalMode::kBottomRight)),
            (std::vector<double>{0, 0, 1}));
}

TEST(Attention, LargeScoresDoNotOverflow) {
  Tensor q = full({1, 1, 4}, 1e4, DType::kF32),
         k = tensor_of<float>({1e4f, 1e4f, 1e4f, 1e4f, -1e4f, -1e4f, -1e4f, -1e4f}, {1, 2, 4});
  EXPECT_EQ(to_doubles(attend(q, k, tensor_of<float>({3, 5}, {1, 2, 1}))), (std::vector<double>{3}));
}

TEST(Attention, ThreadsDoNotMatter) {
  Tensor q = make_input({{2, 6, 3, 32}}, DType::kF32, 1), k = make_input({{2, 2, 3000, 32}}, DType::kF32, 2),
         v = make_input({{2, 2, 3000, 32}}, DType::kF32, 3);
  int before = num_threads();
  std::vector<std::vector<double>> results;
  for (int n : {1, 2, 5, 16}) {
    set_num_threads(n);
    results.push_back(to_doubles(scaled_dot_product_attention(q, k, v, {}, CausalMode::kBottomRight, {}, true)));
  }
  set_num_threads(before);
  for (const auto& r : results) EXPECT_EQ(r, results[0]);
}

TEST(Attention, Errors) {
  Tensor q = zeros({1, 4, 3, 8}, DType::kF32), k = zeros({1, 2, 5, 8}, DType::kF32),
         v = zeros({1, 2, 5, 6}, DType::kF32);
  EXPECT_NO_THROW(scaled_dot_product_attention(q, k, v, {}, CausalMode::kNone, {}, true));
  auto fails = [](const char* part, auto... args) {
    try {
      scaled_dot_product_attention(args...);
      ADD_FAILURE() << part;
    } catch (const Error& e) {
      EXPECT_NE(std::string(e.what()).find(part), std::string::npos) << e.what();
    }
  };
  auto none = CausalMode::kNone;
  std::optional<double> scale;
  fails("enable_gqa", q, k, v, Tensor(), none, scale, false);
  fails("k", q, zeros({1, 3, 5, 8}, DType::kF32), v, Tensor(), none, scale, true);
  fails("k", q, zeros({1, 0, 5, 8}, DType::kF32), v, Tensor(), none, scale, true);
  fails("last size", q, zeros({1, 2, 5, 7}, DType::kF32), v, Tensor(), none, scale, true);
  fails("v", q, k, zeros({1, 2, 4, 6}, DType::kF32), Tensor(), none, scale, true);
  fails("v", q, k, zeros({1, 4, 5, 6}, DType::kF32), Tensor(), none, scale, true);
  fails("dtypes", q, zeros({1, 2, 5, 8}, DType::kF16), v, Tensor(), none, scale, true);
  fails("float8", zeros({1, 4, 3, 8}, DType::kF8E4M3), k, v, Tensor(), none, scale, true);
  fails("two dimensions", zeros({8}, DType::kF32), zeros({8}, DType::kF32), zeros({8}, DType::kF32), Tensor(), none,
        scale, false);
  fails("broadcast", q, k, v, zeros({2, 5}, DType::kBool), none, scale, true);
  fails("attn_mask", q, k, v, zeros({2, 4, 3, 5}, DType::kBool), none, scale, true);
  fails("attn_mask", q, k, v, zeros({3, 5}, DType::kI32), none, scale, true);
  fails("a tensor", q, Tensor(), v, Tensor(), none, scale, true);
}

}  // namespace
}  // namespace ingot
