// The simulator: runs translated Metal kernels (ingot/msl/emitted.md) on the CPU, one fiber per GPU thread, and reports
// what a GPU would let pass.
//
// dispatch throws Error "kernel: file.metal:line: what" for
//   threads that wait at a barrier others never reach, lanes at different simdgroup operations or returned early,
//   threadgroup memory above 32 KiB, a group of 0 threads, above the kernel's maximum or no multiple of 32, a grid
//   beyond 65535 in y or z, a parameter that is unbound, null, misaligned or of the wrong size, a function constant
//   without value.
// Buffers are then undefined; the next dispatch works. Further mistakes show in sanitizer builds, if every buffer is
// its own heap block: AddressSanitizer sees accesses beyond a buffer or a threadgroup variable,
// UndefinedBehaviorSanitizer misaligned vectors, ThreadSanitizer missing barriers and groups that share memory without
// atomics.
#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

#include "ingot/base/export.h"
#include "ingot/msl/portable/msl_sim.h"

namespace ingot::sim {

using Args = msl_sim::Args;
using Kernel = msl_sim::Register;
using msl_sim::Size;

struct Options {
  uint64_t seed = 0;  // not 0: threads run in a random order of this number
  int workers = 0;    // OS threads at most; 0: as many as pay
};
struct Stats {
  uint64_t switches = 0;  // from one GPU thread to another
  int workers = 0;
};

// Null, or the kernel of that host name.
INGOT_API const Kernel* find(std::string_view name);
INGOT_API std::vector<const Kernel*> kernels();  // all of them, by name

// Runs groups.x * groups.y * groups.z groups of threads.x * threads.y * threads.z threads and returns when all are
// done. No groups: nothing happens. Dispatches of several OS threads run one after another; not
// to be called from the body of a parallel_region.
INGOT_API Stats dispatch(std::string_view kernel, const Args& args, Size groups, Size threads, Options options = {});

}  // namespace ingot::sim
