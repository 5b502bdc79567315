#include "ingot/ops/index/index_gpu.h"

#include <algorithm>

#include "ingot/base/error.h"
#include "ingot/ops/elementwise_gpu.h"
#include "ingot/ops/index/index_params.h"
#include "ingot/tensor/gpu_stream.h"

namespace ingot {

namespace {

// Axes and strides of the threads' work; says which index width fits.
IndexParams walk(const Dims& sizes, const Dims& y, const Dims& x, const Dims& index, DType* width = nullptr) {
  ElementwiseLaunch l = elementwise_launch(sizes, {y, x, index});
  IndexParams p{};
  p.count = l.params.count;
  p.rank = l.params.rank;
  std::copy_n(l.params.sizes, kMaxRank, p.sizes);
  std::copy_n(l.params.strides, 4 * kMaxRank, p.strides);
  if (width) *width = l.index;
  return p;
}

std::string outside(const char* op, int axis) { return cat(op, ": index {a} is outside axis ", axis, " of size {b}"); }

gpu::Size groups_for(const IndexParams& p) { return {uint32_t((p.count + 255) / 256)}; }

// y[...] = x[... with `axis` from index ...]: x_strides (0 along what index replaces) and index_strides are seen from
// y.
void pick(const char* op, const Tensor& x, int axis, const Dims& x_strides, const Tensor& index,
          const Dims& index_strides, const Tensor& y, bool from_the_end) {
  DType width;
  IndexParams p = walk(y.sizes(), y.strides(), x_strides, index_strides, &width);
  p.limit = x.dim() ? x.sizes()[axis] : 1;
  p.step = x.dim() ? x.strides()[axis] : 0;
  // The axis that is indexed adds to the reach that walk() knows.
  int64_t reach = 0;
  for (int d = 0; d < x.dim(); d++) reach += std::abs(x.strides()[d]) * std::max<int64_t>(x.sizes()[d] - 1, 0);
  if (reach > INT32_MAX) width = DType::kI64;
  std::string text = outside(op, axis);
  gpu::stream(y.device())
      .launch(
          "pick_elements", {width},
          {{0, element_type(op, moved_as(x.dtype()))}, {1, element_type(op, index.dtype())}, {2, double(from_the_end)}},
          groups_for(p), {256}, x, index, y, p, gpu::errors(text));
}

}  // namespace

void embedding_gpu(const Tensor& indices, const Tensor& weight, const Tensor& y) {
  if (y.numel() == 0) return;
  Dims from = Dims::filled(y.dim(), 0), at = indices.strides();
  from[y.dim() - 1] = weight.stride(1);
  at.push_back(0);
  pick("embedding", weight, 0, from, indices, at, y, false);
}

void gather_gpu(const Tensor& x, int dim, const Tensor& index, const Tensor& y) {
  Dims from = x.strides();
  if (x.dim()) from[dim] = 0;
  pick("gather", x, dim, from, index, index.strides(), y, true);
}

void index_select_gpu(const Tensor& x, int dim, const Tensor& index, const Tensor& y) {
  Dims from = x.strides(), at = Dims::filled(x.dim(), 0);
  if (x.dim()) {
    from[dim] = 0;
    at[dim] = index.dim() ? index.strides()[0] : 0;
  }
  pick("index_select", x, dim, from, index, at, y, true);
}

void add_at_gpu(const char* op, const Tensor& y, int dim, const Tensor& index, bool shared, const Tensor& src,
                double alpha) {
  auto without = [&](Dims d) {
    if (dim < d.size()) d.erase(dim);
    return d;
  };
  const Dims& shape = shared ? src.sizes() : index.sizes();
  Dims sizes = without(shape);
  if (numel(sizes) == 0) return;
  IndexParams p = walk(sizes, without(y.strides()), without(src.strides()),
                       shared ? Dims::filled(sizes.size(), 0) : without(index.strides()));
  p.limit = y.dim() ? y.sizes()[dim] : 1;
  p.step = y.dim() ? y.strides()[dim] : 0;
  p.length = dim < shape.size() ? shape[dim] : 1;
  p.source_step = src.dim() ? src.strides()[dim] : 0;
  p.index_step = index.dim() ? index.strides()[shared ? 0 : dim] : 0;
  p.alpha = float(alpha);
  p.int_alpha = is_floating(y.dtype()) ? 0 : int64_t(alpha);
  std::string text = outside(op, dim);
  gpu::stream(y.device())
      .launch("add_columns", {}, {{0, element_type(op, y.dtype())}, {1, element_type(op, index.dtype())}, {2, 1}},
              groups_for(p), {256}, src, index, y, p, gpu::errors(text));
}

}  // namespace ingot
