#pragma once
#include <cstdint>

#include "ingot/device/cpu/isa.h"

namespace ingot {

// Reads `bytes` bytes (a multiple of 64 * streams) from p in that many equal strips side by side; returns something
// that depends on all of them.
struct BandwidthKernels {
  uint64_t (*read)(const uint8_t* p, int64_t bytes, int streams, int64_t prefetch);
};
INGOT_SIMD_TABLE(BandwidthKernels, bandwidth_kernels)

}  // namespace ingot
