// CPU body of rope. Heads of x (its last axis) lie together; positions and inv_freq are contiguous; y is contiguous.
#pragma once
#include "ingot/ops/rope/rope.h"

namespace ingot {

void rope_cpu(const Tensor& x, const Tensor& positions, const Tensor& inv_freq, RopeStyle style, double scale,
              const Tensor& y);

}  // namespace ingot
