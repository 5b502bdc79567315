// e^x - 1 without cancellation, for C++ and for kernels; included by pointwise_math.h and pointwise_kernel.h, which
// define m_bits, m_float, m_at_least and m_at_most.

// x = n ln 2 + r with |r| <= ln 2 / 2; gives r, n, and e^r - 1 without cancellation. x within +-150.
struct ExpParts {
  float n, r_expm1;
  uint32_t n_bits;  // n in its low bits
};
INGOT_INLINE ExpParts m_exp_parts(float x) {
  const float magic = 12582912.0f;  // 1.5 * 2^23
  float shifted = x * 1.44269504f + magic;
  float n = shifted - magic;
  float r = x - n * 0.693145751953125f;
  r = r - n * 1.42860682030941723212e-6f;
  float p = 1.991494727e-4f;
  p = p * r + 1.394630058e-3f;
  p = p * r + 8.333270943e-3f;
  p = p * r + 4.166626634e-2f;
  p = p * r + 1.666666683e-1f;
  p = p * r + 5.000000079e-1f;
  ExpParts parts = {n, p * (r * r) + r, m_bits(shifted)};
  return parts;
}
// 2^n as two factors, since n may lie outside the exponents of normal floats.
struct TwoFactors {
  float a, b;
};
INGOT_INLINE TwoFactors m_power_of_two(uint32_t n_bits) {
  int32_t n = int32_t(n_bits << 16) >> 16;
  int32_t half_n = n >> 1;
  TwoFactors f = {m_float(uint32_t(half_n + 127) << 23), m_float(uint32_t(n - half_n + 127) << 23)};
  return f;
}

INGOT_INLINE float m_expm1(float x) {
  float clamped = m_at_most(m_at_least(x, -20.0f), 89.0f);
  ExpParts e = m_exp_parts(clamped);
  TwoFactors f = m_power_of_two(e.n_bits);
  // 2^n (e^r - 1) + (2^n - 1), as 2^n ((e^r - 1) + (1 - 2^-n)) where 2^n might overflow.
  float power = f.a * f.b;
  float low = power * e.r_expm1 + (power - 1.0f);
  float high = (e.r_expm1 + 1.0f) * f.a * f.b - 1.0f;
  float y = e.n > 40.0f ? high : low;
  y = x == 0.0f ? x : y;
  return x == x ? y : x;
}
