#include "ingot/ops/rope/rope_gpu.h"

#include <algorithm>

#include "ingot/ops/elementwise_gpu.h"
#include "ingot/ops/rope/rope_params.h"
#include "ingot/tensor/gpu_stream.h"

namespace ingot {

void rope_gpu(const Tensor& x, const Tensor& positions, const Tensor& inv_freq, RopeStyle style, double scale,
              const Tensor& y) {
  const double type = element_type("rope", x.dtype());
  Dims rows = x.sizes(), y_strides = y.strides(), x_strides = x.strides();
  for (Dims* d : {&rows, &y_strides, &x_strides}) d->erase(x.dim() - 1);
  // The rows as elements; whether 32 bits suffice is asked of the whole tensors.
  ElementwiseLaunch row = elementwise_launch(rows, {y_strides, x_strides});
  RopeParams p{};
  p.tokens = x.size(-3);
  p.heads = x.size(-2);
  p.dim = x.size(-1);
  p.pairs = inv_freq.numel();
  p.count = row.params.count * (p.dim - p.pairs);
  p.rank = row.params.rank;
  p.scale = float(scale);
  std::copy_n(row.params.sizes, kMaxRank, p.sizes);
  std::copy_n(row.params.strides, 4 * kMaxRank, p.strides);
  DType index = elementwise_launch(x.sizes(), {y.strides(), x.strides()}).index;
  gpu::stream(y.device())
      .launch("rope", {index},
              {{0, type}, {1, element_type("rope", positions.dtype())}, {2, double(style == RopeStyle::kInterleaved)}},
              {uint32_t((p.count + 255) / 256)}, {256}, x, positions, inv_freq, y, p);
}

}  // namespace ingot
