// The kernels of the reductions. A state is f64 for floating input, i64 for integers.
#pragma once
#include <cstdint>

#include "ingot/device/cpu/isa.h"
#include "ingot/ops/reduce/reduce_ops.h"

namespace ingot {

inline constexpr int kNumReductions = 6;

template <class T, class State>
struct ReduceKernels {
  State (*row[kNumReductions])(const T* x, int64_t n, T c);                          // of a dense run
  void (*columns[kNumReductions])(const T* x, int64_t n, State* state, const T* c);  // state[i] takes in x[i]
};
using ReduceF32Kernels = ReduceKernels<float, double>;
INGOT_SIMD_TABLE(ReduceF32Kernels, reduce_kernels)
const ReduceKernels<double, double>& reduce_f64_kernels();
const ReduceKernels<int64_t, int64_t>& reduce_i64_kernels();

}  // namespace ingot
