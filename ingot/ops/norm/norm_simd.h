// Vector kernels of normalisation: one row each, in f32.
#pragma once
#include <cstdint>

#include "ingot/device/cpu/isa.h"

namespace ingot {

// Indices into the tables below.
enum NormType { kNormF32, kNormF16, kNormBF16, kNormTypes };

struct NormKernels {
  // y[n] = normalised x[n] (* weight[n]) (+ bias[n]); weight and bias may be null. First index: type of x and y;
  // second: of the weight and bias.
  void (*rms[kNormTypes][kNormTypes])(const void* x, const void* weight, void* y, int64_t n, float eps);
  void (*layer[kNormTypes][kNormTypes])(const void* x, const void* weight, const void* bias, void* y, int64_t n,
                                        float eps);
  void (*add[kNormTypes])(const void* a, const void* b, void* sum, int64_t n);
};
INGOT_SIMD_TABLE(NormKernels, norm_kernels)

}  // namespace ingot
