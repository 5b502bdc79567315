// Softmax along one axis, as torch.softmax and torch.log_softmax.
#pragma once
#include <optional>

#include "ingot/tensor/tensor.h"

namespace ingot {

// y = exp(x - max) / sum exp(x - max) along `dim`; sizes of x, any strides. f16, bf16, f32, f64; computed in f32 (f64:
// in f64). With `dtype` the result has that type, and x is read as it is: no rounding before. A row holding NaN or
// +inf, and a row that is all -inf, is NaN throughout; otherwise a -inf gives 0. Empty tensors stay empty.
INGOT_API Tensor softmax(const Tensor& x, int64_t dim, std::optional<DType> dtype = {});
// y = x - max - log sum exp(x - max); the same edges, a -inf beside finite values gives -inf.
INGOT_API Tensor log_softmax(const Tensor& x, int64_t dim, std::optional<DType> dtype = {});

}  // namespace ingot
