// Weights, activations and references for the tests of this room.
#pragma once
#include <cmath>
#include <cstring>
#include <random>
#include <vector>

#include "ingot/base/block_formats.h"
#include "ingot/device/cpu/isa.h"
#include "ingot/ops/linear/weight_matmul.h"

namespace ingot::matmul_test {

inline constexpr uint32_t kPoison = 0x7FC0DEADu;  // a NaN that no computation makes

inline void put_half(uint8_t* p, float v) {
  uint16_t h = float_to_half(v);
  memcpy(p, &h, 2);
}

// Random bytes of a format with sane scales, one block.
inline void random_block(WeightFormat f, uint8_t* p, std::mt19937& rng) {
  std::normal_distribution<float> normal(0, 1);
  auto bytes = static_cast<size_t>(block_bytes(f));
  float one = normal(rng);
  auto put = [&](auto v) { memcpy(p, &v, sizeof v); };
  switch (f) {
    case WeightFormat::kF32:
      return put(one);
    case WeightFormat::kF16:
      return put(float_to_half(one));
    case WeightFormat::kBF16:
      return put(float_to_bfloat(one));
    case WeightFormat::kF64:
      return put(static_cast<double>(one));
    case WeightFormat::kF8E4M3:
      return put(float_to_f8e4m3(one * 0.1f));  // subnormals among them
    case WeightFormat::kF8E5M2:
      return put(float_to_f8e5m2(one * 0.001f));
    case WeightFormat::kI32:
      return put(static_cast<int32_t>(one * 1000));
    case WeightFormat::kI64:
      return put(static_cast<int64_t>(one * 1000));
    default:
      break;
  }
  for (size_t i = 0; i < bytes; i++) p[i] = static_cast<uint8_t>(rng());
  auto scale = [&](size_t at) { put_half(p + at, 0.05f * normal(rng)); };
  switch (f) {
    case WeightFormat::kQ4_1:
    case WeightFormat::kQ5_1:
    case WeightFormat::kQ4_K:
    case WeightFormat::kQ5_K:
      scale(0), scale(2);
      break;
    case WeightFormat::kQ2_K:
      scale(80), scale(82);
      break;
    case WeightFormat::kQ3_K:
      scale(108);
      break;
    case WeightFormat::kQ6_K:
      scale(208);
      break;
    case WeightFormat::kMXFP4:
      p[0] = static_cast<uint8_t>(122 + rng() % 6);
      break;
    case WeightFormat::kI8:
    case WeightFormat::kI16:
      break;
    default:
      scale(0);
  }
}

// A matrix at an odd address with gaps of 0xFF bytes (NaN in every float format) between its rows.
struct TestWeight {
  TestWeight(WeightFormat f, int64_t rows, int64_t cols, int64_t offset, unsigned seed,
             ScaleLayout layout = ScaleLayout::kNone) {
    std::mt19937 rng(seed);
    int64_t bytes = row_bytes(f, cols), gap = 5;
    storage.assign(static_cast<size_t>(offset + rows * (bytes + gap) + 64), 0xFF);
    for (int64_t n = 0; n < rows; n++) {
      uint8_t* p = storage.data() + offset + n * (bytes + gap);
      for (int64_t b = 0; b < bytes; b += block_bytes(f)) random_block(f, p + b, rng);
    }
    int64_t count = layout == ScaleLayout::kNone     ? 0
                    : layout == ScaleLayout::kTensor ? 1
                    : layout == ScaleLayout::kRow    ? rows
                                                     : (rows + 127) / 128 * ((cols + 127) / 128);
    for (int64_t i = 0; i < count; i++) scales.push_back(std::uniform_real_distribution<float>(0.01f, 3.0f)(rng));
    view = {f, storage.data() + offset, rows, cols, bytes + gap, count ? scales.data() : nullptr, layout};
  }
  TestWeight(const TestWeight&) = delete;
  TestWeight& operator=(const TestWeight&) = delete;

  uint8_t* row(int64_t n) { return const_cast<uint8_t*>(static_cast<const uint8_t*>(view.data)) + n * view.row_stride; }

