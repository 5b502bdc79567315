// Running sums and products along one axis, as torch.cumsum and torch.cumprod.
#pragma once
#include "ingot/tensor/tensor.h"

namespace ingot {

// y[i] = x[0] + ... + x[i] along `dim`; sizes of x, any strides. Bool and integers give i64, wrapping; floating x its
// own dtype, the running value held in f64 and rounded once an element. From a NaN on, all is NaN. Float8 is refused:
// cast first. A scalar is a row of one.
INGOT_API Tensor cumsum(const Tensor& x, int64_t dim);
// y[i] = x[0] * ... * x[i]; the same rules.
INGOT_API Tensor cumprod(const Tensor& x, int64_t dim);

}  // namespace ingot
