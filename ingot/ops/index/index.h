// Picking and adding by index: embedding, gather, index_select, scatter_add, index_add.
#pragma once
#include "ingot/tensor/tensor.h"

namespace ingot {

// Common rules. Indices are i32 or i64, any strides. An index outside its axis is an Error kIndex naming the index, the
// axis and its size; nothing is clamped or wrapped. A negative index counts from the end of the axis (-1 is the last),
// but in embedding, where it is an error: there it is a padding id that went astray. Results are fresh and contiguous;
// tensors may exceed 2^31 elements. Indices are checked when the body runs, on a
// GPU by the kernel: the Error then comes out of the next synchronisation. It leaves the inputs as they were.

// y[...] = weight[indices[...]]: weight [V, D] of any dtype, indices of any shape (i.. gives [i.., D]).
INGOT_API Tensor embedding(const Tensor& indices, const Tensor& weight);

// y[i][j][k] = x[index[i][j][k]][j][k] (dim 0; likewise for others). Same rank; index.size(d) <= x.size(d) for every d
// but dim; y has index's sizes.
INGOT_API Tensor gather(const Tensor& x, int64_t dim, const Tensor& index);

// x with its axis `dim` replaced by the entries that index [N] names. A scalar x counts as [1], a scalar index as [1].
INGOT_API Tensor index_select(const Tensor& x, int64_t dim, const Tensor& index);

// A copy of x with y[index[i][j][k]][j][k] += src[i][j][k] (dim 0; likewise for others). Same rank; index.size(d) <=
// src.size(d) for every d and
// <= x.size(d) for every d but dim. src has x's dtype: integers (wrapping) or floats but float8; f16 and bf16 are added
// up in f32 and rounded once. Repeated indices add up in the order of src along dim, whatever the number of threads.
INGOT_API Tensor scatter_add(const Tensor& x, int64_t dim, const Tensor& index, const Tensor& src);

// A copy of x with y[index[i]] += alpha * source[i] along `dim`: index [N], source of x's sizes but N along dim.
// Dtypes, order and rounding as scatter_add; alpha must be an integer for integer tensors.
INGOT_API Tensor index_add(const Tensor& x, int64_t dim, const Tensor& index, const Tensor& source, double alpha = 1);

}  // namespace ingot
