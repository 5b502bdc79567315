#include "ingot/ops/softmax/softmax.h"

#include "ingot/base/error.h"
#include "ingot/ops/softmax/softmax_cpu.h"
#include "ingot/ops/softmax/softmax_gpu.h"
#include "ingot/tensor/stream.h"

namespace ingot {

namespace {

void check_dtype(const char* op, const char* what, DType t) {
  if (is_float8(t)) fail_argument(op, what, "f16, bf16, f32 or f64 (cast float8 first)", name(t));
  if (!is_floating(t)) fail_argument(op, what, "f16, bf16, f32 or f64", name(t));
}

Tensor run(const char* op, const Tensor& x, int64_t dim, std::optional<DType> dtype, bool log) {
  if (!x.defined()) fail(ErrorKind::kArgument, op, "undefined tensor");
  int axis = normalize_dim(op, dim, x.dim());
  check_dtype(op, "x", x.dtype());
  if (dtype) check_dtype(op, "dtype", *dtype);
  Tensor y = empty(x.sizes(), dtype.value_or(x.dtype()), x.device());
  if (x.device().is_cpu()) {
    cpu_stream().run(op, {x}, {y}, [=] { softmax_cpu(x, axis, y, log); });
  } else {
    softmax_gpu(op, x, axis, y, log);
  }
  return y;
}

}  // namespace

Tensor softmax(const Tensor& x, int64_t dim, std::optional<DType> dtype) {
  return run("softmax", x, dim, dtype, false);
}
Tensor log_softmax(const Tensor& x, int64_t dim, std::optional<DType> dtype) {
  return run("log_softmax", x, dim, dtype, true);
}

}  // namespace ingot
