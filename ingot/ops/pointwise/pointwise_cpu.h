// The CPU bodies of the pointwise operators.
#pragma once
#include "ingot/ops/pointwise/pointwise_kernels.h"
#include "ingot/tensor/tensor.h"

namespace ingot {

// What is computed in: f32, f64 or i64.
DType compute_dtype(DType result);

// A tensor that broadcasts to the result, or a number.
struct Operand {
  Operand(const Tensor& t) : tensor(t) {}    // NOLINT: implicit on purpose
  Operand(double number) : value(number) {}  // NOLINT
  Tensor tensor;
  double value = 0;
};

// y has the broadcast sizes; operands are converted to `compute` (f32, f64 or i64), results from it to y's dtype.
void unary_cpu(Unary op, DType compute, const Tensor& x, const Tensor& y, double a, double b);
void binary_cpu(Binary op, DType compute, const Operand& x, const Operand& z, const Tensor& y);
void ternary_cpu(Ternary op, DType compute, const Operand& x, const Operand& z, const Operand& w, const Tensor& y,
                 double a);

}  // namespace ingot
