// For kernels: erf(x), which Metal's library lacks, within 2 ulp; the polynomials of the CPU's erf
// (ingot/ops/pointwise/pointwise_math.h). erf(NaN) is NaN, erf(+-inf) is +-1.
#pragma once
#include <metal_stdlib>
using namespace metal;

static inline float erf(float x) {
  float t = fabs(x);
  if (t < 1.0f) {
    float s = x * x;
    float p = 7.889094770e-5f;
    p = fma(p, s, -8.020833869e-4f);
    p = fma(p, s, 5.189534508e-3f);
    p = fma(p, s, -2.685444416e-2f);
    p = fma(p, s, 1.128360017e-1f);
    p = fma(p, s, -3.761262714e-1f);
    p = fma(p, s, 1.283791659e-1f);
    return fma(p, x, x);
  }
  if (isnan(x)) return x;
  // 1 - erf(t) = exp(q(t)) for t in [0.95, 4.05]; beyond, erf is 1 in float.
  t = min(t, 4.05f);
  float q = -2.629911354e-6f;
  q = fma(q, t, 1.498183867e-5f);
  q = fma(q, t, 2.228508817e-4f);
  q = fma(q, t, -3.477594615e-3f);
  q = fma(q, t, 2.373002809e-2f);
  q = fma(q, t, -1.065362555e-1f);
  q = fma(q, t, -6.346867823e-1f);
  q = fma(q, t, -1.128938265e+0f);
  q = fma(q, t, 6.815743247e-5f);
  return copysign(1.0f - exp(q), x);
}
