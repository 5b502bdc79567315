// Converting contiguous runs of elements. Every conversion goes through one of four wide types, so that 13 x 13 pairs
// need 13 loads and 4 x 13 stores: small floats widen to f32 exactly, small integers to i32; i64, f32 and f64 stand for
// themselves.
#pragma once
#include <cstdint>

#include "ingot/base/dtype.h"
#include "ingot/device/cpu/isa.h"

namespace ingot {

enum Wide : int { kWideI32, kWideI64, kWideF32, kWideF64 };
inline constexpr int kNumWides = 4;

// What a store writes: a dtype, or a float8 with its other overflow rule.
inline constexpr int kStoreE4M3NonSaturating = kNumDTypes, kStoreE5M2Saturating = kNumDTypes + 1,
                     kNumStores = kNumDTypes + 2;

// n elements from `from` to `to`; neither needs to be aligned beyond its own element.
using ConvertRow = void (*)(const void* from, void* to, int64_t n);

struct CopyKernels {
  ConvertRow load[kNumDTypes];              // element -> its wide type; null: it is the wide type
  ConvertRow store[kNumWides][kNumStores];  // wide -> element; null: the same
};
INGOT_SIMD_TABLE(CopyKernels, copy_kernels)

}  // namespace ingot
