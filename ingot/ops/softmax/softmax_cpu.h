// The CPU body of softmax and log_softmax.
#pragma once
#include "ingot/tensor/tensor.h"

namespace ingot {

// y has x's sizes; dim in [0, rank). Work is done in f64 where x or y is f64, in f32 otherwise.
void softmax_cpu(const Tensor& x, int dim, const Tensor& y, bool log);

}  // namespace ingot
