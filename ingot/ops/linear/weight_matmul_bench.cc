// Weights from memory (a pool of 1 GiB that no cache holds) times few or many activations. Counters: GB/s of weights,
// GFLOP/s, and the share of the read ceiling, which is measured anew beside every case.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <string>
#include <vector>

#include "ingot/base/strings.h"
#include "ingot/device/cpu/memory.h"
#include "ingot/device/cpu/thread_pool.h"
#include "ingot/ops/linear/bandwidth.h"
#include "ingot/ops/linear/weight_matmul.h"

namespace ingot {
namespace {

constexpr int64_t kPoolBytes = int64_t{1} << 30;

// Two-byte patterns whose values are moderate and normal in every format, scales of blocks included.
const uint8_t* pool() {
  static const uint8_t* bytes = [] {
    auto* p = static_cast<uint8_t*>(cpu_allocate(kPoolBytes));
    uint32_t state = 1;
    for (int64_t i = 0; i < kPoolBytes; i += 2) {
      state = state * 1664525u + 1013904223u;
      auto v = static_cast<uint16_t>(0x2C20 + (state >> 26));
      memcpy(p + i, &v, 2);
    }
    return p;
  }();
  return bytes;
}

struct Case {
  WeightFormat format;
  int64_t rows, cols, m;
  ScaleLayout layout = ScaleLayout::kNone;
  bool cached = false;  // the same weights again and again: what the arithmetic reaches
};

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

void run(benchmark::State& state, const Case& c) {
  double ceiling = read_bandwidth_gb_s(num_threads(), 0.2);
  int64_t bytes = row_bytes(c.format, c.cols), matrix = bytes * c.rows;
  int64_t matrices = c.cached ? 1 : kPoolBytes / matrix, next = 0;
  auto floats = [](int64_t n) { return static_cast<float*>(cpu_allocate(static_cast<size_t>(n) * sizeof(float))); };
  float *x = floats(c.m * c.cols), *y = floats(c.m * c.rows);
  for (int64_t i = 0; i < c.m * c.cols; i++) x[i] = static_cast<float>(i * 7919 % 1021) / 512 - 1;
  std::vector<float> scales(static_cast<size_t>(c.rows + (c.rows / 128 + 1) * (c.cols / 128 + 1)), 0.5f);
  double best = 1e9;
  for (auto _ : state) {
    auto start = now();
    MatmulJob job = {{c.format, pool() + next * matrix, c.rows, c.cols, bytes, scales.data(), c.layout},
                     x,
                     c.cols,
                     nullptr,
                     c.m,
                     y,
                     c.rows};
    weight_matmul({&job, 1});
    benchmark::DoNotOptimize(y[0]);
    best = std::min(best, now() - start);
    next = (next + 1) % matrices;
  }
  cpu_free(x);
  cpu_free(y);
  using benchmark::Counter;
  double runs = static_cast<double>(state.iterations()), size = static_cast<double>(matrix);
  double flops = 2 * static_cast<double>(c.rows) * static_cast<double>(c.cols) * static_cast<double>(c.m);
  state.counters["GB/s"] = Counter(size * runs * 1e-9, Counter::kIsRate);
  state.counters["GFLOP/s"] = Counter(flops * runs * 1e-9, Counter::kIsRate);
  state.counters["best_GFLOP/s"] = flops / best * 1e-9;
  state.counters["ceiling_GB/s"] = ceiling;
  state.counters["share"] = Counter(size * runs * 1e-9 / ceiling, Counter::kIsRate);
}

void add(const Case& c) {
  const char* scales[] = {"", "/tensor", "/row", "/block128"};
  std::string label = cat("weight_matmul/", name(c.format), scales[static_cast<int>(c.layout)], "/", c.rows, "x",
                          c.cols, "/m:", c.m, c.cached ? "/cached" : "");
  benchmark::RegisterBenchmark(label.c_str(), [c](benchmark::State& state) { run(state, c); })->UseRealTime();
}

const bool registered = [] {
  struct Shape {
    int64_t rows, cols;
  };
  constexpr Shape kShapes[] = {{2048, 768}, {768, 2048}, {2048, 2048}, {32000, 2048}};
  using enum WeightFormat;
  for (WeightFormat f : {kBF16, kF8E4M3, kQ8_0})
    for (Shape s : kShapes) add({f, s.rows, s.cols, 1});
  for (Shape s : kShapes) add({kF8E4M3, s.rows, s.cols, 1, ScaleLayout::kBlock128});
  for (WeightFormat f : {kF32, kF16, kF8E5M2, kQ4_0, kQ4_1, kQ4_K, kQ5_K, kQ6_K, kIQ4_NL}) add({f, 2048, 2048, 1});
  for (WeightFormat f : {kBF16, kF8E4M3, kQ8_0, kQ4_K}) {
    for (int64_t m : {2, 4, 8, 16}) add({f, 768, 2048, m});
    for (int64_t m : {32, 64, 256}) add({f, 768, 2048, m});
    for (int64_t m : {32, 64}) add({f, 2048, 768, m});
  }
  for (WeightFormat f : {kF32, kBF16, kF8E4M3, kQ8_0})
    for (int64_t n : {256, 512, 1024}) add({f, n, n, n, ScaleLayout::kNone, true});
  for (WeightFormat f : {kBF16, kF8E4M3, kQ8_0, kQ4_K}) add({f, 256, 2048, 1, ScaleLayout::kNone, true});
  return true;
}();

}  // namespace
}  // namespace ingot
