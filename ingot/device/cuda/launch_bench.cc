// What a launch costs, one by one and in a recorded chain, and how fast memory moves.
#include <benchmark/benchmark.h>

#include <vector>

#include "ingot/device/cuda/cuda.h"
#include "ingot/msl/embedded.h"
#include "ingot/msl/msl.h"

namespace ingot::cuda {
namespace {

constexpr const char* kKernels = R"(
#include <metal_stdlib>
#include "ingot/msl/wait_inputs.h"
using namespace metal;
[[kernel]] void plain(device float* y [[buffer(0)]], uint i [[thread_position_in_grid]]) { y[i] += 1.0f; }
[[kernel]] void waiting(device float* y [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  wait_inputs();
  y[i] += 1.0f;
}
)";

gpu::Driver* driver(benchmark::State& state) {
  static const Availability answer = cuda_availability(0);
  static gpu::Driver* const made = answer.available ? make_cuda_driver(0).release() : nullptr;
  if (!made) state.SkipWithError(answer.reason.c_str());
  return made;
}

struct Chain {
  Chain(gpu::Driver& driver, bool waiting) : gpu(driver), memory(driver.allocate(1024)) {
    static const msl::Module module = msl::read("launch_bench.metal", kKernels, msl::read_embedded_header);
    static const auto text = std::make_shared<gpu::KernelText>(gpu::KernelText{
        "launch_bench.metal", msl::emit_metal(module), msl::emit_cuda(module), msl::signatures(module)});
    kernel = &driver.user_kernel(text, waiting ? "waiting" : "plain", {});
    driver.fill({memory.get(), 0}, 0, memory->bytes());
    driver.synchronize();
  }
  void launch() {
    const gpu::Binding bindings[] = {
        {.kind = gpu::Binding::Kind::kSlice, .index = 0, .written = true, .slice = {memory.get(), 0}, .bytes = 1024}};
    gpu.launch({kernel, {1, 1, 1}, {256, 1, 1}, bindings});
  }
  gpu::Driver& gpu;
  std::unique_ptr<gpu::Memory> memory;
  const gpu::Kernel* kernel;
};

constexpr int kLaunches = 500;

// Seconds a launch, until the last has ended.
void direct(benchmark::State& state, bool waiting) {
  gpu::Driver* gpu = driver(state);
  if (!gpu) return;
  Chain chain(*gpu, waiting);
  for (auto _ : state) {
    for (int i = 0; i < kLaunches; ++i) chain.launch();
    gpu->synchronize();
  }
  state.SetItemsProcessed(int64_t(state.iterations()) * kLaunches);
  state.counters["us_per_launch"] = benchmark::Counter(double(state.iterations()) * kLaunches / 1e6,
                                                       benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

// Seconds a launch on the GPU, between events around a replay.
void recorded(benchmark::State& state, bool waiting) {
  gpu::Driver* gpu = driver(state);
  if (!gpu) return;
  Chain chain(*gpu, waiting);
  gpu->begin_recording();
  for (int i = 0; i < kLaunches; ++i) chain.launch();
  const auto recording = gpu->end_recording();
  gpu->replay(*recording);
  double seconds = 0;
  for (auto _ : state) {
    const auto before = gpu->record_event();
    gpu->replay(*recording);
    const auto after = gpu->record_event();
    const double once = gpu->seconds_between(*before, *after);
    state.SetIterationTime(once);
    seconds += once;
  }
  state.counters["us_per_launch"] = seconds * 1e6 / (double(state.iterations()) * kLaunches);
}

void launch_direct(benchmark::State& state) { direct(state, false); }
void launch_direct_waiting(benchmark::State& state) { direct(state, true); }
void launch_recorded(benchmark::State& state) { recorded(state, false); }
void launch_recorded_waiting(benchmark::State& state) { recorded(state, true); }
BENCHMARK(launch_direct)->UseRealTime();
BENCHMARK(launch_direct_waiting)->UseRealTime();
BENCHMARK(launch_recorded)->UseManualTime();
BENCHMARK(launch_recorded_waiting)->UseManualTime();

enum class Way { kUpload, kDownload, kCopy };
void move_memory(benchmark::State& state, Way way) {
  gpu::Driver* gpu = driver(state);
  if (!gpu) return;
  const auto bytes = size_t(state.range(0));
  const auto a = gpu->allocate(bytes), b = gpu->allocate(way == Way::kCopy ? bytes : 1);
  std::vector<char> host(way == Way::kCopy ? 1 : bytes, 'x');
  gpu->fill({a.get(), 0}, 1, bytes);
  gpu->synchronize();
  for (auto _ : state) {
    if (way == Way::kUpload) gpu->upload(host.data(), {a.get(), 0}, bytes);
    if (way == Way::kDownload) gpu->download({a.get(), 0}, host.data(), bytes);
    if (way == Way::kCopy) gpu->copy({a.get(), 0}, {b.get(), 0}, bytes);
    gpu->synchronize();
  }
  state.SetBytesProcessed(int64_t(state.iterations() * bytes) * (way == Way::kCopy ? 2 : 1));
}
void upload(benchmark::State& state) { move_memory(state, Way::kUpload); }
void download(benchmark::State& state) { move_memory(state, Way::kDownload); }
void copy(benchmark::State& state) { move_memory(state, Way::kCopy); }
BENCHMARK(upload)->Arg(4)->Arg(64 << 10)->Arg(4 << 20)->Arg(256 << 20)->UseRealTime();
BENCHMARK(download)->Arg(4)->Arg(64 << 10)->Arg(4 << 20)->Arg(256 << 20)->UseRealTime();
BENCHMARK(copy)->Arg(64 << 10)->Arg(4 << 20)->Arg(int64_t{2} << 30)->UseRealTime();

}  // namespace
}  // namespace ingot::cuda
