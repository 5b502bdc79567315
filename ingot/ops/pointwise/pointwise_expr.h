// The scalar expressions of the pointwise operators, written once for C++ and Metal Shading Language. Included inside a
// namespace of the including file after a prelude that defines INGOT_INLINE and the functions m_* (C++:
// pointwise_math.h, kernels: pointwise_kernel.h). T is float, or double in C++. In this file: no library but the
// prelude, no branches on data but the conditional operator, and no literal that is not exact in float.

template <class T>
INGOT_INLINE T e_abs(T x) {
  return m_abs(x);
}
template <class T>
INGOT_INLINE T e_neg(T x) {
  return -x;
}
template <class T>
INGOT_INLINE T e_exp(T x) {
  return m_exp(x);
}
template <class T>
INGOT_INLINE T e_log(T x) {
  return m_log(x);
}
template <class T>
INGOT_INLINE T e_sqrt(T x) {
  return m_sqrt(x);
}
template <class T>
INGOT_INLINE T e_rsqrt(T x) {
  return T(1) / m_sqrt(x);
}
template <class T>
INGOT_INLINE T e_sin(T x) {
  return m_sin(x);
}
template <class T>
INGOT_INLINE T e_cos(T x) {
  return m_cos(x);
}
template <class T>
INGOT_INLINE T e_tanh(T x) {
  return m_tanh(x);
}
template <class T>
INGOT_INLINE T e_sigmoid(T x) {
  return T(1) / (T(1) + m_exp(-x));
}
template <class T>
INGOT_INLINE T e_relu(T x) {
  return x < T(0) ? T(0) : x;
}
template <class T>
INGOT_INLINE T e_silu(T x) {
  return x / (T(1) + m_exp(-x));
}
template <class T>
INGOT_INLINE T e_gelu(T x) {
  return T(0.5f) * x * (T(1) + m_erf(x * m_sqrt_half(x)));
}
// Where the cube overflows, its infinity still gives tanh = +-1.
template <class T>
INGOT_INLINE T e_gelu_tanh(T x) {
  T inner = m_sqrt_two_over_pi(x) * (x + m_gelu_cubic(x) * x * x * x);
  return T(0.5f) * x * (T(1) + m_tanh(inner));
}
template <class T>
INGOT_INLINE T e_elu(T x, T alpha) {
  return x > T(0) ? x : alpha * m_expm1(x);
}
// x tanh(log(1 + e^x)) with w = e^x: x w (w + 2) / (w (w + 2) + 2). Beyond 20 the factor is 1, and w^2 might overflow.
template <class T>
INGOT_INLINE T e_mish(T x) {
  T w = m_exp(x > T(20) ? T(20) : x);
  T n = w * (w + T(2));
  T y = x * (n / (n + T(2)));
  return x > T(20) ? x : y;
}
template <class T>
INGOT_INLINE T e_hardsigmoid(T x) {
  return m_at_most(m_at_least(x + T(3), T(0)), T(6)) / T(6);
}
template <class T>
INGOT_INLINE T e_hardswish(T x) {
  return x * (m_at_most(m_at_least(x + T(3), T(0)), T(6)) / T(6));
}
template <class T>
INGOT_INLINE T e_softplus(T x, T beta, T threshold) {
  T scaled = x * beta;
  T y = m_log1p(m_exp(scaled > threshold ? threshold : scaled)) / beta;
  return scaled > threshold ? x : y;
}
template <class T>
INGOT_INLINE T e_square(T x) {
  return x * x;
}
template <class T>
INGOT_INLINE T e_reciprocal(T x) {
  return T(1) / x;
}
template <class T>
INGOT_INLINE T e_floor(T x) {
  return m_floor(x);
}
template <class T>
INGOT_INLINE T e_ceil(T x) {
  return m_ceil(x);
}
template <class T>
INGOT_INLINE T e_round(T x) {
  return m_round_even(x);
}
template <class T>
INGOT_INLINE T e_sign(T x) {
  return (x > T(0) ? T(1) : T(0)) - (x < T(0) ? T(1) : T(0));
}
template <class T>
INGOT_INLINE T e_erf(T x) {
  return m_erf(x);
}
template <class T>
INGOT_INLINE T e_expm1(T x) {
  return m_expm1(x);
}
template <class T>
INGOT_INLINE T e_log1p(T x) {
  return m_log1p(x);
}
template <class T>
INGOT_INLINE T e_logical_not(T x) {
  return x == T(0) ? T(1) : T(0);
}
template <class T>
INGOT_INLINE T e_clamp(T x, T low, T high) {
  return m_at_most(m_at_least(x, low), high);
}
template <class T>
INGOT_INLINE T e_leaky_relu(T x, T slope) {
  return x > T(0) ? x : x * slope;
}
template <class T>
INGOT_INLINE T e_relu6(T x) {
  return m_at_most(m_at_least(x, T(0)), T(6));
}

template <class T>
INGOT_INLINE T e_add(T x, T y) {
  return x + y;
}
template <class T>
INGOT_INLINE T e_sub(T x, T y) {
  return x - y;
}
template <class T>
INGOT_INLINE T e_mul(T x, T y) {
  return x * y;
}
template <class T>
INGOT_INLINE T e_div(T x, T y) {
  return x / y;
}
template <class T>
INGOT_INLINE T e_pow(T x, T y) {
  return m_pow(x, y);
}
template <class T>
INGOT_INLINE T e_maximum(T x, T y) {
  return x != x ? x : (x > y ? x : y);
}
template <class T>
INGOT_INLINE T e_minimum(T x, T y) {
  return x != x ? x : (x < y ? x : y);
}
// The remainder has the divisor's sign.
template <class T>
INGOT_INLINE T e_remainder(T x, T y) {
  T r = m_fmod(x, y);
  return r != T(0) && (r < T(0)) != (y < T(0)) ? r + y : r;
}
template <class T>
INGOT_INLINE T e_eq(T x, T y) {
  return x == y ? T(1) : T(0);
}
template <class T>
INGOT_INLINE T e_ne(T x, T y) {
  return x != y ? T(1) : T(0);
}
template <class T>
INGOT_INLINE T e_lt(T x, T y) {
  return x < y ? T(1) : T(0);
}
template <class T>
INGOT_INLINE T e_le(T x, T y) {
  return x <= y ? T(1) : T(0);
}
template <class T>
INGOT_INLINE T e_gt(T x, T y) {
  return x > y ? T(1) : T(0);
}
template <class T>
INGOT_INLINE T e_ge(T x, T y) {
  return x >= y ? T(1) : T(0);
}
template <class T>
INGOT_INLINE T e_logical_and(T x, T y) {
  return x == T(0) ? T(0) : (y == T(0) ? T(0) : T(1));
}
template <class T>
INGOT_INLINE T e_logical_or(T x, T y) {
  return x == T(0) ? (y == T(0) ? T(0) : T(1)) : T(1);
}
template <class T>
INGOT_INLINE T e_swiglu(T gate, T up) {
  return gate / (T(1) + m_exp(-gate)) * up;
}

template <class T>
INGOT_INLINE T e_where(T condition, T x, T y) {
  return condition == T(0) ? y : x;
}
template <class T>
INGOT_INLINE T e_addcmul(T x, T y, T z, T value) {
  return x + value * y * z;
}
// Exact at both ends.
template <class T>
INGOT_INLINE T e_lerp(T x, T y, T weight) {
  return weight < T(0.5f) ? x + weight * (y - x) : y - (y - x) * (T(1) - weight);
}
