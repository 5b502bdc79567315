// The GPU body of softmax and log_softmax.
#pragma once
#include "ingot/tensor/tensor.h"

namespace ingot {

// As softmax_cpu; x and y on one GPU. Error kUnsupported for f64.
void softmax_gpu(const char* op, const Tensor& x, int dim, const Tensor& y, bool log);

}  // namespace ingot
