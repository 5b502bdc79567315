// The kernels of the pointwise operators: one function per operation and type that is computed in (f32 for f16, bf16
// and f32; f64; i64 for bool and all integers), over contiguous runs. Converting and gathering is done around them.
#pragma once
#include <cstdint>

#include "ingot/device/cpu/isa.h"

namespace ingot {

enum class Unary : int {
  kAbs,
  kNeg,
  kExp,
  kLog,
  kSqrt,
  kRsqrt,
  kSin,
  kCos,
  kTanh,
  kSigmoid,
  kRelu,
  kSilu,
  kGelu,
  kGeluTanh,
  kElu,
  kMish,
  kHardswish,
  kSoftplus,
  kSquare,
  kReciprocal,
  kFloor,
  kCeil,
  kRound,
  kSign,
  kErf,
  kExpm1,
  kLog1p,
  kLogicalNot,
  kClamp,
  kHardsigmoid,
  kLeakyRelu,
  kRelu6
};
inline constexpr int kNumUnary = 32;

enum class Binary : int {
  kAdd,
  kSub,
  kMul,
  kDiv,
  kPow,
  kMaximum,
  kMinimum,
  kRemainder,
  kEq,
  kNe,
  kLt,
  kLe,
  kGt,
  kGe,
  kLogicalAnd,
  kLogicalOr,
  kSwiglu,
  kBitwiseAnd,
  kBitwiseOr,
  kBitwiseXor
};
inline constexpr int kNumBinary = 20;

enum class Ternary : int { kWhere, kAddcmul, kLerp };
inline constexpr int kNumTernary = 3;

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
