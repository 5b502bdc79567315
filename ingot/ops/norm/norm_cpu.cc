#include "ingot/ops/norm/norm_cpu.h"

#include <algorithm>
#include <cmath>

#include "ingot/device/cpu/thread_pool.h"
#include "ingot/ops/norm/norm_simd.h"
#include "ingot/ops/row_walk.h"

namespace ingot {

namespace {

const NormKernels& kernels() { return simd_pick(INGOT_SIMD_LEVELS(norm_kernels)); }

NormType type_of(const Tensor& t) {
  return !t.defined() || t.dtype() == DType::kF32 ? kNormF32 : t.dtype() == DType::kF16 ? kNormF16 : kNormBF16;
}

const void* pointer(const Tensor& t) { return t.defined() ? t.raw_data() : nullptr; }

// Calls body(x row, y row) for every row, in bytes.
template <class F>
void each_row(const Tensor& x, int inner, const Tensor& y, int64_t n, F&& body) {
  RowWalk walk(x, inner);
  int64_t item = static_cast<int64_t>(itemsize(x.dtype()));
  const char* from = static_cast<const char*>(x.raw_data());
  char* to = static_cast<char*>(y.raw_data());
  parallel_for(walk.rows(), std::max<int64_t>(1, 32768 / n), [&](int64_t begin, int64_t end) {
    for (int64_t r = begin; r < end; r++) body(from + walk.offset(r) * item, to + r * n * item);
  });
}

int64_t row_size(const Tensor& x, int inner) {
  int64_t n = 1;
  for (int d = x.dim() - inner; d < x.dim(); d++) n *= x.sizes()[d];
  return n;
}

double at(const Tensor& w, int64_t i, double absent) {
  if (!w.defined()) return absent;
  switch (w.dtype()) {
    case DType::kF64:
      return static_cast<const double*>(w.raw_data())[i];
    case DType::kF32:
      return static_cast<const float*>(w.raw_data())[i];
    case DType::kF16:
      return static_cast<const half*>(w.raw_data())[i];
    default:
      return static_cast<const bfloat*>(w.raw_data())[i];
  }
}

void norm_f64(const Tensor& x, int inner, bool centred, const Tensor& weight, const Tensor& bias, double eps,
              const Tensor& y) {
  int64_t n = row_size(x, inner);
  each_row(x, inner, y, n, [&](const void* from, void* to) {
    const double* p = static_cast<const double*>(from);
    double* q = static_cast<double*>(to);
    double mean = 0, square = 0;
    if (centred) {
      for (int64_t i = 0; i < n; i++) mean += p[i];
      mean /= static_cast<double>(n);
    }
    for (int64_t i = 0; i < n; i++) square += (p[i] - mean) * (p[i] - mean);
    double scale = 1 / std::sqrt(square / static_cast<double>(n) + eps);
    for (int64_t i = 0; i < n; i++) q[i] = (p[i] - mean) * scale * at(weight, i, 1) + at(bias, i, 0);
  });
}

}  // namespace

void rms_norm_cpu(const Tensor& x, int inner, const Tensor& weight, double eps, const Tensor& y) {
  if (x.dtype() == DType::kF64) return norm_f64(x, inner, false, weight, {}, eps, y);
  int64_t n = row_size(x, inner);
  auto kernel = kernels().rms[type_of(x)][type_of(weight)];
  const void* w = pointer(weight);
  each_row(x, inner, y, n, [&](const void* from, void* to) { kernel(from, w, to, n, static_cast<float>(eps)); });
}

void layer_norm_cpu(const Tensor& x, int inner, const Tensor& weight, const Tensor& bias, double eps, const Tensor& y) {
  if (x.dtype() == DType::kF64) return norm_f64(x, inner, true, weight, bias, eps, y);
  int64_t n = row_size(x, inner);
  auto kernel = kernels().layer[type_of(x)][type_of(weight.defined() ? weight : bias)];
  const void *w = pointer(weight), *b = pointer(bias);
  each_row(x, inner, y, n, [&](const void* from, void* to) { kernel(from, w, b, to, n, static_cast<float>(eps)); });
}

void rms_norm_add_cpu(const Tensor& x, const Tensor& residual, const Tensor& weight, double eps, const Tensor& sum,
                      const Tensor& y) {
  int64_t n = x.size(-1), item = static_cast<int64_t>(itemsize(x.dtype()));
  RowWalk x_rows(x, 1), r_rows(residual, 1);
  const char *a = static_cast<const char*>(x.raw_data()), *b = static_cast<const char*>(residual.raw_data());
  char *s = static_cast<char*>(sum.raw_data()), *to = static_cast<char*>(y.raw_data());
  if (x.dtype() == DType::kF64) {
    for (int64_t r = 0; r < x_rows.rows(); r++)
      for (int64_t i = 0; i < n; i++)
        reinterpret_cast<double*>(s)[r * n + i] = reinterpret_cast<const double*>(a)[x_rows.offset(r) + i] +
                                                  reinterpret_cast<const double*>(b)[r_rows.offset(r) + i];
    return norm_f64(sum, 1, false, weight, {}, eps, y);
  }
  auto add = kernels().add[type_of(x)];
  auto norm = kernels().rms[type_of(x)][type_of(weight)];
  const void* w = pointer(weight);
  parallel_for(x_rows.rows(), std::max<int64_t>(1, 32768 / n), [&](int64_t begin, int64_t end) {
    for (int64_t r = begin; r < end; r++) {
      add(a + x_rows.offset(r) * item, b + r_rows.offset(r) * item, s + r * n * item, n);
      norm(s + r * n * item, w, to + r * n * item, n, static_cast<float>(eps));
    }
  });
}

}  // namespace ingot
