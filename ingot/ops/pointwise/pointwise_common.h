// What the functions of pointwise_expr.h need in C++ and in kernels alike; included by pointwise_math.h and
// pointwise_kernel.h, inside their namespaces.

// Both keep a NaN in x.
template <class T>
INGOT_INLINE T m_at_least(T x, T low) {
  return x < low ? low : x;
}
template <class T>
INGOT_INLINE T m_at_most(T x, T high) {
  return x > high ? high : x;
}

// Constants of the type that is computed in.
INGOT_INLINE float m_sqrt_half(float) { return 0.70710678f; }
INGOT_INLINE float m_sqrt_two_over_pi(float) { return 0.79788456f; }
INGOT_INLINE float m_gelu_cubic(float) { return 0.044715f; }
