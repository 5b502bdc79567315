#include "ingot/ops/causal_conv1d/causal_conv1d.h"

#include <gtest/gtest.h>

#include "ingot/base/error.h"
#include "ingot/ops/op_check.h"

namespace ingot {
namespace {

TEST(CausalConv1d, PiecesGiveTheSameBitsAsTheWhole) {
  Tensor x = make_input({{37, 24}}, DType::kF32, 1), w = make_input({{24, 4}}, DType::kF32, 2),
         b = make_input({{24}}, DType::kF32, 3);
  Tensor whole_state = zeros({3, 24}, DType::kF32);
  Tensor whole = causal_conv1d(x, w, b, whole_state);
  for (int64_t size : {1, 2, 3, 5, 36}) {
    Tensor state = zeros({3, 24}, DType::kF32);
    for (int64_t at = 0; at < 37; at += size) {
      int64_t n = std::min<int64_t>(size, 37 - at);
      EXPECT_EQ(to_doubles(causal_conv1d(x.narrow(0, at, n), w, b, state)), to_doubles(whole.narrow(0, at, n)))
          << size << " at " << at;
    }
    EXPECT_EQ(to_doubles(state), to_doubles(whole_state));
  }
}

TEST(CausalConv1d, NoTokensLeaveTheStateAlone) {
  Tensor state = make_input({{2, 4}}, DType::kF32, 1);
  std::vector<double> before = to_doubles(state);
  EXPECT_EQ(causal_conv1d(zeros({0, 4}, DType::kF32), zeros({4, 3}, DType::kF32), {}, state).sizes(), (Dims{0, 4}));
  EXPECT_EQ(to_doubles(state), before);
}

TEST(CausalConv1d, WrongShapesAreErrors) {
  Tensor x = zeros({3, 4}, DType::kF32), w = zeros({4, 3}, DType::kF32), state = zeros({2, 4}, DType::kF32);
  EXPECT_THROW(causal_conv1d(x, zeros({5, 3}, DType::kF32), {}, state), Error);
  EXPECT_THROW(causal_conv1d(x, w, zeros({3}, DType::kF32), state), Error);
  EXPECT_THROW(causal_conv1d(x, w, {}, zeros({3, 4}, DType::kF32)), Error);
  EXPECT_THROW(causal_conv1d(zeros({3, 4}, DType::kI32), w, {}, state), Error);
}

}  // namespace
}  // namespace ingot
