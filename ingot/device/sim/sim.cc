#include "ingot/device/sim/sim.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <string>

#include "ingot/base/error.h"
#include "ingot/device/cpu/thread_pool.h"
#include "ingot/device/sim/worker.h"

namespace ingot::sim {

namespace {

std::string text(Size s) {
  return "(" + std::to_string(s.x) + ", " + std::to_string(s.y) + ", " + std::to_string(s.z) + ")";
}

void check_sizes(const Kernel& kernel, Size groups, Size threads) {
  const uint64_t n = uint64_t(threads.x) * threads.y * threads.z;
  if (n == 0 || n > kernel.max_threads || n % 32 != 0) {
    fail_argument(kernel.name, "threads of a group", "a multiple of 32, at most " + std::to_string(kernel.max_threads),
                  text(threads));
  }
  if (groups.y > 65535 || groups.z > 65535) {
    fail_argument(kernel.name, "groups", "at most 65535 in y and z", text(groups));
  }
}

void check_buffer(const Kernel& kernel, const msl_sim::Param& p, const Args& args) {
  const std::string what = std::string("buffer ") + std::to_string(p.index) + " (" + p.name + ")";
  if (!args.bound[p.index]) {
    if (p.optional) return;
    fail_argument(kernel.name, what, "a binding", "none");
  }
  const void* data = args.buf[p.index];
  const size_t bytes = args.bytes[p.index];
  if (p.kind == msl_sim::ParamKind::kValue) {
    if (!data || bytes != p.bytes) {
      fail_argument(kernel.name, what, std::to_string(p.bytes) + " bytes", std::to_string(data ? bytes : 0));
    }
  } else if (bytes != 0) {
    if (!data) fail_argument(kernel.name, what, "an address for " + std::to_string(bytes) + " bytes", "null");
    if (bytes < p.bytes) {
      fail_argument(kernel.name, what, "at least one element of " + std::to_string(p.bytes) + " bytes",
                    std::to_string(bytes));
    }
  }
  if (reinterpret_cast<uintptr_t>(data) % std::max<size_t>(1, p.alignment) != 0) {
    fail_argument(kernel.name, what, "an address on " + std::to_string(p.alignment) + " bytes",
                  "one on " + std::to_string(uintptr_t(1) << __builtin_ctzl(reinterpret_cast<uintptr_t>(data))));
  }
}

void check_args(const Kernel& kernel, const Args& args) {
  for (int i = 0; i < kernel.param_count; ++i) {
    const msl_sim::Param& p = kernel.params[i];
    if (p.kind != msl_sim::ParamKind::kThreadgroup) {
      check_buffer(kernel, p, args);
    } else if (args.tg_bytes[p.index] == 0) {
      fail_argument(kernel.name, "threadgroup memory " + std::to_string(p.index) + " (" + p.name + ")",
                    "a number of bytes", "0");
    }
  }
}

void set_constants(const Kernel& kernel, Args& args) {
  kernel.set_constants(args);
  for (int i = 0; i < Args::kConstants; ++i) {
    if (args.fc[i].missing()) {
      fail_argument(kernel.name, "function constant " + std::to_string(i), "a value", "none");
    }
  }
}

// Waking another OS thread costs microseconds: only for groups enough.
int workers_for(uint64_t groups, uint64_t threads, const Options& options) {
  constexpr uint64_t kThreadsPerWorker = 4096;
  uint64_t most = uint64_t(options.workers > 0 ? options.workers : num_threads());
  if (options.workers <= 0) most = std::min(most, std::max<uint64_t>(1, groups * threads / kThreadsPerWorker));
  if (kRaceDetector) most = std::min<uint64_t>(most, 4);  // it can tell about 8000 fibers apart
  return int(std::max<uint64_t>(1, std::min(most, groups)));
}

}  // namespace

Stats dispatch(std::string_view name, const Args& given, Size groups, Size threads, Options options) {
  const Kernel* kernel = find(name);
  if (!kernel) fail(ErrorKind::kUnsupported, "simulator", "no kernel '" + std::string(name) + "' in this build");
  check_sizes(*kernel, groups, threads);
  check_args(*kernel, given);

  // Function constants are variables of the kernel's file, and so shared by its launches.
  static std::mutex one_at_a_time;
  std::lock_guard lock(one_at_a_time);
  Args args = given;
  set_constants(*kernel, args);

  const uint64_t total = uint64_t(groups.x) * groups.y * groups.z;
  const Job job = {kernel, &args, groups, threads, options.seed};
  Stats stats;
  stats.workers = workers_for(total, uint64_t(threads.x) * threads.y * threads.z, options);
  std::atomic<uint64_t> next{0}, switches{0};
  std::mutex error_mutex;
  std::string error;
  auto body = [&](int) {
    Worker& worker = Worker::of_this_thread();
    worker.begin(job);
    for (uint64_t group; (group = next.fetch_add(1)) < total;) {
      if (worker.run_group(group)) continue;
      std::lock_guard error_lock(error_mutex);
      if (error.empty()) error = worker.error();
      next = total;
    }
    worker.end();
    switches += worker.switches();
  };
  if (total > 0) {
    if (stats.workers == 1) {
      body(0);
    } else {
      parallel_region(stats.workers, body);
    }
  }
  stats.switches = switches;
  if (!error.empty()) fail(ErrorKind::kState, name, error);
  return stats;
}

}  // namespace ingot::sim
