#include "ingot/ops/norm/norm.h"

#include <limits>

#include "ingot/base/error.h"
#include "ingot/ops/copy/copy.h"
#include "ingot/ops/norm/norm_cpu.h"
#include "ingot/ops/norm/norm_gpu.h"
#include "ingot/ops/op_devices.h"
#include "ingot/ops/row_walk.h"
#include "ingot/tensor/stream.h"

namespace ingot {

namespace {

void check_x(const char* op, const char* what, const Tensor& x) {
  if (!x.defined()) fail_argument(op, what, "a tensor", "none");
  if (is_float8(x.dtype())) fail_argument(op, what, "f16, bf16, f32 or f64 (cast float8 first)", cat(x.dtype()));
  if (!is_floating(x.dtype())) fail_argument(op, what, "a floating dtype", cat(x.dtype()));
}

void check_shape(const char* op, const Tensor& x, const Dims& shape) {
  int rank = x.dim(), inner = shape.size();
  bool fits = inner >= 1 && inner <= rank;
  for (int d = 0; fits && d < inner; d++) fits = x.sizes()[rank - inner + d] == shape[d];
  if (!fits) fail_argument(op, "normalized_shape", cat("the last sizes of x, ", x.sizes()), cat(shape));
}

// The weight or bias, contiguous; undefined if it is.
Tensor affine(const char* op, const char* what, const Tensor& w, const Dims& shape, DType x) {
  if (!w.defined()) return w;
  if (w.sizes() != shape) fail_argument(op, what, cat("sizes ", shape), cat(w.sizes()));
  bool halves = w.dtype() == DType::kF16 || w.dtype() == DType::kBF16 || w.dtype() == DType::kF32;
  if (!halves && !(w.dtype() == DType::kF64 && x == DType::kF64))
    fail_argument(op, cat(what, " dtype"), x == DType::kF64 ? "f16, bf16, f32 or f64" : "f16, bf16 or f32",
                  cat(w.dtype()));
  return contiguous(w);
}

Tensor rows_together(const Tensor& x, int inner) { return inner_contiguous(x, inner) ? x : contiguous(x); }

double default_eps(DType t) {
  switch (t) {
    case DType::kF64:
      return std::numeric_limits<double>::epsilon();
    case DType::kF16:
      return 0x1p-10;
    case DType::kBF16:
      return 0x1p-7;
    default:
      return 0x1p-23;
  }
}

}  // namespace

Tensor rms_norm(const Tensor& x, const Dims& normalized_shape, const Tensor& weight, std::optional<double> eps) {
  constexpr const char* op = "rms_norm";
  check_x(op, "x", x);
  check_shape(op, x, normalized_shape);
  check_one_device(op, {&x, &weight});
  int inner = normalized_shape.size();
  Tensor w = affine(op, "weight", weight, normalized_shape, x.dtype());
  Tensor from = rows_together(x, inner), y = empty_like(x);
  if (x.numel() == 0) return y;
  double e = eps ? *eps : default_eps(x.dtype());
  if (x.device().is_cpu()) {
    cpu_stream().run(op, {from, w}, {y}, [=] { rms_norm_cpu(from, inner, w, e, y); });
  } else {
    rms_norm_gpu(op, from, inner, w, e, y);
  }
  return y;
}

Tensor layer_norm(const Tensor& x, const Dims& normalized_shape, const Tensor& weight, const Tensor& bias, double eps) {
  constexpr const char* op = "layer_norm";
  check_x(op, "x", x);
  check_shape(op, x, normalized_shape);
  check_one_device(op, {&x, &weight, &bias});
  int inner = normalized_shape.size();
  Tensor w = affine(op, "weight", weight, normalized_shape, x.dtype());
  Tensor b = affine(op, "bias", bias, normalized_shape, x.dtype());
  // The kernels take the two of one type.
  if (w.defined() && b.defined() && w.dtype() != b.dtype() && x.dtype() != DType::kF64) {
    w = to(w, DType::kF32);
    b = to(b, DType::kF32);
  }
  Tensor from = rows_together(x, inner), y = empty_like(x);
  if (x.numel() == 0) return y;
  if (x.device().is_cpu()) {
    cpu_stream().run(op, {from, w, b}, {y}, [=] { layer_norm_cpu(from, inner, w, b, eps, y); });
  } else {
    layer_norm_gpu(op, from, inner, w, b, eps, y);
  }
  return y;
}

std::pair<Tensor, Tensor> rms_norm_add(const Tensor& x, const Tensor& residual, const Tensor& weight, double eps) {
  constexpr const char* op = "rms_norm_add";
  check_x(op, "x", x);
  check_x(op, "residual", residual);
  check_one_device(op, {&x, &residual, &weight});
  if (x.dim() < 1) fail_argument(op, "x", "at least one dimension", cat(x.sizes()));
  if (x.sizes() != residual.sizes())
    fail_argument(op, "residual", cat("sizes ", x.sizes(), " as x"), cat(residual.sizes()));
  if (x.dtype() != residual.dtype())
    fail_argument(op, "residual", cat("dtype ", x.dtype(), " as x"), cat(residual.dtype()));
  Tensor w = affine(op, "weight", weight, {x.size(-1)}, x.dtype());
  Tensor a = rows_together(x, 1), b = rows_together(residual, 1), sum = empty_like(x), y = empty_like(x);
  if (x.numel() == 0) return {sum, y};
  if (x.device().is_cpu()) {
    cpu_stream().run(op, {a, b, w}, {sum, y}, [=] { rms_norm_add_cpu(a, b, w, eps, sum, y); });
  } else {
    rms_norm_add_gpu(op, a, b, w, eps, sum, y);
  }
  return {sum, y};
}

}  // namespace ingot
