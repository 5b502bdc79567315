// Matrix products on GPUs: what mm, bmm and linear launch.
#pragma once
#include "ingot/tensor/tensor.h"

namespace ingot {

// y = a b * scale + bias: a [B, M, K] and b [B, K, N] of any strides, y [B, M, N] contiguous, each f32, f16, bf16 or
// (b only) float8; scale [1] or [N] and bias [N], f32 contiguous or undefined. Products are summed in f32, in an order
// that depends on K alone, so a row's bits do not depend on the others. Operands meet as bf16 where b is bf16 or float8
// (a is rounded to it), as f16 where both are, else as f32. K = 0 gives the bias, or zeros. Error kUnsupported for f64.
void gemm_gpu(const char* op, const Tensor& a, const Tensor& b, const Tensor& scale, const Tensor& bias,
              const Tensor& y);

}  // namespace ingot
