// The GPU bodies of the norms: as norm_cpu.h, all tensors on one GPU, rows of x dense. Error kUnsupported for f64.
#pragma once
#include "ingot/tensor/tensor.h"

namespace ingot {

void rms_norm_gpu(const char* op, const Tensor& x, int inner, const Tensor& weight, double eps, const Tensor& y);
void layer_norm_gpu(const char* op, const Tensor& x, int inner, const Tensor& weight, const Tensor& bias, double eps,
                    const Tensor& y);
void rms_norm_add_gpu(const char* op, const Tensor& x, const Tensor& residual, const Tensor& weight, double eps,
                      const Tensor& sum, const Tensor& y);

}  // namespace ingot
