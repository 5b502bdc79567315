// Element-wise operators of vec. Integers wrap and shift counts are taken modulo the width, so nothing here is
// undefined but a division by zero. Included by msl_vec.h.
#pragma once

namespace metal {

template <class T>
struct as_vec_ {  // what an operand of an operator is: itself, or a swizzle's vec
  typedef T type;
  static constexpr bool swizzle = false;
};
template <class T, int N, int... I>
struct as_vec_<swizzle_<T, N, I...>> {
  typedef vec<T, int(sizeof...(I))> type;
  static constexpr bool swizzle = true;
};

// One binary operator: of two vecs (a scalar converts to one), and of anything with a swizzle. Vecs come by value, so
// that one in memory is loaded by one instruction and not element by element.
#define MSL_VEC_OPERATOR(op, Result, element)                                                   \
  template <class T, int N>                                                                     \
  MSL_INLINE vec<Result, N> operator op(vec<T, N> a, vec<T, N> b) {                             \
    vec<Result, N> r;                                                                           \
    for (int i = 0; i < N; ++i) r.d[i] = element(a.d[i], b.d[i]);                               \
    return r;                                                                                   \
  }                                                                                             \
  template <class T, int N, class S, MSL_REQUIRES(is_arithmetic_<S> || is_floating_point_v<S>)> \
  MSL_INLINE vec<Result, N> operator op(vec<T, N> a, S b) {                                     \
    return a op vec<T, N>(T(b));                                                                \
  }                                                                                             \
  template <class T, int N, class S, MSL_REQUIRES(is_arithmetic_<S> || is_floating_point_v<S>)> \
  MSL_INLINE vec<Result, N> operator op(S a, vec<T, N> b) {                                     \
    return vec<T, N>(T(a)) op b;                                                                \
  }                                                                                             \
  template <class A, class B, MSL_REQUIRES(as_vec_<A>::swizzle || as_vec_<B>::swizzle)>         \
  MSL_INLINE auto operator op(const A& a, const B& b) {                                         \
    return typename as_vec_<A>::type(a) op typename as_vec_<B>::type(b);                        \
  }
// The assigning form, for vecs and swizzles on the left.
#define MSL_VEC_ASSIGN(op)                                                               \
  template <class T, int N, class B>                                                     \
  MSL_INLINE vec<T, N>& operator op##=(vec<T, N>& a, const B& b) {                       \
    return a = a op b;                                                                   \
  }                                                                                      \
  template <class T, int N, int... I, class B>                                           \
  MSL_INLINE swizzle_<T, N, I...>& operator op##=(swizzle_<T, N, I...>& a, const B& b) { \
    return a = a op b;                                                                   \
  }

template <class T>
using wide_ =
    typename conditional<(sizeof(T) < 4), uint, unsigned_of_<T>>::type;  // small integers would promote to int

template <class T>
MSL_INLINE T add_(T a, T b) {
  if constexpr (is_integral_v<T>)
    return T(wide_<T>(a) + wide_<T>(b));
  else
    return T(a + b);
}
template <class T>
MSL_INLINE T subtract_(T a, T b) {
  if constexpr (is_integral_v<T>)
    return T(wide_<T>(a) - wide_<T>(b));
  else
    return T(a - b);
}
template <class T>
MSL_INLINE T multiply_(T a, T b) {
  if constexpr (is_integral_v<T>)
    return T(wide_<T>(a) * wide_<T>(b));
  else
    return T(a * b);
}
template <class T>
MSL_INLINE T divide_(T a, T b) {
  if constexpr (is_signed_integer_<T>)
    return b == T(-1) ? subtract_(T(0), a) : T(a / b);  // the smallest / -1
  else
    return T(a / b);
}
template <class T>
MSL_INLINE T modulo_(T a, T b) {
  if constexpr (is_signed_integer_<T>)
    return b == T(-1) ? T(0) : T(a % b);
  else
    return T(a % b);
}
template <class T>
MSL_INLINE T shift_left_(T a, T count) {
  return T(wide_<T>(a) << (uint(count) & (sizeof(T) * 8 - 1)));
}
template <class T>
MSL_INLINE T shift_right_(T a, T count) {
  return T(a >> (uint(count) & (sizeof(T) * 8 - 1)));
}
template <class T>
MSL_INLINE T and_(T a, T b) {
  return T(a & b);
}
template <class T>
MSL_INLINE T or_(T a, T b) {
  return T(a | b);
}
template <class T>
MSL_INLINE T xor_(T a, T b) {
  return T(a ^ b);
}
template <class T>
MSL_INLINE bool less_(T a, T b) {
  return a < b;
}
template <class T>
MSL_INLINE bool greater_(T a, T b) {
  return a > b;
}
template <class T>
MSL_INLINE bool less_equal_(T a, T b) {
  return a <= b;
}
template <class T>
MSL_INLINE bool greater_equal_(T a, T b) {
  return a >= b;
}
template <class T>
MSL_INLINE bool equal_(T a, T b) {
  return a == b;
}
template <class T>
MSL_INLINE bool not_equal_(T a, T b) {
  return a != b;
}