  std::vector<uint8_t> storage;
  std::vector<float> scales;
  WeightRows view;
};

// Rows of floats with NaN in the gaps between them.
struct TestRows {
  TestRows(int64_t rows, int64_t cols, unsigned seed) : stride(cols + 3) {
    std::mt19937 rng(seed);
    std::normal_distribution<float> normal(0, 1);
    values.assign(static_cast<size_t>(rows * stride + 16), std::nanf(""));
    for (int64_t i = 0; i < rows; i++)
      for (int64_t k = 0; k < cols; k++) row(i)[k] = normal(rng);
  }
  float* row(int64_t i) { return values.data() + i * stride; }
  std::vector<float> values;
  int64_t stride;
};

// y [m, rows] with guards around every row.
struct TestOutput {
  TestOutput(int64_t rows_, int64_t m_) : rows(rows_), m(m_), stride(rows_ + 3) {
    values.assign(static_cast<size_t>(8 + m * stride + 8), bits_to_float(kPoison));
  }
  float* data() { return values.data() + 8; }
  float at(int64_t i, int64_t n) const { return values[static_cast<size_t>(8 + i * stride + n)]; }
  bool guards_untouched() const {
    for (size_t j = 0; j < values.size(); j++) {
      int64_t at = static_cast<int64_t>(j) - 8;
      bool inside = at >= 0 && at < m * stride && at % stride < rows;
      if (!inside && float_to_bits(values[j]) != kPoison) return false;
    }
    return true;
  }
  std::vector<float> row(int64_t i) const {
    auto first = values.begin() + 8 + i * stride;
    return {first, first + rows};
  }
  int64_t rows, m, stride;
  std::vector<float> values;
};

// How a job is computed: see the head of weight_matmul.h.
struct Rounding {
  bool weights, activations;  // to bf16
  bool whole = false;         // activations to whole numbers of 16 bits, 32 under one scale
  friend bool operator==(const Rounding&, const Rounding&) = default;
};
inline Rounding rounding(Isa isa, WeightFormat f, int64_t m) {
  if (f == WeightFormat::kQ8_0 && m <= 16 && isa != Isa::kBase && isa != Isa::kNeon) return {false, false, true};
  bool bf16 = f == WeightFormat::kBF16 || f == WeightFormat::kF8E4M3 || f == WeightFormat::kF8E5M2;
  if (isa != Isa::kAvx512Bf16 && isa != Isa::kAmx) return {false, false};
  if (!is_plain(f) && m > 16) return {true, true};
  return {false, bf16};
}

// x[0, 32) as the kernels round them to whole numbers.
inline void round_to_whole(float* x) {
  float largest = 0;
  for (int i = 0; i < 32; i++) largest = std::max(largest, std::fabs(x[i]));
  if (largest == 0) return;
  for (int i = 0; i < 32; i++) x[i] = (std::fma(x[i], 32767 / largest, 0x1.8p23f) - 0x1.8p23f) * (largest / 32767);
}

// In double: the product and the sum of its terms' magnitudes, which bounds the rounding errors.
struct Reference {
  Reference(const WeightRows& w, TestRows& x, int64_t m, Rounding r) : rows(w.rows) {
    std::vector<float> row(static_cast<size_t>(w.cols)), rounded(row.size());
    std::vector<float> activations(static_cast<size_t>(m * w.cols));
    for (int64_t i = 0; i < m; i++) {
      float* a = activations.data() + i * w.cols;
      memcpy(a, x.row(i), static_cast<size_t>(w.cols) * sizeof(float));
      if (r.whole) {
        for (int64_t k = 0; k < w.cols; k += 32) round_to_whole(a + k);
      }
    }
    value.assign(static_cast<size_t>(m * rows), 0);
    magnitude = value;
    for (int64_t n = 0; n < rows; n++) {
      if (w.cols > 0)
        dequantize_row(w.format, static_cast<const uint8_t*>(w.data) + n * w.row_stride, row.data(), w.cols);
      for (int64_t i = 0; i < m; i++) {
        double sum = 0, size = 0;
        for (int64_t k = 0; k < w.cols; k++) {
          float a = row[static_cast<size_t>(k)], b = activations[static_cast<size_t>(i * w.cols + k)];
          if (r.weights) a = bfloat_to_float(float_to_bfloat(a));
          if (r.activations) b = bfloat_to_float(float_to_bfloat(b));
          double term = static_cast<double>(a) * b * scale(w, n, k);
          sum += term;
          size += std::fabs(term);
        }
        value[static_cast<size_t>(i * rows + n)] = sum;
        magnitude[static_cast<size_t>(i * rows + n)] = size;
      }
    }
  }
  static double scale(const WeightRows& w, int64_t n, int64_t k) {
    switch (w.scale_layout) {
      case ScaleLayout::kNone:
        return 1;
      case ScaleLayout::kTensor:
        return w.scales[0];
      case ScaleLayout::kRow:
        return w.scales[n];
      default:
        return w.scales[n / 128 * ((w.cols + 127) / 128) + k / 128];
    }
  }
  // What f32 sums of `cols` terms may lose.
  bool close(float got, int64_t i, int64_t n, int64_t cols) const {
    auto at = static_cast<size_t>(i * rows + n);
    double allowed = 0x1p-24 * (8 + static_cast<double>(cols) / 8) * magnitude[at];
    return std::fabs(got - value[at]) <= allowed;
  }
  int64_t rows;
  std::vector<double> value, magnitude;
};

}  // namespace ingot::matmul_test
