// y = x W^T (+ bias), as torch.nn.functional.linear.
#pragma once
#include <vector>

#include "ingot/ops/linear/weight.h"

namespace ingot {

// x [..., K] f32, f16 or bf16; w [N, K] in any format; bias [N] or undefined, any floating dtype. The result [..., N]
// has x's dtype. Products accumulate in f32. With bf16 or FP8 weights x is rounded to bf16 where the CPU multiplies
// bf16 (AVX512-BF16, AMX). Up to 16 rows are computed bit-equal to one row at a time. K = 0 gives the bias (or zeros).
// f64: x and w both f64.
INGOT_API Tensor linear(const Tensor& x, const Weight& w, const Tensor& bias = {});
INGOT_API Tensor linear(const Tensor& x, const Tensor& w, const Tensor& bias = {});

// Several weights on the same x [T, K] f32 in one parallel region; one result [T, N_i] f32 each.
INGOT_API std::vector<Tensor> linear_many(const Tensor& x, const std::vector<const Weight*>& weights);

}  // namespace ingot
