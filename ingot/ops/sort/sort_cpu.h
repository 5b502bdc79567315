// The CPU bodies of the ordering operators.
#pragma once
#include "ingot/tensor/tensor.h"

namespace ingot {

// y: i64, the sizes of x with axis dim of size 1.
void arg_extreme_cpu(const Tensor& x, int dim, bool largest, const Tensor& y);
// The first k of each row along dim in ascending order (descending: from the greatest on); values and indices have k in
// place of the axis.
void top_cpu(const Tensor& x, int dim, int64_t k, bool descending, const Tensor& values, const Tensor& indices);

}  // namespace ingot
