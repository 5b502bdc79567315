#include "ingot/ops/linear/linear.h"

#include "ingot/base/error.h"
#include "ingot/ops/copy/copy.h"
#include "ingot/ops/linear/gemm.h"
#include "ingot/ops/op_devices.h"
#include "ingot/ops/pointwise/pointwise.h"
#include "ingot/tensor/stream.h"

namespace ingot {

namespace {

void check_x(const char* op, const Tensor& x, int64_t cols) {
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

std::optional<DType> dtype_of_format(WeightFormat format) {
  for (DType t : {DType::kF32, DType::kF16, DType::kBF16, DType::kF8E4M3, DType::kF8E5M2})
    if (weight_format_of(t) == format) return t;
  return {};
}

// A weight's bytes as [1, cols, rows], for a product with x on its left.
Tensor plain_transposed(const Weight& w) {
  const std::optional<DType> dtype = dtype_of_format(w.format);
  if (!dtype || w.scale_layout == ScaleLayout::kBlock128)
    fail(ErrorKind::kUnsupported, "linear",
         cat("weights in ", name(w.format), dtype ? " with scales of 128x128 blocks" : "", " are not done on device ",
             w.device(), " by this build"));
  return Tensor(w.bytes.storage(), w.bytes.byte_offset(), {1, w.cols, w.rows}, {0, 1, w.cols}, *dtype);
}

// x [M, K].
Tensor linear_gpu(const Tensor& x, const Weight& w, const Tensor& bias, DType dtype) {
  check_one_device("linear", {&x, &w.bytes, &w.scales, &bias});
  Tensor y = empty({x.size(0), w.rows}, dtype, x.device());
  gemm_gpu("linear", x.unsqueeze(0), plain_transposed(w), w.scales,
           bias.defined() ? contiguous(to(bias, DType::kF32)) : bias, y.unsqueeze(0));
  return y;
}

}  // namespace

std::vector<Tensor> linear_many(const Tensor& x, const std::vector<const Weight*>& weights) {
  std::vector<Tensor> out;
  for (const Weight* w : weights) {
    check_x("linear", x, w->cols);
    check_one_device("linear", {&x, &w->bytes});
    out.push_back(x.device().is_cpu() ? empty({x.size(0), w->rows}, DType::kF32) : linear_gpu(x, *w, {}, DType::kF32));
  }
  if (!x.device().is_cpu()) return out;
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
  if (!x.device().is_cpu()) return linear_gpu(reshape(x, {rows, w.cols}), w, bias, x.dtype()).view(sizes);
  Tensor flat = to(contiguous(reshape(x, {rows, w.cols})), DType::kF32);
  Tensor y = linear_many(flat, {&w})[0];
  if (bias.defined()) y = add(y, to(bias, DType::kF32));
  return to(y, x.dtype()).view(sizes);
}

Tensor linear(const Tensor& x, const Tensor& w, const Tensor& bias) {
  if (w.dim() != 2) fail_argument("linear", "weight", "2 dimensions", cat(w.sizes()));
  check_one_device("linear", {&x, &w, &bias});
  if (x.device().is_cpu() && (x.dtype() == DType::kF64 || w.dtype() == DType::kF64)) {
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
