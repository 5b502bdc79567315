// For the pointwise kernels: the functions m_* that the expressions are written in, the expressions, and operands that
// may be tensors or one number.
#pragma once
#include <metal_stdlib>
#include "ingot/msl/erf.h"
#include "ingot/ops/elementwise_kernel.h"
#include "ingot/ops/pointwise/pointwise_ops.h"
using namespace metal;

#define INGOT_INLINE static inline

#include "ingot/ops/pointwise/pointwise_common.h"
INGOT_INLINE uint32_t m_bits(float x) { return as_type<uint>(x); }
INGOT_INLINE float m_float(uint32_t u) { return as_type<float>(u); }
INGOT_INLINE float m_abs(float x) { return fabs(x); }
INGOT_INLINE float m_floor(float x) { return floor(x); }
INGOT_INLINE float m_ceil(float x) { return ceil(x); }
INGOT_INLINE float m_round_even(float x) { return rint(x); }
INGOT_INLINE float m_sqrt(float x) { return sqrt(x); }
INGOT_INLINE float m_exp(float x) { return exp(x); }
INGOT_INLINE float m_log(float x) { return log(x); }
INGOT_INLINE float m_sin(float x) { return sin(x); }
INGOT_INLINE float m_cos(float x) { return cos(x); }
INGOT_INLINE float m_tanh(float x) { return tanh(x); }
INGOT_INLINE float m_erf(float x) { return erf(x); }
INGOT_INLINE float m_pow(float x, float y) { return pow(x, y); }
INGOT_INLINE float m_fmod(float x, float y) { return fmod(x, y); }
#include "ingot/ops/pointwise/pointwise_expm1.h"
INGOT_INLINE float m_log1p(float x) {
  float u = 1.0f + x;
  float correction = (x - (u - 1.0f)) / u;
  correction = u > 0.0f && u <= 3.402823466e38f ? correction : 0.0f;
  return fabs(x) < 1.490116119e-8f ? x : log(u) + correction;
}
#include "ingot/ops/pointwise/pointwise_expr.h"
#include "ingot/ops/pointwise/pointwise_int.h"

// An operand that is no tensor but the launch's number.
template <typename I>
float float_operand(device const uchar* x, int type, I i, constant ElementwiseParams& p) {
  return type == kElementNumber ? p.a : load_float(x, type, i);
}
template <typename I>
int64_t int_operand(device const uchar* x, int type, I i, constant ElementwiseParams& p) {
  return type == kElementNumber ? p.int_a : load_int(x, type, i);
}
