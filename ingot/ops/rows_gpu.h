// Launches of kernels over the rows of several operands (ingot/ops/rows.h).
#pragma once
#include <initializer_list>

#include "ingot/device/gpu/driver.h"
#include "ingot/ops/rows.h"
#include "ingot/tensor/tensor.h"

namespace ingot {

// Rows along axes [dim, dim + inner) of tensors of one shape, which merge into one axis in each of them; the output
// comes first. The tensors must have elements.
RowsParams rows_params(int dim, int inner, std::initializer_list<const Tensor*> tensors);

// May the rows be read and written four elements at a time: dense, whole fours, aligned to them?
bool rows_are_vectors(const RowsParams& p, std::initializer_list<const Tensor*> tensors);

// A simdgroup does a short row, a group of 256 threads a longer one.
struct RowsLaunch {
  bool wide;
  gpu::Size groups, threads;
};
RowsLaunch rows_launch(const RowsParams& p);

// Cuts long rows into p.splits pieces of p.split_length elements where there are too few rows to keep a GPU busy.
void split_rows(RowsParams& p);

}  // namespace ingot
