// The CPU's memory: aligned, cached by size so that a decode step causes no page faults, counted, and held to a budget.
#pragma once
#include <cstddef>
#include <cstdint>

#include "ingot/base/export.h"

namespace ingot {

inline constexpr size_t kCpuAlignment = 64;

// At least `bytes` bytes (0 gives a valid pointer), 64-byte aligned, contents undefined. Error kMemory if the budget or
// the system refuses, and for more than the machine has. With INGOT_POISON=1 fresh memory is filled with 0xFF (NaN in
// every float type).
INGOT_API void* cpu_allocate(size_t bytes);
INGOT_API void cpu_free(void* pointer) noexcept;

struct CpuMemory {
  size_t used;    // bytes handed out and not yet freed
  size_t cached;  // freed, kept for reuse
  size_t peak;    // highest used + cached since the last reset_cpu_peak()
  size_t budget;  // limit of used + cached; 0: none
};
INGOT_API CpuMemory cpu_memory();
INGOT_API void set_cpu_budget(size_t bytes);
INGOT_API void reset_cpu_peak();
INGOT_API void empty_cpu_cache();

// What the operating system says of this process, bytes: resident now, highest resident so far, and the machine's total
// and free memory.
struct ProcessMemory {
  size_t resident, peak_resident, machine_total, machine_available;
};
INGOT_API ProcessMemory process_memory();

}  // namespace ingot
