// The GPU body of causal_conv1d.
#pragma once
#include "ingot/tensor/tensor.h"

namespace ingot {

// All f32, contiguous, on one GPU: x [T, C], taps [K, C], bias [C] or undefined, y [T, C]; the state is moved on.
void causal_conv1d_gpu(const Tensor& x, const Tensor& taps, const Tensor& bias, const Tensor& state, const Tensor& y);

}  // namespace ingot
