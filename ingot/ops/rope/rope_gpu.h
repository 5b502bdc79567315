// The GPU body of rope: as rope_cpu, all tensors on one GPU. Error kUnsupported for f64.
#pragma once
#include "ingot/ops/rope/rope.h"

namespace ingot {

void rope_gpu(const Tensor& x, const Tensor& positions, const Tensor& inv_freq, RopeStyle style, double scale,
              const Tensor& y);

}  // namespace ingot
