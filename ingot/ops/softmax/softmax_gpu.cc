#include "ingot/ops/softmax/softmax_gpu.h"

#include "ingot/ops/elementwise_gpu.h"
#include "ingot/ops/rows_gpu.h"
#include "ingot/tensor/gpu_stream.h"

namespace ingot {

void softmax_gpu(const char* op, const Tensor& x, int dim, const Tensor& y, bool log) {
  const double from = element_type(op, x.dtype()), to = element_type(op, y.dtype());
  if (y.numel() == 0) return;
  RowsParams p = rows_params(dim, x.dim() ? 1 : 0, {&y, &x});
  split_rows(p);
  RowsLaunch l = rows_launch(p);
  const double vector = rows_are_vectors(p, {&y, &x});
  gpu::Stream& stream = gpu::stream(y.device());
  auto run = [&](const char* kernel, const auto&... arguments) {
    stream.launch(kernel, {}, {{0, double(log)}, {1, from}, {2, to}, {3, double(l.wide)}, {4, vector}}, l.groups,
                  l.threads, arguments..., p);
  };
  if (p.splits == 1) return run("softmax_rows", x, y);
  Tensor partial = empty({p.count, p.splits, 2}, DType::kF32, y.device());
  run("softmax_partial", x, partial);
  run("softmax_finish", x, partial, y);
}

}  // namespace ingot
