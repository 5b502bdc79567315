#include "ingot/ops/rows_gpu.h"

#include <algorithm>

#include "ingot/base/error.h"
#include "ingot/base/strided_loop.h"

namespace ingot {

namespace {

constexpr int64_t kSimdgroupRow = 1024;  // the longest row that a simdgroup does
constexpr int64_t kSplit = 2048;         // the shortest piece of a row that is worth a group
constexpr int64_t kEnoughGroups = 512;   // keep any GPU busy

Dims without(const Dims& dims, int dim, int inner) {
  Dims rest;
  for (int d = 0; d < dims.size(); d++)
    if (d < dim || d >= dim + inner) rest.push_back(dims[d]);
  return rest;
}

}  // namespace

RowsParams rows_params(int dim, int inner, std::initializer_list<const Tensor*> tensors) {
  const Tensor& y = **tensors.begin();
  RowsParams p{};
  Dims outer = without(y.sizes(), dim, inner);
  p.count = numel(outer);
  p.length = y.numel() / p.count;
  Dims strides[4];
  int k = 0;
  for (const Tensor* t : tensors) {
    strides[k] = without(t->strides(), dim, inner);
    p.steps[k] = 1;
    for (int d = dim; d < dim + inner && d < t->dim(); d++)
      if (t->sizes()[d] > 1) p.steps[k] = t->strides()[d];  // the last one's
    k++;
  }
  for (int i = k; i < 4; i++) strides[i] = strides[0];
  StridedLoop loop = make_strided_loop(outer, {strides[0], strides[1], strides[2], strides[3]});
  p.rank = loop.sizes.size();
  for (int d = 0; d < p.rank; d++) {
    p.sizes[d] = loop.sizes[d];
    for (int i = 0; i < k; i++) p.strides[i * kMaxRank + d] = loop.strides[size_t(i)][d];
  }
  p.splits = 1;
  p.split_length = p.length;
  return p;
}

bool rows_are_vectors(const RowsParams& p, std::initializer_list<const Tensor*> tensors) {
  if (p.length % 4 != 0) return false;
  int k = 0;
  for (const Tensor* t : tensors) {
    if (p.steps[k] != 1 || t->byte_offset() % (4 * int64_t(itemsize(t->dtype()))) != 0) return false;
    for (int d = 0; d < p.rank; d++)
      if (p.sizes[d] > 1 && p.strides[k * kMaxRank + d] % 4 != 0) return false;
    k++;
  }
  return true;
}

RowsLaunch rows_launch(const RowsParams& p) {
  constexpr int64_t kThreads = 256, kSimdgroups = kThreads / 32;
  bool wide = p.length > kSimdgroupRow;
  int64_t groups = wide ? p.count * p.splits : (p.count + kSimdgroups - 1) / kSimdgroups;
  if (groups > INT32_MAX) fail(ErrorKind::kUnsupported, "rows", cat(p.count, " rows are too many for one launch"));
  return {wide, {uint32_t(groups)}, {uint32_t(kThreads)}};
}

void split_rows(RowsParams& p) {
  int64_t splits = std::min(p.length / kSplit, kEnoughGroups / p.count);
  if (splits < 2) return;
  p.split_length = ((p.length + splits - 1) / splits + 3) / 4 * 4;
  p.splits = int((p.length + p.split_length - 1) / p.split_length);
}

}  // namespace ingot
