#include "ingot/ops/linear/gemm.h"

#include "ingot/base/error.h"
#include "ingot/ops/elementwise_gpu.h"
#include "ingot/ops/linear/gemm_params.h"
#include "ingot/tensor/gpu_stream.h"

namespace ingot {

namespace {

DType meeting_type(DType a, DType b) {
  if (b == DType::kBF16 || is_float8(b)) return DType::kBF16;
  return a == DType::kF16 && b == DType::kF16 ? DType::kF16 : DType::kF32;
}

}  // namespace

void gemm_gpu(const char* op, const Tensor& a, const Tensor& b, const Tensor& scale, const Tensor& bias,
              const Tensor& y) {
  const double a_type = element_type(op, a.dtype()), b_type = element_type(op, b.dtype());
  if (y.numel() == 0) return;
  GemmParams p{};
  p.m = a.size(1);
  p.k = a.size(2);
  p.n = b.size(2);
  p.a_batch = a.stride(0);
  p.a_row = a.stride(1);
  p.a_inner = a.stride(2);
  p.b_batch = b.stride(0);
  p.b_inner = b.stride(1);
  p.b_column = b.stride(2);
  p.a_inner_fast = p.a_inner <= p.a_row;
  p.b_inner_fast = p.b_inner <= p.b_column;
  p.scale_step = scale.defined() && scale.numel() > 1;
  const int64_t groups = a.size(0) * ((p.m + kGemmRows - 1) / kGemmRows) * ((p.n + kGemmColumns - 1) / kGemmColumns);
  if (groups > INT32_MAX) fail(ErrorKind::kArgument, op, cat("a result of sizes ", y.sizes(), " is too large"));
  gpu::stream(y.device())
      .launch("gemm", {meeting_type(a.dtype(), b.dtype())},
              {{0, a_type},
               {1, b_type},
               {2, element_type(op, y.dtype())},
               {3, double(scale.defined())},
               {4, double(bias.defined())}},
              {uint32_t(groups)}, {kGemmThreads}, a, b, y, p, scale, bias);
}

}  // namespace ingot
