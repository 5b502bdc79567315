// The kernels of the pointwise operators: one function per operation and type that is computed in (f32 for f16, bf16
// and f32; f64; i64 for bool and all integers), over contiguous runs. Converting and gathering is done around them.
#pragma once
#include <cstdint>

#include "ingot/device/cpu/isa.h"
#include "ingot/ops/pointwise/pointwise_ops.h"

namespace ingot {

inline constexpr int kNumUnary = 32, kNumBinary = 20, kNumTernary = 3;

// Entries that a type does not have are null. y may be x (or any operand) itself, but not overlap it otherwise.
template <class T>
struct PointwiseKernels {
  using UnaryRow = void (*)(const T* x, T* y, int64_t n, T a, T b);
  using BinaryRow = void (*)(const T* x, const T* z, T* y, int64_t n);
  using TernaryRow = void (*)(const T* x, const T* z, const T* w, T* y, int64_t n, T a);
  UnaryRow unary[kNumUnary];
  BinaryRow binary[kNumBinary];
  TernaryRow ternary[kNumTernary];
};
using PointwiseF32Kernels = PointwiseKernels<float>;
INGOT_SIMD_TABLE(PointwiseF32Kernels, pointwise_kernels)
const PointwiseKernels<double>& pointwise_f64_kernels();
const PointwiseKernels<int64_t>& pointwise_i64_kernels();

}  // namespace ingot