MSL_VEC_OPERATOR(+, T, add_)
MSL_VEC_OPERATOR(-, T, subtract_)
MSL_VEC_OPERATOR(*, T, multiply_)
MSL_VEC_OPERATOR(/, T, divide_)
MSL_VEC_OPERATOR(%, T, modulo_)
MSL_VEC_OPERATOR(<<, T, shift_left_)
MSL_VEC_OPERATOR(>>, T, shift_right_)
MSL_VEC_OPERATOR(&, T, and_)
MSL_VEC_OPERATOR(|, T, or_)
MSL_VEC_OPERATOR(^, T, xor_)
MSL_VEC_OPERATOR(<, bool, less_)
MSL_VEC_OPERATOR(>, bool, greater_)
MSL_VEC_OPERATOR(<=, bool, less_equal_)
MSL_VEC_OPERATOR(>=, bool, greater_equal_)
MSL_VEC_OPERATOR(==, bool, equal_)
MSL_VEC_OPERATOR(!=, bool, not_equal_)
MSL_VEC_ASSIGN(+)
MSL_VEC_ASSIGN(-)
MSL_VEC_ASSIGN(*)
MSL_VEC_ASSIGN(/)
MSL_VEC_ASSIGN(%)
MSL_VEC_ASSIGN(<<)
MSL_VEC_ASSIGN(>>)
MSL_VEC_ASSIGN(&)
MSL_VEC_ASSIGN(|)
MSL_VEC_ASSIGN(^)
#undef MSL_VEC_OPERATOR
#undef MSL_VEC_ASSIGN

template <class T, int N>
MSL_INLINE vec<T, N> operator-(vec<T, N> a) {
  vec<T, N> r;
  for (int i = 0; i < N; ++i) {
    if constexpr (is_integral_v<T>)
      r.d[i] = subtract_(T(0), a.d[i]);
    else
      r.d[i] = T(-a.d[i]);
  }
  return r;
}
template <class T, int N>
MSL_INLINE vec<T, N> operator~(vec<T, N> a) {
  vec<T, N> r;
  for (int i = 0; i < N; ++i) r.d[i] = T(~a.d[i]);
  return r;
}
template <int N>
MSL_INLINE vec<bool, N> operator!(vec<bool, N> a) {
  vec<bool, N> r;
  for (int i = 0; i < N; ++i) r.d[i] = !a.d[i];
  return r;
}
template <int N>
MSL_INLINE vec<bool, N> operator&&(vec<bool, N> a, vec<bool, N> b) {
  return a & b;
}
template <int N>
MSL_INLINE vec<bool, N> operator||(vec<bool, N> a, vec<bool, N> b) {
  return a | b;
}
template <int N>
MSL_INLINE bool any(vec<bool, N> a) {
  bool r = false;
  for (int i = 0; i < N; ++i) r = r || a.d[i];
  return r;
}
template <int N>
MSL_INLINE bool all(vec<bool, N> a) {
  bool r = true;
  for (int i = 0; i < N; ++i) r = r && a.d[i];
  return r;
}

}  // namespace metal
