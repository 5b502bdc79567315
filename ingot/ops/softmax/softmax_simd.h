// What softmax does to a chunk of a row.
#pragma once
#include <cstdint>

#include "ingot/device/cpu/isa.h"

namespace ingot {

// The largest value and the sum of exp(x - max) of a chunk. max is -inf for a chunk of nothing but -inf and NaN (sum:
// 0, or NaN if there is a NaN); NaNs and +inf make the sum NaN.
template <class T>
struct SoftmaxStats {
  T max, sum;
};

template <class T>
struct SoftmaxKernels {
  // Fills e (may be x itself, or null) with exp(x - max).
  SoftmaxStats<T> (*stats)(const T* x, int64_t n, T* e);
  void (*exp_scale)(const T* x, T max, T scale, T* y, int64_t n);   // y = exp(x - max) * scale
  void (*scale)(const T* x, T factor, T* y, int64_t n);             // y = x * factor
  void (*subtract)(const T* x, T max, T log_sum, T* y, int64_t n);  // y = (x - max) - log_sum
};
using SoftmaxF32Kernels = SoftmaxKernels<float>;
INGOT_SIMD_TABLE(SoftmaxF32Kernels, softmax_kernels)

}  // namespace ingot
