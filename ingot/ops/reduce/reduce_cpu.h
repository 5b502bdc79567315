// The CPU bodies of the reductions.
#pragma once
#include <vector>

#include "ingot/ops/reduce/reduce_kernels.h"
#include "ingot/tensor/tensor.h"

namespace ingot {

// y is contiguous and has the elements of x's axes outside `axes` (a bit each), in order. Finish kVar, kStd and
// kLogSumExp read x twice and ignore `op`.
void reduce_cpu(const Tensor& x, unsigned axes, Reduction op, Finish finish, double correction, const Tensor& y);

}  // namespace ingot
