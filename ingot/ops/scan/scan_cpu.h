// The CPU body of cumsum and cumprod.
#pragma once
#include "ingot/tensor/tensor.h"

namespace ingot {

// y has x's sizes and x's dtype, or i64 if x is not floating; dim in [0, rank).
void scan_cpu(const Tensor& x, int dim, bool product, const Tensor& y);

}  // namespace ingot
