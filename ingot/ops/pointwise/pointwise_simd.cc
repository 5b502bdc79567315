// Conditional arithmetic becomes vector code only if nobody asks for the exact set of raised flags (clang assumes so
// anyway).
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("no-trapping-math")
#endif
#include <math.h>

#include "ingot/device/cpu/simd.h"
#include "ingot/ops/pointwise/pointwise_kernels.h"

namespace ingot::INGOT_ISA {

namespace {

#include "ingot/ops/pointwise/pointwise_math.h"
//
#include "ingot/ops/pointwise/pointwise_expr.h"
//
#include "ingot/ops/pointwise/pointwise_rows.h"

// The vector code for sin and cos holds for arguments up to a limit; the rare ones beyond are done again by the C
// library.
template <int shift>
void sin_cos_row(const float* x, float* y, int64_t n, float, float) {
  constexpr int64_t kPiece = 256;
  for (int64_t i = 0; i < n; i += kPiece) {
    float piece[kPiece];  // y may be x
    int64_t m = n - i < kPiece ? n - i : kPiece;
    int beyond = 0;
    for (int64_t j = 0; j < m; j++) {
      float v = x[i + j];
      bool in_range = m_abs(v) < kSinCosLimit;
      beyond |= !in_range;
      piece[j] = m_sin_cos(in_range ? v : 0.0f, shift);
    }
    if (beyond)
      for (int64_t j = 0; j < m; j++)
        if (!(m_abs(x[i + j]) < kSinCosLimit)) piece[j] = shift ? cosf(x[i + j]) : sinf(x[i + j]);
    memcpy(y + i, piece, size_t(m) * sizeof(float));
  }
}

// The compiler keeps a scalar square root for the sake of errno.
INGOT_INLINE vf vsqrt(vf x) {
#if defined(__AVX512F__)
  return (vf)_mm512_sqrt_ps((__m512)x);
#elif defined(__AVX2__)
  return (vf)_mm256_sqrt_ps((__m256)x);
#elif defined(__x86_64__)
  return (vf)_mm_sqrt_ps((__m128)x);
#else
  return (vf)vsqrtq_f32((float32x4_t)x);
#endif
}
template <bool reciprocal>
void sqrt_row(const float* x, float* y, int64_t n, float, float) {
  int64_t i = 0;
  for (; i + kLanes <= n; i += kLanes) {
    vf root = vsqrt(load(x + i));
    store(y + i, reciprocal ? 1.0f / root : root);
  }
  if (i == n) return;
  float tail[kLanes] = {};
  memcpy(tail, x + i, size_t(n - i) * sizeof(float));
  vf root = vsqrt(load(tail));
  store(tail, reciprocal ? 1.0f / root : root);
  memcpy(y + i, tail, size_t(n - i) * sizeof(float));
}

constexpr PointwiseKernels<float> make_kernels() {
  PointwiseKernels<float> k = make_pointwise_kernels<float>();
  k.unary[int(Unary::kSin)] = sin_cos_row<0>;
  k.unary[int(Unary::kCos)] = sin_cos_row<1>;
  k.unary[int(Unary::kSqrt)] = sqrt_row<false>;
  k.unary[int(Unary::kRsqrt)] = sqrt_row<true>;
  return k;
}
constexpr PointwiseKernels<float> kKernels = make_kernels();

}  // namespace

const PointwiseF32Kernels& pointwise_kernels() { return kKernels; }

}  // namespace ingot::INGOT_ISA
