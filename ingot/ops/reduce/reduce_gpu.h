// The GPU body of the reductions.
#pragma once
#include "ingot/ops/reduce/reduce_ops.h"
#include "ingot/tensor/tensor.h"

namespace ingot {

// As reduce_cpu; x and y on one GPU. Sums of floats are held in two f32. Error kUnsupported for f64.
void reduce_gpu(const char* name, const Tensor& x, unsigned axes, Reduction op, Finish finish, double correction,
                const Tensor& y);

}  // namespace ingot
