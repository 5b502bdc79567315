// The prelude of pointwise_expr.h for C++: the functions m_* that its expressions are written in. Included inside a
// namespace of the including file, after ingot/device/cpu/simd.h and <math.h>. The float versions are free of branches
// and calls, so a loop over them becomes vector code; each is within about 2 units of the last place. The double
// versions are the C library's. (For kernels, pointwise_kernel.h maps the same names to Metal's.)

INGOT_INLINE uint32_t m_bits(float x) {
  uint32_t u;
  memcpy(&u, &x, 4);
  return u;
}
INGOT_INLINE float m_float(uint32_t u) {
  float x;
  memcpy(&x, &u, 4);
  return x;
}

#include "ingot/ops/pointwise/pointwise_common.h"

INGOT_INLINE double m_sqrt_half(double) { return 0.70710678118654752440; }
INGOT_INLINE double m_sqrt_two_over_pi(double) { return 0.79788456080286535588; }
INGOT_INLINE double m_gelu_cubic(double) { return 0.044715; }

INGOT_INLINE float m_abs(float x) { return __builtin_fabsf(x); }
INGOT_INLINE float m_floor(float x) { return __builtin_floorf(x); }
INGOT_INLINE float m_ceil(float x) { return __builtin_ceilf(x); }
INGOT_INLINE float m_round_even(float x) { return __builtin_rintf(x); }
INGOT_INLINE float m_sqrt(float x) { return __builtin_sqrtf(x); }
INGOT_INLINE float m_copysign(float x, float sign) { return __builtin_copysignf(x, sign); }
INGOT_INLINE float m_fmod(float x, float y) { return __builtin_fmodf(x, y); }
INGOT_INLINE float m_pow(float x, float y) { return __builtin_powf(x, y); }

#include "ingot/ops/pointwise/pointwise_expm1.h"

INGOT_INLINE float m_exp(float x) {
  float clamped = m_at_most(m_at_least(x, -105.0f), 89.0f);
  ExpParts e = m_exp_parts(clamped);
  TwoFactors f = m_power_of_two(e.n_bits);
  float y = (e.r_expm1 + 1.0f) * f.a * f.b;
  return x == x ? y : x;
}

// x = 2^k m with m in [sqrt(1/2), sqrt(2)).
INGOT_INLINE float m_log(float x) {
  bool subnormal = x < 0x1p-126f;
  float scaled = subnormal ? x * 0x1p25f : x;
  uint32_t u = m_bits(scaled) - 0x3F3504F3u;
  float k = float(int32_t(u) >> 23) - (subnormal ? 25.0f : 0.0f);
  float f = m_float((u & 0x7FFFFFu) + 0x3F3504F3u) - 1.0f;
  float p = 6.757462641e-2f;
  p = p * f - 1.169440633e-1f;
  p = p * f + 1.189359937e-1f;
  p = p * f - 1.240307374e-1f;
  p = p * f + 1.421854001e-1f;
  p = p * f - 1.666809072e-1f;
  p = p * f + 2.000216791e-1f;
  p = p * f - 2.500000871e-1f;
  p = p * f + 3.333331195e-1f;
  float f2 = f * f;
  float y = p * (f * f2) + k * 1.42860682030941723212e-6f;
  y = (y - 0.5f * f2) + f;
  y = y + k * 0.693145751953125f;
  y = x == 0.0f ? -__builtin_inff() : y;
  y = x < 0.0f ? __builtin_nanf("") : y;
  y = x == __builtin_inff() ? x : y;
  return x == x ? y : x;
}

INGOT_INLINE float m_log1p(float x) {
  float u = 1.0f + x;
  float lost = x - (u - 1.0f);
  float correction = lost / u;
  correction = u > 0.0f && u < __builtin_inff() ? correction : 0.0f;
  float y = m_log(u) + correction;
  return m_abs(x) < 0x1p-26f ? x : y;
}

