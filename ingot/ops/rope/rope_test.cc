#include "ingot/ops/rope/rope.h"

#include <gtest/gtest.h>

#include <cmath>

#include "ingot/base/error.h"
#include "ingot/device/cpu/thread_pool.h"
#include "ingot/ops/op_check.h"

namespace ingot {
namespace {

// Shows cos and sin themselves: (1, 0) turns into (cos, sin).
std::vector<double> turned(int64_t position, float frequency) {
  Tensor x = tensor_of<float>({1, 0}, {1, 1, 2});
  return to_doubles(rope(x, tensor_of<int64_t>({position}, {1}), tensor_of<float>({frequency}, {1}), RopeStyle::kHalf));
}

TEST(Rope, AnglesAreAccurateAtEverySize) {
  for (float f : {1.0f, 0.7853982f, 0.1f, 1.5707964f, 1e-4f})
    for (int64_t p :
         {0LL, 1LL, 2LL, 3LL, 4LL, 5LL, 6LL, 7LL, 131071LL, 1000003LL, 99999999LL, 100000001LL, 1LL << 40, -17LL}) {
      double angle = double(float(p) * f);
      std::vector<double> y = turned(p, f);
      EXPECT_NEAR(y[0], std::cos(angle), 1.2e-7) << p << " " << f;
      EXPECT_NEAR(y[1], std::sin(angle), 1.2e-7) << p << " " << f;
    }
}

TEST(Rope, ChunkedEqualsWhole) {
  Tensor x = make_input({{65, 3, 64}}, DType::kF32, 1), freq = make_input({{32}, Fill::kUniform}, DType::kF32, 2);
  std::vector<int64_t> p(65);
  for (size_t i = 0; i < 65; i++) p[i] = int64_t(i) + 1000;
  Tensor positions = tensor_of(p, {65});
  int before = num_threads();
  set_num_threads(3);
  Tensor whole = rope(x, positions, freq, RopeStyle::kHalf);
  set_num_threads(before);
  for (int64_t t : {0, 40, 64})
    EXPECT_EQ(to_doubles(rope(x.narrow(0, t, 1), positions.narrow(0, t, 1), freq, RopeStyle::kHalf)),
              to_doubles(whole.narrow(0, t, 1)));
}

TEST(Rope, Frequencies) {
  RopeConfig c;
  c.theta = 100;
  c.dim = 4;
  EXPECT_EQ(to_doubles(rope_inv_freq(c)), (std::vector<double>{1, double(0.1f)}));
  c.type = "linear";
  c.factor = 4;
  EXPECT_EQ(to_doubles(rope_inv_freq(c)), (std::vector<double>{0.25, double(0.025f)}));
  c.type = "dynamic";
  c.max_position = 100;
  EXPECT_EQ(to_doubles(rope_inv_freq(c, 100)), (std::vector<double>{1, double(0.1f)}));
  // theta' = 100 * (4 * 2 - 3)^(4/2) = 2500
  EXPECT_NEAR(to_doubles(rope_inv_freq(c, 200))[1], 0.02, 1e-9);
  EXPECT_EQ(rope_attention_scale(c), 1);
}

TEST(Rope, Llama3KeepsShortWavesAndStretchesLong) {
  RopeConfig c;
  c.type = "llama3";
  c.theta = 500000;
  c.dim = 128;
  c.factor = 8;
  c.original_max_position = 8192;
  RopeConfig plain = c;
  plain.type = "default";
  std::vector<double> a = to_doubles(rope_inv_freq(c)), b = to_doubles(rope_inv_freq(plain));
  int between = 0;
  for (size_t i = 0; i < a.size(); i++) {
    double wave = 2 * M_PI / b[i];
    if (wave < 2048) {
      EXPECT_EQ(a[i], b[i]);
    } else if (wave > 8192) {
      EXPECT_NEAR(a[i] / b[i], 0.125, 1e-6);
    } else {
      between++;
      EXPECT_GT(a[i], b[i] / 8);
      EXPECT_LT(a[i], b[i]);
    }
  }
  EXPECT_GT(between, 0);
}

TEST(Rope, Yarn) {
  RopeConfig c;
  c.type = "yarn";
  c.theta = 1000000;
  c.dim = 128;
  c.factor = 4;
  c.original_max_position = 32768;
  RopeConfig plain = c;
  plain.type = "default";
  std::vector<double> a = to_doubles(rope_inv_freq(c)), b = to_doubles(rope_inv_freq(plain));
  // d(32) = 23.6, d(1) = 39.7: pairs up to 23 are kept, from 40 on stretched, 31 is half way less half a pair.
  EXPECT_EQ(a[23], b[23]);
  EXPECT_LT(a[24], b[24]);
  EXPECT_NEAR(a[40] / b[40], 0.25, 1e-6);
  EXPECT_GT(a[39] / b[39], 0.26);
  double ramp = (31.0 - 23) / (40 - 23);
  EXPECT_NEAR(a[31] / b[31], 0.25 * ramp + 1 - ramp, 1e-6);
  EXPECT_NEAR(rope_attention_scale(c), 0.1 * std::log(4.0) + 1, 1e-12);
  c.attention_factor = 1.5;
  EXPECT_EQ(rope_attention_scale(c), 1.5);
}

TEST(Rope, Errors) {
  Tensor x = zeros({2, 1, 4}, DType::kF32), p = zeros({2}, DType::kI64), f = zeros({2}, DType::kF32);
  EXPECT_THROW(rope(zeros({2, 4}, DType::kF32), p, f, RopeStyle::kHalf), Error);
  EXPECT_THROW(rope(x, zeros({3}, DType::kI64), f, RopeStyle::kHalf), Error);
  EXPECT_THROW(rope(x, zeros({2}, DType::kF32), f, RopeStyle::kHalf), Error);
  EXPECT_THROW(rope(x, p, zeros({3}, DType::kF32), RopeStyle::kHalf), Error);
  EXPECT_THROW(rope(x, p, zeros({2}, DType::kF64), RopeStyle::kHalf), Error);
  EXPECT_THROW(rope(zeros({2, 1, 4}, DType::kF8E4M3), p, f, RopeStyle::kHalf), Error);
  EXPECT_THROW(rope(x, {}, f, RopeStyle::kHalf), Error);
  RopeConfig c;
  c.dim = 4;
  c.type = "longrope";
  EXPECT_THROW(rope_inv_freq(c), Error);
  c.type = "linear";
  c.factor = 0;
  EXPECT_THROW(rope_inv_freq(c), Error);
  c.type = "llama3";
  c.factor = 8;
  EXPECT_THROW(rope_inv_freq(c), Error);  // no original_max_position
  c.type = "default";
  c.dim = 5;
  EXPECT_THROW(rope_inv_freq(c), Error);
  c.dim = 4;
  c.theta = NAN;
  EXPECT_THROW(rope_inv_freq(c), Error);
}

}  // namespace
}  // namespace ingot
