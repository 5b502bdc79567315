// The read ceiling: what the kernels that are limited by memory are held against.
#pragma once
#include "ingot/base/export.h"

namespace ingot {

// GB/s (1e9 bytes) of `threads` threads that only read a buffer far larger than any cache: the best of several access
// patterns (1, 2, 4 or 8 streams a thread, with and without a prefetch), each read for its share of `seconds` (at least
// once). The buffer of 1 GiB (less where the machine has little memory) is kept from call to call. Error kArgument
// unless threads >= 1, kMemory where no buffer can be had. One measurement at a time.
INGOT_API double read_bandwidth_gb_s(int threads, double seconds);

// Frees the buffer.
INGOT_API void release_bandwidth_buffer();

}  // namespace ingot
