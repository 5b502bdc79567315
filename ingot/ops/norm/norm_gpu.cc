#include "ingot/ops/norm/norm_gpu.h"

#include "ingot/ops/elementwise_gpu.h"
#include "ingot/ops/rows_gpu.h"
#include "ingot/tensor/gpu_stream.h"

namespace ingot {

namespace {

struct Norm {
  bool centred;
  int inner;
  Tensor residual, weight, bias, sum;  // each may be absent
  double eps;
};

double type_of(const char* op, const Tensor& t) {
  return t.defined() ? element_type(op, t.dtype()) : double(kElementNumber);
}

bool aligned_to_fours(const Tensor& t) {
  return !t.defined() || t.byte_offset() % (4 * int64_t(itemsize(t.dtype()))) == 0;
}

void run(const char* op, const Tensor& x, const Norm& norm, const Tensor& y) {
  const double type = element_type(op, x.dtype());
  const Tensor& residual = norm.residual.defined() ? norm.residual : x;
  RowsParams p = rows_params(x.dim() - norm.inner, norm.inner, {&y, &x, &residual});
  p.a = float(norm.eps);
  RowsLaunch l = rows_launch(p);
  bool vector =
      rows_are_vectors(p, {&y, &x, &residual}) && aligned_to_fours(norm.weight) && aligned_to_fours(norm.bias);
  auto or_else = [](const Tensor& t, const Tensor& other) { return t.defined() ? t : other; };
  gpu::stream(y.device())
      .launch("norm_rows", {},
              {{0, double(norm.centred)},
               {1, double(norm.residual.defined())},
               {2, type},
               {3, type_of(op, norm.weight)},
               {4, type_of(op, norm.bias)},
               {5, double(l.wide)},
               {6, double(vector)}},
              l.groups, l.threads, x, residual, or_else(norm.weight, x), or_else(norm.bias, x), or_else(norm.sum, y), y,
              p);
}

}  // namespace

void rms_norm_gpu(const char* op, const Tensor& x, int inner, const Tensor& weight, double eps, const Tensor& y) {
  run(op, x, {false, inner, {}, weight, {}, {}, eps}, y);
}

void layer_norm_gpu(const char* op, const Tensor& x, int inner, const Tensor& weight, const Tensor& bias, double eps,
                    const Tensor& y) {
  run(op, x, {true, inner, {}, weight, bias, {}, eps}, y);
}

void rms_norm_add_gpu(const char* op, const Tensor& x, const Tensor& residual, const Tensor& weight, double eps,
                      const Tensor& sum, const Tensor& y) {
  run(op, x, {false, 1, residual, weight, {}, sum, eps}, y);
}

}  // namespace ingot
