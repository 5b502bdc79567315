#include "ingot/ops/index/index.h"

#include <algorithm>
#include <cmath>

#include "ingot/base/error.h"
#include "ingot/ops/copy/copy.h"
#include "ingot/ops/index/index_cpu.h"
#include "ingot/ops/index/index_gpu.h"
#include "ingot/ops/op_devices.h"
#include "ingot/tensor/stream.h"

namespace ingot {

namespace {

void check(const char* op, const char* what, const Tensor& t) {
  if (!t.defined()) fail_argument(op, what, "a tensor", "none");
}

void check_index(const char* op, const Tensor& index) {
  check(op, "index", index);
  if (index.dtype() != DType::kI64 && index.dtype() != DType::kI32)
    fail_argument(op, "index dtype", "i64 or i32", cat(index.dtype()));
}

void check_sum(const char* op, const Tensor& x, const char* what, const Tensor& src) {
  if (is_float8(x.dtype())) fail_argument(op, "x dtype", "a type to add in (cast float8 first)", cat(x.dtype()));
  if (x.dtype() == DType::kBool) fail_argument(op, "x dtype", "an integer or floating type", "bool");
  if (src.dtype() != x.dtype()) fail_argument(op, cat(what, " dtype"), cat("x's, ", x.dtype()), cat(src.dtype()));
}

bool is_half(DType t) { return t == DType::kF16 || t == DType::kBF16; }

// x with src added at index, in f32 for the halves.
Tensor add_at(const char* op, const Tensor& x, int dim, const Tensor& index, bool shared, const Tensor& src,
              double alpha) {
  bool half = is_half(x.dtype());
  Tensor y = half ? to(x, DType::kF32) : clone(x), from = half ? to(src, DType::kF32) : src;
  if (from.numel() == 0 || index.numel() == 0) return half ? clone(x) : y;
  if (y.device().is_cpu()) {
    cpu_stream().run(op, {index, from}, {y}, [=] { add_at_cpu(op, y, dim, index, shared, from, alpha); });
  } else {
    add_at_gpu(op, y, dim, index, shared, from, alpha);
  }
  return half ? to(y, x.dtype()) : y;
}

}  // namespace

Tensor embedding(const Tensor& indices, const Tensor& weight) {
  constexpr const char* op = "embedding";
  check_index(op, indices);
  check(op, "weight", weight);
  check_one_device(op, {&indices, &weight});
  if (weight.dim() != 2) fail_argument(op, "weight", "sizes [V, D]", cat(weight.sizes()));
  Dims sizes = indices.sizes();
  sizes.push_back(weight.size(1));
  Tensor y = empty(sizes, weight.dtype(), weight.device());
  if (indices.numel() == 0) return y;
  if (y.device().is_cpu()) {
    cpu_stream().run(op, {indices, weight}, {y}, [=] { embedding_cpu(indices, weight, y); });
  } else {
    embedding_gpu(indices, weight, y);
  }
  return y;
}

Tensor gather(const Tensor& x, int64_t dim, const Tensor& index) {
  constexpr const char* op = "gather";
  check(op, "x", x);
  check_index(op, index);
  check_one_device(op, {&x, &index});
  int axis = normalize_dim(op, dim, x.dim());
  bool fits = index.dim() == x.dim();
  for (int d = 0; fits && d < x.dim(); d++) fits = d == axis || index.sizes()[d] <= x.sizes()[d];
  if (!fits && index.numel() != 0)
    fail_argument(op, "index", cat("the rank of x and sizes of at most ", x.sizes(), " but along axis ", axis),
                  cat(index.sizes()));
  Tensor y = empty(index.sizes(), x.dtype(), x.device());
  if (y.numel() == 0) return y;
  if (y.device().is_cpu()) {
    cpu_stream().run(op, {x, index}, {y}, [=] { gather_cpu(x, axis, index, y); });
  } else {
    gather_gpu(x, axis, index, y);
  }
  return y;
}

Tensor index_select(const Tensor& x, int64_t dim, const Tensor& index) {
  constexpr const char* op = "index_select";
  check(op, "x", x);
  check_index(op, index);
  check_one_device(op, {&x, &index});
  if (index.dim() > 1) fail_argument(op, "index", "at most one dimension", cat(index.sizes()));
  int axis = normalize_dim(op, dim, x.dim());
  Dims sizes = x.sizes();
  if (x.dim() == 0 && index.numel() != 1) fail_argument(op, "index", "one entry for a scalar x", cat(index.sizes()));
  if (x.dim()) sizes[axis] = index.numel();
  Tensor y = empty(sizes, x.dtype(), x.device());
  // With other axes empty there is nothing to copy, but the indices still must be right.
  if (index.numel() == 0) return y;
  if (y.numel() == 0) {
    int64_t limit = x.sizes()[axis];
    for (int64_t i : to_int64s(index))
      if (i >= limit || i < -limit)
        fail(ErrorKind::kIndex, op, cat("index ", i, " is outside axis ", axis, " of size ", limit));
    return y;
  }
  if (y.device().is_cpu()) {
    cpu_stream().run(op, {x, index}, {y}, [=] { index_select_cpu(x, axis, index, y); });
  } else {
    index_select_gpu(x, axis, index, y);
  }
  return y;
}

Tensor scatter_add(const Tensor& x, int64_t dim, const Tensor& index, const Tensor& src) {
  constexpr const char* op = "scatter_add";
  check(op, "x", x);
  check(op, "src", src);
  check_index(op, index);
  check_sum(op, x, "src", src);
  check_one_device(op, {&x, &index, &src});
  int axis = normalize_dim(op, dim, x.dim());
  bool fits = index.dim() == x.dim() && src.dim() == x.dim();
  for (int d = 0; fits && d < x.dim(); d++)
    fits = index.sizes()[d] <= src.sizes()[d] && (d == axis || index.sizes()[d] <= x.sizes()[d]);
  if (!fits && index.numel() != 0)
    fail_argument(
        op, "index",
        cat("the rank of x, sizes of at most src's ", src.sizes(), " and, but along axis ", axis, ", x's ", x.sizes()),
        cat(index.sizes()));
  return add_at(op, x, axis, index, false, src, 1);
}

Tensor index_add(const Tensor& x, int64_t dim, const Tensor& index, const Tensor& source, double alpha) {
  constexpr const char* op = "index_add";
  check(op, "x", x);
  check(op, "source", source);
  check_index(op, index);
  check_sum(op, x, "source", source);
  check_one_device(op, {&x, &index, &source});
  if (index.dim() > 1) fail_argument(op, "index", "at most one dimension", cat(index.sizes()));
  int axis = normalize_dim(op, dim, x.dim());
  Dims sizes = x.sizes();
  if (x.dim()) sizes[axis] = index.numel();
  if (source.sizes() != sizes || (x.dim() == 0 && index.numel() != 1))
    fail_argument(op, "source", cat("sizes ", sizes), cat(source.sizes()));
  if (is_integer(x.dtype()) && (std::trunc(alpha) != alpha || std::fabs(alpha) > 0x1p53))
    fail_argument(op, "alpha", "an integer for integer tensors", cat(alpha));
  return add_at(op, x, axis, index, true, source, alpha);
}

}  // namespace ingot
