// Matrix products of plain tensors, as torch.mm, bmm and addmm. Both operands f32, f16, bf16 or f64, of one dtype, any
// strides; the result has that dtype. f32 accumulation (f64 for f64), one rounding at the end. K = 0 gives zeros. For
// weights see linear.
#pragma once
#include "ingot/tensor/tensor.h"

namespace ingot {

INGOT_API Tensor mm(const Tensor& a, const Tensor& b);   // [M, K] x [K, N]
INGOT_API Tensor bmm(const Tensor& a, const Tensor& b);  // [B, M, K] x [B, K, N]
// beta * input + alpha * (a b); input broadcasts to [M, N]. With beta = 0 the input is not read: its NaN do not spread.
INGOT_API Tensor addmm(const Tensor& input, const Tensor& a, const Tensor& b, double beta = 1, double alpha = 1);

}  // namespace ingot
