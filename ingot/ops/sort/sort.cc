#include "ingot/ops/sort/sort.h"

#include "ingot/base/error.h"
#include "ingot/ops/copy/copy.h"
#include "ingot/ops/sort/sort_cpu.h"
#include "ingot/tensor/stream.h"

namespace ingot {

namespace {

void check(const char* op, const Tensor& x) {
  if (!x.defined()) fail(ErrorKind::kArgument, op, "undefined tensor");
  if (is_float8(x.dtype())) fail(ErrorKind::kArgument, op, cat("no order on ", x.dtype(), ": cast first"));
  if (!x.device().is_cpu()) fail(ErrorKind::kUnsupported, op, cat("not done on device ", x.device(), " by this build"));
}

Tensor arg_extreme(const char* op, const Tensor& x, std::optional<int64_t> dim, bool keepdim, bool largest) {
  check(op, x);
  if (!dim) {
    Tensor y = arg_extreme(op, reshape(x, {x.numel()}), 0, false, largest);
    return keepdim ? y.view(Dims::filled(x.dim(), 1)) : y;
  }
  int axis = normalize_dim(op, *dim, x.dim());
  Dims sizes = x.sizes();
  if (x.dim() > 0) {
    sizes[axis] = 1;
    if (x.sizes()[axis] == 0 && numel(sizes) > 0)
      fail(ErrorKind::kArgument, op, cat("axis ", axis, " of ", x.sizes(), " is empty: there is no such element"));
  }
  Tensor y = empty(sizes, DType::kI64, x.device());
  cpu_stream().run(op, {x}, {y}, [=] { arg_extreme_cpu(x, axis, largest, y); });
  return keepdim || x.dim() == 0 ? y : y.squeeze(axis);
}

Sorted top(const char* op, const Tensor& x, int axis, int64_t k, bool descending) {
  Dims sizes = x.sizes();
  if (x.dim() > 0) sizes[axis] = k;
  if (x.dim() == 0 && k == 0) sizes.push_back(0);
  Sorted s{empty(sizes, x.dtype(), x.device()), empty(sizes, DType::kI64, x.device())};
  cpu_stream().run(op, {x}, {s.values, s.indices}, [=] { top_cpu(x, axis, k, descending, s.values, s.indices); });
  return s;
}

}  // namespace

Tensor argmax(const Tensor& x, std::optional<int64_t> dim, bool keepdim) {
  return arg_extreme("argmax", x, dim, keepdim, true);
}
Tensor argmin(const Tensor& x, std::optional<int64_t> dim, bool keepdim) {
  return arg_extreme("argmin", x, dim, keepdim, false);
}

Sorted topk(const Tensor& x, int64_t k, int64_t dim, bool largest) {
  check("topk", x);
  int axis = normalize_dim("topk", dim, x.dim());
  int64_t n = x.dim() ? x.sizes()[axis] : 1;
  if (k < 0 || k > n) fail_argument("topk", "k", cat("a value in [0, ", n, "]"), cat(k));
  return top("topk", x, axis, k, largest);
}

Sorted sort(const Tensor& x, int64_t dim, bool descending) {
  check("sort", x);
  int axis = normalize_dim("sort", dim, x.dim());
  return top("sort", x, axis, x.dim() ? x.sizes()[axis] : 1, descending);
}

}  // namespace ingot
