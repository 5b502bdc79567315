#include <benchmark/benchmark.h>

#include "ingot/ops/op_check.h"
#include "ingot/ops/softmax/softmax.h"

namespace ingot {
namespace {

void bench(benchmark::State& state, DType dtype, Tensor (*f)(const Tensor&, int64_t, std::optional<DType>)) {
  Tensor x = make_input({{state.range(0), state.range(1)}}, dtype, 1);
  for (auto _ : state) benchmark::DoNotOptimize(f(x, -1, {}).raw_data());
  state.SetBytesProcessed(int64_t(state.iterations()) * 2 * x.nbytes());
}
void softmax_f32(benchmark::State& state) { bench(state, DType::kF32, softmax); }
void softmax_bf16(benchmark::State& state) { bench(state, DType::kBF16, softmax); }
void log_softmax_f32(benchmark::State& state) { bench(state, DType::kF32, log_softmax); }

void shapes(benchmark::internal::Benchmark* b) {
  b->Args({1, 128256})->Args({8, 128256})->Args({1, 128})->Args({1024, 1024})->Args({4096, 64})->UseRealTime();
}
BENCHMARK(softmax_f32)->Apply(shapes);
BENCHMARK(softmax_bf16)->Apply(shapes);
BENCHMARK(log_softmax_f32)->Apply(shapes);

}  // namespace
}  // namespace ingot
