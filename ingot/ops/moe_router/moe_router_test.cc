#include "ingot/ops/moe_router/moe_router.h"

#include <gtest/gtest.h>

#include <cmath>

#include "ingot/base/error.h"

namespace ingot {
namespace {

std::vector<int64_t> ids_of(const std::vector<float>& logits, int64_t k) {
  return to_int64s(moe_router(tensor_of(logits, {1, int64_t(logits.size())}), k, RouterScore::kSoftmax).ids);
}

// Pitfall B27: the top k are a prefix of the top k + 1, ties to the lowest index.
TEST(MoeRouter, TiesGoToTheLowestIndexForEveryK) {
  std::vector<int64_t> all = {2, 4, 3, 1, 0};
  for (int64_t k = 1; k <= 5; k++)
    EXPECT_EQ(ids_of({1, 2, 5, 4, 5}, k), std::vector<int64_t>(all.begin(), all.begin() + k));
  EXPECT_EQ(ids_of({-1, -1, -1, -1}, 2), (std::vector<int64_t>{0, 1}));
}

TEST(MoeRouter, BiasChoosesButDoesNotWeigh) {
  Tensor logits = tensor_of<float>({0, 0, 0, 0}, {1, 4}), bias = tensor_of<float>({0, 0, 9, 0}, {4});
  Routing r = moe_router(logits, 1, RouterScore::kSigmoid, bias, false);
  EXPECT_EQ(to_int64s(r.ids)[0], 2);
  EXPECT_FLOAT_EQ(float(to_doubles(r.weights)[0]), 0.5f);
}

TEST(MoeRouter, NaNIsGreatest) {
  Tensor logits = tensor_of<float>({1, NAN, 3}, {1, 3});
  Routing r = moe_router(logits, 1, RouterScore::kSigmoid);
  EXPECT_EQ(to_int64s(r.ids)[0], 1);
  EXPECT_TRUE(std::isnan(to_doubles(r.weights)[0]));
}

TEST(MoeRouter, BadArgumentsAreNamed) {
  Tensor logits = zeros({2, 4}, DType::kF32);
  EXPECT_THROW(moe_router(logits, 0, RouterScore::kSoftmax), Error);
  EXPECT_THROW(moe_router(logits, 5, RouterScore::kSoftmax), Error);
  EXPECT_THROW(moe_router(zeros({4}, DType::kF32), 1, RouterScore::kSoftmax), Error);
  EXPECT_THROW(moe_router(logits, 1, RouterScore::kSoftmax, zeros({3}, DType::kF32)), Error);
}

}  // namespace
}  // namespace ingot
