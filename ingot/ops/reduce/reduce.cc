#include "ingot/ops/reduce/reduce.h"

#include "ingot/base/error.h"
#include "ingot/ops/copy/copy.h"
#include "ingot/ops/reduce/reduce_cpu.h"
#include "ingot/ops/reduce/reduce_gpu.h"
#include "ingot/tensor/stream.h"

namespace ingot {

namespace {

void check(const char* op, const Tensor& x) {
  if (!x.defined()) fail(ErrorKind::kArgument, op, "undefined tensor");
  if (is_float8(x.dtype())) fail(ErrorKind::kArgument, op, cat("no arithmetic on ", x.dtype(), ": cast first"));
}

unsigned axes_of(const char* op, const Tensor& x, const Dims& dim) {
  if (dim.empty()) return (1u << x.dim()) - 1;
  unsigned axes = 0;
  for (int64_t d : dim) {
    unsigned bit = 1u << normalize_dim(op, d, x.dim());
    if (axes & bit) fail_argument(op, "dim", "each axis once", cat(dim));
    axes |= bit;
  }
  return axes;
}

Tensor reduce(const char* op, const Tensor& x, const Dims& dim, bool keepdim, DType dtype, Reduction reduction,
              Finish finish = Finish::kNone, double correction = 0) {
  unsigned axes = axes_of(op, x, dim);
  Dims sizes;
  for (int d = 0; d < x.dim(); d++) {
    bool reduced = axes >> d & 1u;
    if (!reduced || keepdim) sizes.push_back(reduced ? 1 : x.sizes()[d]);
    bool needs_one = reduction == Reduction::kMax || reduction == Reduction::kMin;
    if (reduced && needs_one && finish == Finish::kNone && x.sizes()[d] == 0) {
      Dims others = x.sizes();
      for (int k = 0; k < x.dim(); k++)
        if (axes >> k & 1u) others[k] = 1;
      if (numel(others) > 0)
        fail(ErrorKind::kArgument, op, cat("axis ", d, " of ", x.sizes(), " is empty: there is no such value"));
    }
  }
  Tensor y = empty(sizes, dtype, x.device());
  if (x.device().is_cpu()) {
    cpu_stream().run(op, {x}, {y}, [=] { reduce_cpu(x, axes, reduction, finish, correction, y); });
  } else {
    reduce_gpu(op, x, axes, reduction, finish, correction, y);
  }
  return y;
}

DType widened(DType t) { return is_floating(t) ? t : DType::kI64; }
void need_floating(const char* op, const Tensor& x) {
  check(op, x);
  if (!is_floating(x.dtype())) fail_argument(op, "dtype", "a floating one (cast first)", name(x.dtype()));
}

}  // namespace

Tensor sum(const Tensor& x, const Dims& dim, bool keepdim) {
  check("sum", x);
  return reduce("sum", x, dim, keepdim, widened(x.dtype()), Reduction::kSum);
}
Tensor prod(const Tensor& x, const Dims& dim, bool keepdim) {
  check("prod", x);
  return reduce("prod", x, dim, keepdim, widened(x.dtype()), Reduction::kProd);
}
Tensor mean(const Tensor& x, const Dims& dim, bool keepdim) {
  need_floating("mean", x);
  return reduce("mean", x, dim, keepdim, x.dtype(), Reduction::kSum, Finish::kMean);
}
Tensor var(const Tensor& x, const Dims& dim, double correction, bool keepdim) {
  need_floating("var", x);
  return reduce("var", x, dim, keepdim, x.dtype(), Reduction::kSum, Finish::kVar, correction);
}
Tensor stddev(const Tensor& x, const Dims& dim, double correction, bool keepdim) {
  need_floating("std", x);
  return reduce("std", x, dim, keepdim, x.dtype(), Reduction::kSum, Finish::kStd, correction);
}
Tensor amax(const Tensor& x, const Dims& dim, bool keepdim) {
  check("amax", x);
  return reduce("amax", x, dim, keepdim, x.dtype(), Reduction::kMax);
}
Tensor amin(const Tensor& x, const Dims& dim, bool keepdim) {
  check("amin", x);
  return reduce("amin", x, dim, keepdim, x.dtype(), Reduction::kMin);
}
Tensor logsumexp(const Tensor& x, const Dims& dim, bool keepdim) {
  need_floating("logsumexp", x);
  return reduce("logsumexp", x, dim, keepdim, x.dtype(), Reduction::kMax, Finish::kLogSumExp);
}
Tensor any(const Tensor& x, const Dims& dim, bool keepdim) {
  check("any", x);
  // How many are true; 0 also where there are none.
  return to(reduce("any", to(x, DType::kBool), dim, keepdim, DType::kI64, Reduction::kSum), DType::kBool);
}
Tensor all(const Tensor& x, const Dims& dim, bool keepdim) {
  check("all", x);
  return to(reduce("all", to(x, DType::kBool), dim, keepdim, DType::kI64, Reduction::kProd), DType::kBool);
}

}  // namespace ingot
