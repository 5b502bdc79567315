// What a parallel region costs: nothing in it, called again at once, and after a pause in which the workers fell
// asleep.
#include "ingot/device/cpu/thread_pool.h"

#include <benchmark/benchmark.h>

#include <thread>

namespace ingot {
namespace {

void empty_region(benchmark::State& state) {
  int before = num_threads();
  set_num_threads(static_cast<int>(state.range(0)));
  for (auto _ : state) parallel_region(num_threads(), [](int) {});
  set_num_threads(before);
}
BENCHMARK(empty_region)->Arg(1)->Arg(2)->Arg(4)->UseRealTime();

void region_of_sleeping_workers(benchmark::State& state) {
  for (auto _ : state) {
    state.PauseTiming();
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    state.ResumeTiming();
    parallel_region(num_threads(), [](int) {});
  }
}
BENCHMARK(region_of_sleeping_workers)->Iterations(200)->UseRealTime();

}  // namespace
}  // namespace ingot
