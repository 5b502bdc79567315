// What the case table cannot say of expert matmuls: quantised experts at many row counts, experts named twice.
#include "ingot/ops/moe/moe.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "ingot/base/block_formats.h"
#include "ingot/base/message_test.h"

namespace ingot {
namespace {

// `count` random matrices of a format, and what they hold.
struct Matrices {
  std::vector<Weight> weights;
  std::vector<std::vector<float>> values;  // [rows * cols] each

  Matrices(WeightFormat format, int64_t count, int64_t rows, int64_t cols, uint32_t seed) {
    std::mt19937 random(seed);
    std::normal_distribution<float> normal;
    for (int64_t i = 0; i < count; i++) {
      std::vector<float> value(static_cast<size_t>(rows * cols));
      for (float& v : value) v = normal(random) / std::sqrt(static_cast<float>(cols));
      Weight w;
      w.format = format;
      w.rows = rows;
      w.cols = cols;
      w.bytes = empty({rows * row_bytes(format, cols)}, DType::kU8);
      for (int64_t r = 0; r < rows; r++) {
        uint8_t* row = w.bytes.data<uint8_t>() + r * row_bytes(format, cols);
        quantize_row(format, value.data() + r * cols, row, cols);
        dequantize_row(format, row, value.data() + r * cols, cols);
      }
      weights.push_back(w);
      values.push_back(value);
    }
  }
};

// Expert e's answer to one row, in double.
std::vector<double> expert(const Matrices& gate, const Matrices& up, const Matrices& down, size_t e, const float* x,
                           int64_t hidden, int64_t width) {
  auto times = [&](const std::vector<float>& m, int64_t rows, int64_t cols, auto&& v) {
    std::vector<double> y(static_cast<size_t>(rows));
    for (int64_t r = 0; r < rows; r++)
      for (int64_t c = 0; c < cols; c++) y[size_t(r)] += double(m[size_t(r * cols + c)]) * double(v[c]);
    return y;
  };
  std::vector<double> g = times(gate.values[e], width, hidden, x), u = times(up.values[e], width, hidden, x);
  for (size_t i = 0; i < g.size(); i++) g[i] = g[i] / (1 + std::exp(-g[i])) * u[i];
  return times(down.values[e], hidden, width, g);
}

TEST(MoeExperts, QuantisedAtAnyNumberOfRows) {
  constexpr int64_t kHidden = 32, kWidth = 32, kExperts = 3, kSlots = 2;
  Matrices gate(WeightFormat::kQ4_0, kExperts, kWidth, kHidden, 1),
      up(WeightFormat::kQ4_0, kExperts, kWidth, kHidden, 2), down(WeightFormat::kQ4_0, kExperts, kHidden, kWidth, 3);
  Experts experts{gate.weights, up.weights, down.weights};
  std::mt19937 random(4);
  for (int64_t rows : {64, 32764, 32768, 32800, 32802, 40002, 49150}) {
    const int64_t tokens = rows / kSlots;
    Tensor x = empty({tokens, kHidden}, DType::kF32), ids = empty({tokens, kSlots}, DType::kI32),
           weights = empty({tokens, kSlots}, DType::kF32);
    for (int64_t i = 0; i < x.numel(); i++) x.data<float>()[i] = float(random() % 2001) / 1000 - 1;
    for (int64_t i = 0; i < ids.numel(); i++) {
      ids.data<int32_t>()[i] = int32_t(random() % kExperts);
      weights.data<float>()[i] = float(random() % 1000) / 1000;
    }
    Tensor y = moe_experts(x, ids, weights, experts);
    for (int64_t t = tokens - 1; t >= 0; t -= 97) {
      std::vector<double> want(kHidden);
      for (int64_t s = 0; s < kSlots; s++) {
        std::vector<double> one = expert(gate, up, down, size_t(ids.data<int32_t>()[t * kSlots + s]),
                                         x.data<float>() + t * kHidden, kHidden, kWidth);
        for (size_t h = 0; h < kHidden; h++) want[h] += double(weights.data<float>()[t * kSlots + s]) * one[h];
      }
      // Activations may be rounded to bf16 on the way.
      for (size_t h = 0; h < kHidden; h++)
        ASSERT_NEAR(y.data<float>()[t * kHidden + int64_t(h)], want[h], 0.03) << rows << " rows, token " << t;
    }
  }
}

TEST(MoeExperts, AnExpertNamedTwiceCountsInEachSlot) {
  constexpr int64_t kHidden = 16, kWidth = 8, kTokens = 4;
  Matrices gate(WeightFormat::kF32, 3, kWidth, kHidden, 1), up(WeightFormat::kF32, 3, kWidth, kHidden, 2),
      down(WeightFormat::kF32, 3, kHidden, kWidth, 3);
  Experts experts{gate.weights, up.weights, down.weights};
  Tensor x = empty({kTokens, kHidden}, DType::kF32);
  for (int64_t i = 0; i < x.numel(); i++) x.data<float>()[i] = float(i % 13) / 13;
  Tensor ids = tensor_of<int32_t>({1, 1, 0, 2, 2, 2, 1, 0}, {kTokens, 2});
  Tensor weights = tensor_of<float>({0.25f, 0.5f, 1, 2, 3, -1, 0.5f, 0}, {kTokens, 2});
  Tensor y = moe_experts(x, ids, weights, experts);
  for (int64_t t = 0; t < kTokens; t++)
    for (int64_t h = 0; h < kHidden; h++) {
      double want = 0;
      for (int64_t s = 0; s < 2; s++)
        want += double(weights.data<float>()[t * 2 + s]) *
                expert(gate, up, down, size_t(ids.data<int32_t>()[t * 2 + s]), x.data<float>() + t * kHidden, kHidden,
                       kWidth)[size_t(h)];
      EXPECT_NEAR(y.data<float>()[t * kHidden + h], want, 1e-5);
    }
}

TEST(MoeExperts, AnExpertThatIsNotThereIsNamed) {
  Matrices m(WeightFormat::kF32, 2, 8, 8, 1);
  Experts experts{m.weights, m.weights, m.weights};
  Tensor x = zeros({1, 8}, DType::kF32), weights = zeros({1, 1}, DType::kF32);
  for (int32_t id : {-1, 2})
    EXPECT_EQ(message_of([&] {
                moe_experts(x, tensor_of<int32_t>({id}, {1, 1}), weights, experts);
              }),
              cat("moe_experts: ids: expert ", id, " is outside [0, 2)"));
}

}  // namespace
}  // namespace ingot
