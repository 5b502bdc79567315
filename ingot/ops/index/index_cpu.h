// CPU bodies of indexing. Axes are normalised and shapes fit; y is contiguous; index tensors are i64 or i32.
#pragma once
#include "ingot/tensor/tensor.h"

namespace ingot {

void embedding_cpu(const Tensor& indices, const Tensor& weight, const Tensor& y);
void gather_cpu(const Tensor& x, int dim, const Tensor& index, const Tensor& y);
void index_select_cpu(const Tensor& x, int dim, const Tensor& index, const Tensor& y);
// y (x's values already) += src; f32, f64 or an integer dtype. `index` [N] along dim if `shared`, else of src's shape
// or smaller.
void add_at_cpu(const char* op, const Tensor& y, int dim, const Tensor& index, bool shared, const Tensor& src,
                double alpha);

}  // namespace ingot
