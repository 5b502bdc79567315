#include "ingot/ops/matmul/matmul.h"

#include "ingot/base/error.h"
#include "ingot/ops/copy/copy.h"
#include "ingot/ops/linear/gemm.h"
#include "ingot/ops/linear/weight_matmul.h"
#include "ingot/ops/op_devices.h"
#include "ingot/ops/pointwise/pointwise.h"
#include "ingot/tensor/stream.h"

namespace ingot {

namespace {

void check_operands(const char* op, const Tensor& a, const Tensor& b, int rank) {
  if (a.dim() != rank || b.dim() != rank)
    fail_argument(op, "operands", cat(rank, " dimensions each"), cat(a.sizes(), " and ", b.sizes()));
  if (a.dtype() != b.dtype()) fail_argument(op, "dtypes", "both the same", cat(a.dtype(), " and ", b.dtype()));
  if (is_float8(a.dtype())) fail_argument(op, "dtype", "no float8 (cast first, or use scaled_mm)", cat(a.dtype()));
  if (!is_floating(a.dtype())) fail_argument(op, "dtype", "f16, bf16, f32 or f64", cat(a.dtype()));
  if (a.size(-1) != b.size(-2)) fail_argument(op, "inner sizes", "equal", cat(a.sizes(), " and ", b.sizes()));
  if (rank == 3 && a.size(0) != b.size(0))
    fail_argument(op, "batch sizes", "equal", cat(a.sizes(), " and ", b.sizes()));
  check_one_device(op, {&a, &b});
}

// a [B, M, K], bt [B, N, K] contiguous.
void multiply_f64(const Tensor& a, const Tensor& bt, const Tensor& y) {
  int64_t batch = a.size(0), m = a.size(1), k = a.size(2), n = bt.size(1);
  const double *pa = a.data<double>(), *pb = bt.data<double>();
  double* out = y.data<double>();
  for (int64_t i = 0; i < batch * m; i++)
    for (int64_t j = 0; j < n; j++) {
      const double *x = pa + i * k, *w = pb + (i / m * n + j) * k;
      double sum = 0;
      for (int64_t l = 0; l < k; l++) sum += x[l] * w[l];
      out[i * n + j] = sum;
    }
}

void multiply(const Tensor& a, const Tensor& bt, const Tensor& y) {
  int64_t batch = a.size(0), m = a.size(1), k = a.size(2), n = bt.size(1);
  WeightFormat format = *weight_format_of(bt.dtype());
  int64_t row = row_bytes(format, k);
  std::vector<MatmulJob> jobs;
  for (int64_t i = 0; i < batch; i++)
    jobs.push_back({{format, static_cast<const char*>(bt.raw_data()) + i * n * row, n, k, row},
                    a.data<float>() + i * m * k,
                    k,
                    nullptr,
                    m,
                    y.data<float>() + i * m * n,
                    n});
  weight_matmul(jobs);
}

Tensor batched(const char* op, const Tensor& a, const Tensor& b) {
  if (!a.device().is_cpu()) {
    Tensor y = empty({a.size(0), a.size(1), b.size(2)}, a.dtype(), a.device());
    gemm_gpu(op, a, b, {}, {}, y);
    return y;
  }
  Tensor bt = contiguous(b.transpose(-2, -1));
  bool f64 = a.dtype() == DType::kF64;
  Tensor x = contiguous(f64 ? a : to(a, DType::kF32));
  Tensor y = empty({a.size(0), a.size(1), b.size(2)}, f64 ? DType::kF64 : DType::kF32);
  cpu_stream().run(op, {x, bt}, {y}, [x, bt, y, f64] { f64 ? multiply_f64(x, bt, y) : multiply(x, bt, y); });
  return to(y, a.dtype());
}

}  // namespace

Tensor bmm(const Tensor& a, const Tensor& b) {
  check_operands("bmm", a, b, 3);
  return batched("bmm", a, b);
}

Tensor mm(const Tensor& a, const Tensor& b) {
  check_operands("mm", a, b, 2);
  return batched("mm", a.unsqueeze(0), b.unsqueeze(0)).squeeze(0);
}

Tensor addmm(const Tensor& input, const Tensor& a, const Tensor& b, double beta, double alpha) {
  check_operands("addmm", a, b, 2);
  Tensor product = mm(a, b);
  if (alpha != 1) product = mul(product, alpha);
  if (beta == 0) return product;
  Tensor scaled = beta == 1 ? input : mul(input, beta);
  if (broadcast_shapes("addmm", scaled.sizes(), product.sizes()) != product.sizes())
    fail_argument("addmm", "input", cat("a shape that broadcasts to ", product.sizes()), cat(input.sizes()));
  return to(add(scaled, product), a.dtype());
}

}  // namespace ingot
