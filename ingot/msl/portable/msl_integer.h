// Metal's integer functions, minimum and maximum of integers, clamp and select. Everything is defined: the absolute
// value of the smallest integer is itself, clz and ctz of 0 give the width, rotations are taken modulo the width.
#pragma once
#include "msl_limits.h"
#include "msl_math.h"

namespace metal {

#define MSL_MIN_MAX(T)                                 \
  MSL_INLINE T min(T a, T b) { return b < a ? b : a; } \
  MSL_INLINE T max(T a, T b) { return a < b ? b : a; }
MSL_MIN_MAX(char)
MSL_MIN_MAX(uchar)
MSL_MIN_MAX(short)
MSL_MIN_MAX(ushort)
MSL_MIN_MAX(int)
MSL_MIN_MAX(uint)
MSL_MIN_MAX(long)
MSL_MIN_MAX(ulong)
#undef MSL_MIN_MAX
template <class T, int N>
MSL_INLINE vec<T, N> min(vec<T, N> a, vec<T, N> b) {
  for (int i = 0; i < N; ++i) a.d[i] = min(a.d[i], b.d[i]);
  return a;
}
template <class T, int N>
MSL_INLINE vec<T, N> max(vec<T, N> a, vec<T, N> b) {
  for (int i = 0; i < N; ++i) a.d[i] = max(a.d[i], b.d[i]);
  return a;
}
template <class T>
MSL_INLINE T min3(T a, T b, T c) {
  return min(a, min(b, c));
}
template <class T>
MSL_INLINE T max3(T a, T b, T c) {
  return max(a, max(b, c));
}
template <class T>
MSL_INLINE T median3(T a, T b, T c) {
  return max(min(a, b), min(max(a, b), c));
}
template <class T>
MSL_INLINE T clamp(T x, T low, T high) {
  return min(max(x, low), high);
}
template <class T, int N>
MSL_INLINE vec<T, N> clamp(vec<T, N> x, T low, T high) {
  return min(max(x, vec<T, N>(low)), vec<T, N>(high));
}

// b where the condition holds, a elsewhere.
template <class T>
MSL_INLINE T select(T a, T b, bool condition) {
  return condition ? b : a;
}
template <class T, int N>
MSL_INLINE vec<T, N> select(vec<T, N> a, vec<T, N> b, vec<bool, N> condition) {
  for (int i = 0; i < N; ++i) a.d[i] = condition.d[i] ? b.d[i] : a.d[i];
  return a;
}

template <class T, MSL_REQUIRES(is_signed_integer_<T>)>
MSL_INLINE T abs(T x) {
  return x < 0 ? subtract_(T(0), x) : x;
}
template <class T, MSL_REQUIRES(is_unsigned_integer_<T>)>
MSL_INLINE T abs(T x) {
  return x;
}
template <class T, MSL_REQUIRES(is_integral_v<T>)>
MSL_INLINE unsigned_of_<T> absdiff(T a, T b) {
  typedef unsigned_of_<T> U;
  return a < b ? U(U(b) - U(a)) : U(U(a) - U(b));
}

// ---- bits
namespace bits_ {
#if defined(__CUDACC__)
MSL_INLINE uint count(ulong x) { return uint(::__popcll(x)); }
MSL_INLINE uint leading(ulong x) { return uint(::__clzll(long(x))); }  // 64 for 0
MSL_INLINE uint trailing(ulong x) { return x == 0 ? 64u : uint(::__ffsll(long(x)) - 1); }
#else
inline uint count(ulong x) { return uint(__builtin_popcountl(x)); }
inline uint leading(ulong x) { return x == 0 ? 64u : uint(__builtin_clzl(x)); }
inline uint trailing(ulong x) { return x == 0 ? 64u : uint(__builtin_ctzl(x)); }
#endif
}  // namespace bits_
template <class T, MSL_REQUIRES(is_integral_v<T>)>
MSL_INLINE T popcount(T x) {
  return T(bits_::count(unsigned_of_<T>(x)));
}
template <class T, MSL_REQUIRES(is_integral_v<T>)>
MSL_INLINE T clz(T x) {
  return T(bits_::leading(unsigned_of_<T>(x)) - (64 - 8 * sizeof(T)));
}
template <class T, MSL_REQUIRES(is_integral_v<T>)>
MSL_INLINE T ctz(T x) {
  return T(x == 0 ? uint(8 * sizeof(T)) : bits_::trailing(unsigned_of_<T>(x)));
}
template <class T, MSL_REQUIRES(is_integral_v<T>)>
MSL_INLINE T reverse_bits(T x) {
  unsigned_of_<T> from = unsigned_of_<T>(x), to = 0;
  for (uint i = 0; i < 8 * sizeof(T); ++i) {
    to = unsigned_of_<T>(to << 1 | (from & 1u));
    from = unsigned_of_<T>(from >> 1);
  }
  return T(to);
}
template <class T, MSL_REQUIRES(is_integral_v<T>)>
MSL_INLINE T rotate(T x, T count) {  // to the left
  const uint width = 8 * sizeof(T), n = uint(count) & (width - 1);
  unsigned_of_<T> u = unsigned_of_<T>(x);
  return n == 0 ? x : T(unsigned_of_<T>(u << n | u >> (width - n)));
}
template <class T, MSL_REQUIRES(is_integral_v<T>)>
MSL_INLINE T extract_bits(T x, uint offset, uint bits) {  // sign-extended where T is signed
  if (bits == 0) return T(0);
  const uint width = 8 * sizeof(T);
  T top = T(unsigned_of_<T>(unsigned_of_<T>(x) << (width - bits - offset)));
  return T(top >> (width - bits));
}
template <class T, MSL_REQUIRES(is_integral_v<T>)>
MSL_INLINE T insert_bits(T base, T insert, uint offset, uint bits) {
  typedef unsigned_of_<T> U;
  if (bits == 0) return base;
  U mask = U(U(U(~U(0)) >> (8 * sizeof(T) - bits)) << offset);
  return T(U(U(U(base) & U(~mask)) | U(U(U(insert) << offset) & mask)));
}

// ---- the upper half of a product
template <class T, MSL_REQUIRES(is_integral_v<T> && sizeof(T) <= 4)>
MSL_INLINE T mulhi(T a, T b) {
  typedef typename conditional<is_signed_integer_<T>, long, ulong>::type Wide;
  return T((Wide(a) * Wide(b)) >> (8 * sizeof(T)));
}
#if defined(__CUDACC__)
MSL_INLINE long mulhi(long a, long b) { return long(::__mul64hi(a, b)); }
MSL_INLINE ulong mulhi(ulong a, ulong b) { return ulong(::__umul64hi(a, b)); }
#else
__extension__ typedef __int128 int128_;
__extension__ typedef unsigned __int128 uint128_;
inline long mulhi(long a, long b) { return long((int128_(a) * b) >> 64); }
inline ulong mulhi(ulong a, ulong b) { return ulong((uint128_(a) * b) >> 64); }
#endif

// ---- arithmetic that stops at the ends of the type
template <class T, MSL_REQUIRES(is_integral_v<T>)>
MSL_INLINE T addsat(T a, T b) {
  T s = add_(a, b);
  if constexpr (is_signed_integer_<T>) {
    if ((a < 0) == (b < 0) && (s < 0) != (a < 0)) return a < 0 ? numeric_limits<T>::min() : numeric_limits<T>::max();
  } else {
    if (s < a) return numeric_limits<T>::max();
  }
  return s;
}
template <class T, MSL_REQUIRES(is_integral_v<T>)>
MSL_INLINE T subsat(T a, T b) {
  T s = subtract_(a, b);
  if constexpr (is_signed_integer_<T>) {
    if ((a < 0) != (b < 0) && (s < 0) != (a < 0)) return a < 0 ? numeric_limits<T>::min() : numeric_limits<T>::max();
  } else {
    if (b > a) return T(0);
  }
  return s;
}

// Element by element, for all of the above with one or two arguments of one type.
#define MSL_INTEGER_UNARY(name)                        \
  template <class T, int N>                            \
  MSL_INLINE vec<T, N> name(vec<T, N> x) {             \
    for (int i = 0; i < N; ++i) x.d[i] = name(x.d[i]); \
    return x;                                          \
  }
#define MSL_INTEGER_BINARY(name)                               \
  template <class T, int N>                                    \
  MSL_INLINE vec<T, N> name(vec<T, N> x, vec<T, N> y) {        \
    for (int i = 0; i < N; ++i) x.d[i] = name(x.d[i], y.d[i]); \
    return x;                                                  \
  }
MSL_INTEGER_UNARY(abs)
MSL_INTEGER_UNARY(popcount)
MSL_INTEGER_UNARY(clz)
MSL_INTEGER_UNARY(ctz)
MSL_INTEGER_UNARY(reverse_bits)
MSL_INTEGER_BINARY(rotate)
MSL_INTEGER_BINARY(mulhi)
MSL_INTEGER_BINARY(addsat)
MSL_INTEGER_BINARY(subsat)
#undef MSL_INTEGER_UNARY
#undef MSL_INTEGER_BINARY

}  // namespace metal
