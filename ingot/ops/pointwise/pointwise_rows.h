// Loops over the expressions of pointwise_expr.h, and the table of them. Included inside the same namespace, after it.

template <class T, T (*f)(T)>
void row1(const T* x, T* y, int64_t n, T, T) {
  for (int64_t i = 0; i < n; i++) y[i] = f(x[i]);
}
template <class T, T (*f)(T, T)>
void row1a(const T* x, T* y, int64_t n, T a, T) {
  for (int64_t i = 0; i < n; i++) y[i] = f(x[i], a);
}
template <class T, T (*f)(T, T, T)>
void row1ab(const T* x, T* y, int64_t n, T a, T b) {
  for (int64_t i = 0; i < n; i++) y[i] = f(x[i], a, b);
}
template <class T, T (*f)(T, T)>
void row2(const T* x, const T* z, T* y, int64_t n) {
  for (int64_t i = 0; i < n; i++) y[i] = f(x[i], z[i]);
}
template <class T, T (*f)(T, T, T)>
void row3(const T* x, const T* z, const T* w, T* y, int64_t n, T) {
  for (int64_t i = 0; i < n; i++) y[i] = f(x[i], z[i], w[i]);
}
template <class T, T (*f)(T, T, T, T)>
void row3a(const T* x, const T* z, const T* w, T* y, int64_t n, T a) {
  for (int64_t i = 0; i < n; i++) y[i] = f(x[i], z[i], w[i], a);
}

// In the order of the enums.
template <class T>
constexpr PointwiseKernels<T> make_pointwise_kernels() {
  return {{row1<T, e_abs<T>>,       row1<T, e_neg<T>>,         row1<T, e_exp<T>>,         row1<T, e_log<T>>,
           row1<T, e_sqrt<T>>,      row1<T, e_rsqrt<T>>,       row1<T, e_sin<T>>,         row1<T, e_cos<T>>,
           row1<T, e_tanh<T>>,      row1<T, e_sigmoid<T>>,     row1<T, e_relu<T>>,        row1<T, e_silu<T>>,
           row1<T, e_gelu<T>>,      row1<T, e_gelu_tanh<T>>,   row1a<T, e_elu<T>>,        row1<T, e_mish<T>>,
           row1<T, e_hardswish<T>>, row1ab<T, e_softplus<T>>,  row1<T, e_square<T>>,      row1<T, e_reciprocal<T>>,
           row1<T, e_floor<T>>,     row1<T, e_ceil<T>>,        row1<T, e_round<T>>,       row1<T, e_sign<T>>,
           row1<T, e_erf<T>>,       row1<T, e_expm1<T>>,       row1<T, e_log1p<T>>,       row1<T, e_logical_not<T>>,
           row1ab<T, e_clamp<T>>,   row1<T, e_hardsigmoid<T>>, row1a<T, e_leaky_relu<T>>, row1<T, e_relu6<T>>},
          {row2<T, e_add<T>>,
           row2<T, e_sub<T>>,
           row2<T, e_mul<T>>,
           row2<T, e_div<T>>,
           row2<T, e_pow<T>>,
           row2<T, e_maximum<T>>,
           row2<T, e_minimum<T>>,
           row2<T, e_remainder<T>>,
           row2<T, e_eq<T>>,
           row2<T, e_ne<T>>,
           row2<T, e_lt<T>>,
           row2<T, e_le<T>>,
           row2<T, e_gt<T>>,
           row2<T, e_ge<T>>,
           row2<T, e_logical_and<T>>,
           row2<T, e_logical_or<T>>,
           row2<T, e_swiglu<T>>,
           nullptr,
           nullptr,
           nullptr},
          {row3<T, e_where<T>>, row3a<T, e_addcmul<T>>, row3<T, e_lerp<T>>}};
}
