#include "ingot/ops/scan/scan.h"

#include "ingot/base/error.h"
#include "ingot/ops/scan/scan_cpu.h"
#include "ingot/tensor/stream.h"

namespace ingot {

namespace {

Tensor scan(const char* op, const Tensor& x, int64_t dim, bool product) {
  if (!x.defined()) fail(ErrorKind::kArgument, op, "undefined tensor");
  int axis = normalize_dim(op, dim, x.dim());
  if (is_float8(x.dtype())) fail(ErrorKind::kArgument, op, cat("no arithmetic on ", x.dtype(), ": cast first"));
  if (!x.device().is_cpu()) fail(ErrorKind::kUnsupported, op, cat("not done on device ", x.device(), " by this build"));
  Tensor y = empty(x.sizes(), is_floating(x.dtype()) ? x.dtype() : DType::kI64, x.device());
  cpu_stream().run(op, {x}, {y}, [=] { scan_cpu(x, axis, product, y); });
  return y;
}

}  // namespace

Tensor cumsum(const Tensor& x, int64_t dim) { return scan("cumsum", x, dim, false); }
Tensor cumprod(const Tensor& x, int64_t dim) { return scan("cumprod", x, dim, true); }

}  // namespace ingot
