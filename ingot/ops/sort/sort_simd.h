// Keys: unsigned integers in the total order of the values.
#pragma once
#include <cstdint>

#include "ingot/device/cpu/isa.h"

namespace ingot {

struct SortKernels {
  // keys[i] orders as x[i] does; with flip = ~0 the other way round.
  void (*keys)(const float* x, uint32_t* keys, int64_t n, uint32_t flip);
  // Positions of the keys below a limit, in order, to `out` (room for n). Returns their number.
  int64_t (*below)(const uint32_t* keys, int64_t n, uint32_t limit, int32_t* out);
};
INGOT_SIMD_TABLE(SortKernels, sort_kernels)

}  // namespace ingot
