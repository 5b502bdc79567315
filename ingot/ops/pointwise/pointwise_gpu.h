// The GPU bodies of the pointwise operators: as their CPU bodies (pointwise_cpu.h), all operands on one GPU.
#pragma once
#include "ingot/ops/pointwise/pointwise_cpu.h"

namespace ingot {

// `name` is the operator's, for messages; `compute` is f32 or i64. Error kUnsupported for f64.
void unary_gpu(const char* name, Unary op, DType compute, const Tensor& x, const Tensor& y, double a, double b);
void binary_gpu(const char* name, Binary op, DType compute, const Tensor& x, const Operand& z, const Tensor& y);
void ternary_gpu(const char* name, Ternary op, DType compute, const Tensor& x, const Tensor& z, const Operand& w,
                 const Tensor& y, double a);

}  // namespace ingot
