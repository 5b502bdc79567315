// What a parallel region costs: nothing in it, called again at once, and after a pause in which the workers fell
// asleep.
#include "ingot/device/cpu/thread_pool.h"

#include <benchmark/benchmark.h>

#include <atomic>
#include <cstdint>
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

// What a region cannot do without: a line of the cache goes to another core and one comes back.
void cache_line_round_trip(benchmark::State& state) {
  struct alignas(128) Line {
    std::atomic<int64_t> value{0};
  } to, from;
  std::thread other([&] {
    for (int64_t seen = 0; seen >= 0; from.value.store(seen, std::memory_order_release)) {
      int64_t now = seen;
      while ((now = to.value.load(std::memory_order_acquire)) == seen) {
      }
      seen = now;
    }
  });
  int64_t trip = 0;
  for (auto _ : state) {
    to.value.store(++trip, std::memory_order_release);
    while (from.value.load(std::memory_order_acquire) != trip) {
    }
  }
  to.value.store(-1, std::memory_order_release);
  other.join();
}
BENCHMARK(cache_line_round_trip)->UseRealTime();

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
