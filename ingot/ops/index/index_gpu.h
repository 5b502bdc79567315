// GPU bodies of indexing, as index_cpu.h; all tensors on one GPU. Indices are checked by the kernels, so an Error comes
// out of the next synchronisation.
#pragma once
#include "ingot/tensor/tensor.h"

namespace ingot {

void embedding_gpu(const Tensor& indices, const Tensor& weight, const Tensor& y);
void gather_gpu(const Tensor& x, int dim, const Tensor& index, const Tensor& y);
void index_select_gpu(const Tensor& x, int dim, const Tensor& index, const Tensor& y);
void add_at_gpu(const char* op, const Tensor& y, int dim, const Tensor& index, bool shared, const Tensor& src,
                double alpha);

}  // namespace ingot
