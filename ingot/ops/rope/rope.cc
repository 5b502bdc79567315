#include "ingot/ops/rope/rope.h"

#include "ingot/base/error.h"
#include "ingot/ops/copy/copy.h"
#include "ingot/ops/op_devices.h"
#include "ingot/ops/rope/rope_cpu.h"
#include "ingot/ops/rope/rope_gpu.h"
#include "ingot/ops/row_walk.h"
#include "ingot/tensor/stream.h"

namespace ingot {

Tensor rope(const Tensor& x, const Tensor& positions, const Tensor& inv_freq, RopeStyle style, double scale) {
  constexpr const char* op = "rope";
  if (!x.defined() || !positions.defined() || !inv_freq.defined())
    fail_argument(op, "inputs", "three tensors", "an undefined one");
  check_one_device(op, {&x, &positions, &inv_freq});
  if (is_float8(x.dtype())) fail_argument(op, "x dtype", "f16, bf16, f32 or f64 (cast float8 first)", cat(x.dtype()));
  if (!is_floating(x.dtype())) fail_argument(op, "x dtype", "a floating dtype", cat(x.dtype()));
  if (x.dim() < 3) fail_argument(op, "x", "sizes [..., T, H, D]", cat(x.sizes()));
  if (positions.dim() != 1 || positions.size(0) != x.size(-3))
    fail_argument(op, "positions", cat("sizes [", x.size(-3), "]"), cat(positions.sizes()));
  if (positions.dtype() != DType::kI64 && positions.dtype() != DType::kI32)
    fail_argument(op, "positions dtype", "i64 or i32", cat(positions.dtype()));
  if (inv_freq.dim() != 1 || inv_freq.dtype() != DType::kF32)
    fail_argument(op, "inv_freq", "[R/2] f32", cat(inv_freq.sizes(), " ", inv_freq.dtype()));
  if (inv_freq.size(0) > x.size(-1) / 2)
    fail_argument(op, "inv_freq", cat("at most ", x.size(-1) / 2, " frequencies (half of D)"), cat(inv_freq.size(0)));
  Tensor from = inner_contiguous(x, 1) ? x : contiguous(x);
  Tensor p = contiguous(positions), f = contiguous(inv_freq), y = empty_like(x);
  if (x.numel() == 0) return y;
  if (x.device().is_cpu()) {
    cpu_stream().run(op, {from, p, f}, {y}, [=] { rope_cpu(from, p, f, style, scale, y); });
  } else {
    rope_gpu(from, p, f, style, scale, y);
  }
  return y;
}

}  // namespace ingot
