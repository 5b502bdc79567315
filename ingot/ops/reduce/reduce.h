// Reductions along any axes. Names and arguments are PyTorch's.
//
// `dim`: the axes to reduce, each once, negative ones counting from the end; an empty list means all. With keepdim the
// reduced axes stay with size 1. Sums of floating values are held in f64 (GPUs: in two f32) and rounded once. Results
// do not depend on the number of threads. Float8 tensors are refused: cast first. x has any strides and up to 8 axes.
#pragma once
#include "ingot/tensor/tensor.h"

namespace ingot {

// Bool and integers: i64, wrapping. Of nothing: 0.
INGOT_API Tensor sum(const Tensor& x, const Dims& dim = {}, bool keepdim = false);
// Bool and integers: i64, wrapping. Of nothing: 1.
INGOT_API Tensor prod(const Tensor& x, const Dims& dim = {}, bool keepdim = false);
// Floating only. Of nothing: NaN.
INGOT_API Tensor mean(const Tensor& x, const Dims& dim = {}, bool keepdim = false);
// Sum of squared distances from the mean (two passes), by max(0, n - correction): NaN or infinity where that is 0.
// Floating only.
INGOT_API Tensor var(const Tensor& x, const Dims& dim = {}, double correction = 1, bool keepdim = false);
INGOT_API Tensor stddev(const Tensor& x, const Dims& dim = {}, double correction = 1,
                        bool keepdim = false);  // torch.std
// The dtype of x. NaN if there is one. Error where an axis of size 0 would be reduced to something.
INGOT_API Tensor amax(const Tensor& x, const Dims& dim = {}, bool keepdim = false);
INGOT_API Tensor amin(const Tensor& x, const Dims& dim = {}, bool keepdim = false);
// log(sum(exp(x))) without overflow; -inf of nothing and of nothing but -inf. Floating only.
INGOT_API Tensor logsumexp(const Tensor& x, const Dims& dim = {}, bool keepdim = false);
// Bool: is any, are all of x != 0 (NaN counts as true)? Of nothing: false, true.
INGOT_API Tensor any(const Tensor& x, const Dims& dim = {}, bool keepdim = false);
INGOT_API Tensor all(const Tensor& x, const Dims& dim = {}, bool keepdim = false);

}  // namespace ingot
