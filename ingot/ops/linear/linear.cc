#include "ingot/ops/linear/linear.h"

#include "ingot/base/error.h"
#include "ingot/ops/copy/copy.h"
#include "ingot/ops/pointwise/pointwise.h"
#include "ingot/tensor/stream.h"

namespace ingot {

namespace {

void check_x(const char* op, const Tensor& x, int64_t cols) {
  if (!x.device().is_cpu()) fail(ErrorKind::kUnsupported, op, cat("not done on ", x.device(), " yet"));
  if (!is_floating(x.dtype())) fail_argument(op, "x dtype", "a floating type", cat(x.dtype()));
  if (is_float8(x.dtype())) fail_argument(op, "x dtype", "no float8 (cast first)", cat(x.dtype()));
  if (x.dim() < 1 || x.size(-1) != cols)
    fail_argument(op, "x", cat("last size ", cols, " (the weight's columns)"), cat("sizes ", x.sizes()));
}

Tensor linear_f64(const Tensor& x, const Tensor& w) {
  Tensor a = contiguous(x), b = contiguous(w), y = empty({a.size(0), b.size(0)}, DType::kF64);
  cpu_stream().run("linear", {a, b}, {y}, [a, b, y] {
    int64_t m = a.size(0), n = b.size(0), k = a.size(1);
    for (int64_t i = 0; i < m; i++)
      for (int64_t j = 0; j < n; j++) {
        const double *p = a.data<double>() + i * k, *q = b.data<double>() + j * k;
        double sum = 0;
        for (int64_t l = 0; l < k; l++) sum += p[l] * q[l];
        y.data<double>()[i * n + j] = sum;
      }
  });
  return y;
}

}  // namespace

std::vector<Tensor> linear_many(const Tensor& x, const std::vector<const Weight*>& weights) {
  std::vector<Tensor> out;
  for (const Weight* w : weights) {
    check_x("linear", x, w->cols);
    out.push_back(empty({x.size(0), w->rows}, DType::kF32));
  }
  std::vector<Weight> held;
  for (const Weight* w : weights) held.push_back(*w);
  auto body = [x, held, out] {
    std::vector<MatmulJob> jobs;
    for (size_t i = 0; i < held.size(); i++)
      jobs.push_back(
          {held[i].view(), x.data<float>(), x.stride(0), nullptr, x.size(0), out[i].data<float>(), held[i].rows});
    weight_matmul(jobs);
  };
  cpu_stream().run("linear", {x}, {}, body);
  return out;
}

Tensor linear(const Tensor& x, const Weight& w, const Tensor& bias) {
  check_x("linear", x, w.cols);
  if (bias.defined() && (bias.dim() != 1 || bias.size(0) != w.rows || !is_floating(bias.dtype())))
    fail_argument("linear", "bias", cat("[", w.rows, "] of a floating type"), cat(bias.sizes(), " of ", bias.dtype()));
  Dims sizes = x.sizes();
  sizes[sizes.size() - 1] = w.rows;
  int64_t rows = 1;
  for (int i = 0; i + 1 < x.dim(); i++) rows *= x.sizes()[i];
  Tensor flat = to(contiguous(reshape(x, {rows, w.cols})), DType::kF32);
  Tensor y = linear_many(flat, {&w})[0];
  if (bias.defined()) y = add(y, to(bias, DType::kF32));
  return to(y, x.dtype()).view(sizes);
}

Tensor linear(const Tensor& x, const Tensor& w, const Tensor& bias) {
  if (w.dim() != 2) fail_argument("linear", "weight", "2 dimensions", cat(w.sizes()));
  if (x.dtype() == DType::kF64 || w.dtype() == DType::kF64) {
    if (x.dtype() != w.dtype())
      fail_argument("linear", "dtypes", "x and weight both f64", cat(x.dtype(), " and ", w.dtype()));
    check_x("linear", x, w.size(1));
    Dims sizes = x.sizes();
    int64_t rows = numel(sizes) / (w.size(1) ? w.size(1) : 1);
    if (w.size(1) == 0) {
      rows = 1;
      for (int i = 0; i + 1 < x.dim(); i++) rows *= sizes[i];
    }
    sizes[sizes.size() - 1] = w.size(0);
    Tensor y = linear_f64(reshape(x, {rows, w.size(1)}), w);
    return (bias.defined() ? add(y, bias) : y).view(sizes);
  }
  return linear(x, weight_from(w), bias);
}

}  // namespace ingot
