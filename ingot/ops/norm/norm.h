// Normalisation over the last dimensions: layer norm, RMS norm, and RMS norm fused with the residual addition before
// it.
#pragma once
#include <optional>
#include <utility>

#include "ingot/tensor/tensor.h"

namespace ingot {

// Common rules. `normalized_shape` must equal the last sizes of x and name at least one of them; each group of that
// many elements is a row, and a row's result depends on nothing but the row. x: f16, bf16, f32 or f64, any strides;
// computed in f32 (f64: in f64) and rounded once; the result is contiguous and has x's dtype. weight and bias have the
// sizes `normalized_shape` and any of f16, bf16, f32 (f64 only with an f64 x), whatever x is; undefined ones count as 1
// and 0. NaN, an infinity (and in layer_norm any non-finite element) make their row NaN where arithmetic says so. Empty
// tensors stay empty.

// y = x / sqrt(mean(x^2) + eps) * weight. Without eps: the machine epsilon of x's dtype, as
// torch.nn.functional.rms_norm.
INGOT_API Tensor rms_norm(const Tensor& x, const Dims& normalized_shape, const Tensor& weight = {},
                          std::optional<double> eps = {});

// y = (x - mean) / sqrt(mean((x - mean)^2) + eps) * weight + bias. The variance is taken from the centred elements: a
// quiet row on top of a large mean keeps its digits.
INGOT_API Tensor layer_norm(const Tensor& x, const Dims& normalized_shape, const Tensor& weight = {},
                            const Tensor& bias = {}, double eps = 1e-5);

// {s, rms_norm(s, [H], weight, eps)} with s = x + residual, rounded to their dtype; x and residual [..., H] of equal
// sizes and dtype. Bit for bit what the two steps give.
INGOT_API std::pair<Tensor, Tensor> rms_norm_add(const Tensor& x, const Tensor& residual, const Tensor& weight,
                                                 double eps);

}  // namespace ingot
