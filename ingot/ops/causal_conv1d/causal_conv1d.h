// The short depthwise convolution of hybrid models (LFM2, gated delta nets), with the history that decoding needs.
#pragma once
#include "ingot/tensor/tensor.h"

namespace ingot {

// y[t, c] = bias[c] + sum_j weight[c, j] * p[t - (K - 1) + j], p = state rows before x rows. x [T, C] f32, f16 or bf16,
// any strides; weight [C, K] and bias [C] (or undefined) f32 or x's dtype; state [K - 1, C] f32, contiguous: the last K
// - 1 inputs, oldest first, zeros at the start of a sequence. It is updated in place. y [T, C] has x's dtype; computed
// in f32, taps in order j = 0 .. K - 1 and bias last. Feeding a sequence in pieces gives the same bits as feeding it
// whole. T = 0 leaves the state alone.
INGOT_API Tensor causal_conv1d(const Tensor& x, const Tensor& weight, const Tensor& bias, const Tensor& state);

}  // namespace ingot
