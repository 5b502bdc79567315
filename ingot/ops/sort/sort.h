// Order along an axis: argmax, argmin, topk, sort. All share one total order: NaN is greatest, -0 equals +0, equal
// values are ordered by index, lowest first. Indices are i64. Any dtype but float8 (cast first), any strides. A scalar
// is a row of one.
#pragma once
#include <optional>

#include "ingot/tensor/tensor.h"

namespace ingot {

// Where the largest (smallest) element of each row along `dim` is; without dim, of the whole tensor in row-major order.
// The first NaN, if there is one, for both. Error where an axis of size 0 would be searched. keepdim: the axis (without
// dim: every axis) stays with size 1.
INGOT_API Tensor argmax(const Tensor& x, std::optional<int64_t> dim = {}, bool keepdim = false);
INGOT_API Tensor argmin(const Tensor& x, std::optional<int64_t> dim = {}, bool keepdim = false);

struct Sorted {
  Tensor values, indices;
};
// The k largest (smallest) elements along `dim`, in order from the most extreme on; so topk of k begins with topk of k
// - 1. 0 <= k <= the axis; Error otherwise.
INGOT_API Sorted topk(const Tensor& x, int64_t k, int64_t dim = -1, bool largest = true);
// All elements along `dim` in order. Stable in both directions: equal elements keep the order of their indices.
INGOT_API Sorted sort(const Tensor& x, int64_t dim = -1, bool descending = false);

}  // namespace ingot
