// ingot/msl/tile.h in the simulator: products of all types, layouts and edges against double precision; epilogues.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "ingot/base/small_floats.h"
#include "ingot/device/sim/sim.h"

namespace ingot {
namespace {

struct TileParams {
  uint32_t m, n, k, lda, ldb, ldc, a_transposed, b_transposed;
};

// A few bits each, so that bfloat holds them; the sequence has no short period.
float value(uint32_t& state) {
  state = state * 1664525u + 1013904223u;
  return float(int32_t(state >> 24) - 128) / 64.0f;
}

template <class T>
std::vector<T> matrix(size_t elements, uint32_t seed) {
  std::vector<T> v(elements);
  for (T& e : v) e = T(value(seed));
  return v;
}

template <class T, class Y>
void check_product(const std::string& kernel, TileParams p, double relative) {
  std::vector<T> a = matrix<T>(size_t(p.a_transposed ? p.k : p.m) * p.lda, 1);
  std::vector<T> b = matrix<T>(size_t(p.b_transposed ? p.n : p.k) * p.ldb, 2);
  const Y untouched = Y(-77.0f);
  std::vector<Y> y(size_t(p.m) * p.ldc, untouched);
  sim::Args args;
  args.bind(0, a.data(), a.size() * sizeof(T));
  args.bind(1, b.data(), b.size() * sizeof(T));
  args.bind(2, y.data(), y.size() * sizeof(Y));
  args.bind(3, &p, sizeof p);
  sim::dispatch(kernel, args, {(p.n + 15) / 16, (p.m + 15) / 16, 1}, {32, 1, 1});
  for (uint32_t row = 0; row < p.m; ++row) {
    for (uint32_t column = 0; column < p.ldc; ++column) {
      float got = float(y[size_t(row) * p.ldc + column]);
      if (column >= p.n) {
        ASSERT_EQ(got, float(untouched)) << kernel << " wrote beyond its columns";
        continue;
      }
      double sum = 0, magnitude = 0;
      for (uint32_t k = 0; k < p.k; ++k) {
        double product = double(float(a[p.a_transposed ? size_t(k) * p.lda + row : size_t(row) * p.lda + k])) *
                         double(float(b[p.b_transposed ? size_t(column) * p.ldb + k : size_t(k) * p.ldb + column]));
        sum += product;
        magnitude += std::fabs(product);
      }
      ASSERT_NEAR(got, sum, relative * magnitude + 1e-6) << kernel << " at " << row << ", " << column;
    }
  }
}

TEST(Tile, ProductsOfAllTypesLayoutsAndEdges) {
  for (uint32_t m : {1u, 16u, 37u}) {
    for (uint32_t n : {5u, 16u, 40u}) {
      for (uint32_t k : {1u, 16u, 50u}) {
        for (uint32_t layout = 0; layout < 4; ++layout) {
          const uint32_t ta = layout & 1, tb = layout >> 1;
          TileParams p = {m, n, k, (ta ? m : k) + 3, (tb ? k : n) + 1, n + 2, ta, tb};
          check_product<float, float>("tile_product_f32_f32", p, 1e-6);
          check_product<half, float>("tile_product_f16_f32", p, 1e-6);
          check_product<half, half>("tile_product_f16_f16", p, 1e-3);
          check_product<bfloat, float>("tile_product_bf16_f32", p, 1e-6);
          check_product<bfloat, bfloat>("tile_product_bf16_bf16", p, 8e-3);
        }
      }
    }
  }
}

TEST(Tile, FloatOperandsKeepAllTheirBits) {
  TileParams p = {1, 1, 1, 1, 1, 1, 0, 0};
  float a = 0x1.fffffep0f, b = 0x1.000002p0f, y = 0;
  sim::Args args;
  args.bind(0, &a, 4);
  args.bind(1, &b, 4);
  args.bind(2, &y, 4);
  args.bind(3, &p, sizeof p);
  sim::dispatch("tile_product_f32_f32", args, {1, 1, 1}, {32, 1, 1});
  EXPECT_EQ(y, a * b);
}

template <class T>
void check_epilogue(const std::string& kernel, uint32_t a_transposed, uint32_t b_transposed) {
  TileParams p = {16, 16, 16, 19, 17, 0, a_transposed, b_transposed};
  // One element in: device loads take any alignment.
  std::vector<T> a = matrix<T>(16 * 19 + 1, 3), b = matrix<T>(16 * 17 + 1, 4);
  std::vector<float> scale = matrix<float>(16, 5), bias = matrix<float>(16, 6), by_value(256), whole(256);
  sim::Args args;
  args.bind(0, a.data() + 1, (a.size() - 1) * sizeof(T));
  args.bind(1, b.data() + 1, (b.size() - 1) * sizeof(T));
  args.bind(2, scale.data(), 64);
  args.bind(3, bias.data(), 64);
  args.bind(4, by_value.data(), 1024);
  args.bind(5, whole.data(), 1024);
  args.bind(6, &p, sizeof p);
  sim::dispatch(kernel, args, {1, 1, 1}, {32, 1, 1});
  for (uint32_t row = 0; row < 16; ++row) {
    for (uint32_t column = 0; column < 16; ++column) {
      double sum = 0;
      for (uint32_t k = 0; k < 16; ++k) {
        sum += double(float(a[1 + (a_transposed ? k * 19 + row : row * 19 + k)])) *
               double(float(b[1 + (b_transposed ? column * 17 + k : k * 17 + column)]));
      }
      double expected = sum * scale[row] + bias[column];
      ASSERT_NEAR(by_value[row * 16 + column], expected, 1e-4) << kernel;
      ASSERT_EQ(whole[row * 16 + column], by_value[row * 16 + column]) << kernel;
    }
  }
}

TEST(Tile, EpiloguesByPosition) {
  for (uint32_t layout = 0; layout < 4; ++layout) {
    check_epilogue<float>("tile_epilogue_f32", layout & 1, layout >> 1);
    check_epilogue<half>("tile_epilogue_f16", layout & 1, layout >> 1);
    check_epilogue<bfloat>("tile_epilogue_bf16", layout & 1, layout >> 1);
  }
}

}  // namespace
}  // namespace ingot