INGOT_INLINE float m_tanh(float x) {
  float e = m_expm1(2.0f * m_at_most(m_abs(x), 10.0f));
  return m_copysign(e / (e + 2.0f), x);
}

INGOT_INLINE float m_erf(float x) {
  float s = x * x;
  float p = 7.889094770e-5f;
  p = p * s - 8.020833869e-4f;
  p = p * s + 5.189534508e-3f;
  p = p * s - 2.685444416e-2f;
  p = p * s + 1.128360017e-1f;
  p = p * s - 3.761262714e-1f;
  p = p * s + 1.283791659e-1f;
  float small = p * x + x;
  // erfc(t) = exp(q(t)) for t in [0.95, 4.05]; beyond, erf is 1 in float.
  float t = m_at_most(m_abs(x), 4.05f);
  float q = -2.629911354e-6f;
  q = q * t + 1.498183867e-5f;
  q = q * t + 2.228508817e-4f;
  q = q * t - 3.477594615e-3f;
  q = q * t + 2.373002809e-2f;
  q = q * t - 1.065362555e-1f;
  q = q * t - 6.346867823e-1f;
  q = q * t - 1.128938265e+0f;
  q = q * t + 6.815743247e-5f;
  float large = m_copysign(1.0f - m_exp(q), x);
  return m_abs(x) < 1.0f ? small : large;
}

// sin (shift 0) or cos (shift 1) for |x| below 1e8: x = n pi/2 + r, reduced in double. Beyond, use the C library.
INGOT_INLINE float m_sin_cos(float x, int32_t shift) {
  const double magic = 0x1.8p52;
  double shifted = double(x) * 0.63661977236758134308 + magic;
  double n = shifted - magic;
  float r = float(double(x) - n * 1.57079632679489655800 - n * 6.12323399573676603587e-17);
  int32_t quadrant = int32_t(n) + shift;
  float s = r * r;
  float sine = -1.951086281e-4f;
  sine = sine * s + 8.332131652e-3f;
  sine = sine * s - 1.666665423e-1f;
  sine = sine * s * r + r;
  float cosine = 2.443122598e-5f;
  cosine = cosine * s - 1.388730620e-3f;
  cosine = cosine * s + 4.166664566e-2f;
  cosine = cosine * (s * s) + (1.0f - 0.5f * s);
  float y = (quadrant & 1) ? cosine : sine;
  return (quadrant & 2) ? -y : y;
}
inline constexpr float kSinCosLimit = 1e8f;
INGOT_INLINE float m_sin(float x) { return __builtin_sinf(x); }
INGOT_INLINE float m_cos(float x) { return __builtin_cosf(x); }

INGOT_INLINE double m_abs(double x) { return __builtin_fabs(x); }
INGOT_INLINE double m_floor(double x) { return __builtin_floor(x); }
INGOT_INLINE double m_ceil(double x) { return __builtin_ceil(x); }
INGOT_INLINE double m_round_even(double x) { return __builtin_rint(x); }
INGOT_INLINE double m_sqrt(double x) { return __builtin_sqrt(x); }
INGOT_INLINE double m_fmod(double x, double y) { return __builtin_fmod(x, y); }
INGOT_INLINE double m_pow(double x, double y) { return __builtin_pow(x, y); }
INGOT_INLINE double m_exp(double x) { return __builtin_exp(x); }
INGOT_INLINE double m_expm1(double x) { return __builtin_expm1(x); }
INGOT_INLINE double m_log(double x) { return __builtin_log(x); }
INGOT_INLINE double m_log1p(double x) { return __builtin_log1p(x); }
INGOT_INLINE double m_tanh(double x) { return __builtin_tanh(x); }
INGOT_INLINE double m_erf(double x) { return __builtin_erf(x); }
INGOT_INLINE double m_sin(double x) { return __builtin_sin(x); }
INGOT_INLINE double m_cos(double x) { return __builtin_cos(x); }
