#include <benchmark/benchmark.h>

#include "ingot/ops/op_check.h"
#include "ingot/ops/sort/sort.h"

namespace ingot {
namespace {

Tensor input(benchmark::State& state, DType dtype = DType::kF32) {
  return make_input({{state.range(0), state.range(1)}}, dtype, 1);
}
void finish(benchmark::State& state, const Tensor& x) {
  state.SetBytesProcessed(int64_t(state.iterations()) * x.nbytes());
}

void argmax_f32(benchmark::State& state) {
  Tensor x = input(state);
  for (auto _ : state) benchmark::DoNotOptimize(argmax(x, -1).raw_data());
  finish(state, x);
}
void argmax_bf16(benchmark::State& state) {
  Tensor x = input(state, DType::kBF16);
  for (auto _ : state) benchmark::DoNotOptimize(argmax(x, -1).raw_data());
  finish(state, x);
}
void topk50_f32(benchmark::State& state) {
  Tensor x = input(state);
  for (auto _ : state) benchmark::DoNotOptimize(topk(x, 50).values.raw_data());
  finish(state, x);
}
void topk8_f32(benchmark::State& state) {
  Tensor x = input(state);
  for (auto _ : state) benchmark::DoNotOptimize(topk(x, 8).values.raw_data());
  finish(state, x);
}
void sort_f32(benchmark::State& state) {
  Tensor x = input(state);
  for (auto _ : state) benchmark::DoNotOptimize(sort(x).values.raw_data());
  finish(state, x);
}
BENCHMARK(argmax_f32)->Args({1, 128256})->Args({8, 128256})->Args({64, 128})->UseRealTime();
BENCHMARK(argmax_bf16)->Args({1, 128256})->UseRealTime();
BENCHMARK(topk50_f32)->Args({1, 128256})->Args({8, 128256})->UseRealTime();
BENCHMARK(topk8_f32)->Args({1, 128})->Args({64, 128})->UseRealTime();
BENCHMARK(sort_f32)->Args({1, 128256})->Args({64, 1024})->UseRealTime();

}  // namespace
}  // namespace ingot
