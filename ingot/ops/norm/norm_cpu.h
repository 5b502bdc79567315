// CPU bodies of normalisation. The last `inner` dimensions of x lie together; y is contiguous; weight and bias are
// contiguous or undefined and of one dtype.
#pragma once
#include "ingot/tensor/tensor.h"

namespace ingot {

void rms_norm_cpu(const Tensor& x, int inner, const Tensor& weight, double eps, const Tensor& y);
void layer_norm_cpu(const Tensor& x, int inner, const Tensor& weight, const Tensor& bias, double eps, const Tensor& y);
void rms_norm_add_cpu(const Tensor& x, const Tensor& residual, const Tensor& weight, double eps, const Tensor& sum,
                      const Tensor& y);

}  // namespace ingot
