// Metal's math library on float, half (computed in float) and vectors of them. Precise by default, as with Metal's safe
// math mode; fast:: is the GPU's approximation on CUDA and the same as precise:: in the simulator.
// min, max and their kin return the other argument where one is NaN. There is no erf in Metal: ingot/msl/erf.h.
#pragma once
#include "msl_vec.h"

#if defined(__CUDACC__)
#define MSL_C(name) ::name  // the C library's function, under CUDA and on the host
#else
#define MSL_C(name) __builtin_##name
#endif

namespace metal {

// ---- families: one float function gives half and the vectors
#define MSL_UNARY(name, ...)                                    \
  MSL_INLINE float name(float x) { return __VA_ARGS__; }        \
  MSL_INLINE half name(half x) { return half(name(float(x))); } \
  template <class T, int N>                                     \
  MSL_INLINE vec<T, N> name(vec<T, N> x) {                      \
    for (int i = 0; i < N; ++i) x.d[i] = name(x.d[i]);          \
    return x;                                                   \
  }
#define MSL_BINARY(name, ...)                                                     \
  MSL_INLINE float name(float x, float y) { return __VA_ARGS__; }                 \
  MSL_INLINE half name(half x, half y) { return half(name(float(x), float(y))); } \
  MSL_INLINE float name(half x, float y) { return name(float(x), y); }            \
  MSL_INLINE float name(float x, half y) { return name(x, float(y)); }            \
  template <class T, int N>                                                       \
  MSL_INLINE vec<T, N> name(vec<T, N> x, vec<T, N> y) {                           \
    for (int i = 0; i < N; ++i) x.d[i] = name(x.d[i], y.d[i]);                    \
    return x;                                                                     \
  }

namespace precise {
MSL_UNARY(exp, MSL_C(expf)(x))
MSL_UNARY(exp2, MSL_C(exp2f)(x))
MSL_UNARY(log, MSL_C(logf)(x))
MSL_UNARY(log2, MSL_C(log2f)(x))
MSL_UNARY(log10, MSL_C(log10f)(x))
MSL_UNARY(sqrt, MSL_C(sqrtf)(x))
MSL_UNARY(sin, MSL_C(sinf)(x))
MSL_UNARY(cos, MSL_C(cosf)(x))
MSL_UNARY(tan, MSL_C(tanf)(x))
MSL_UNARY(asin, MSL_C(asinf)(x))
MSL_UNARY(acos, MSL_C(acosf)(x))
MSL_UNARY(atan, MSL_C(atanf)(x))
MSL_UNARY(sinh, MSL_C(sinhf)(x))
MSL_UNARY(cosh, MSL_C(coshf)(x))
MSL_UNARY(tanh, MSL_C(tanhf)(x))
MSL_UNARY(asinh, MSL_C(asinhf)(x))
MSL_UNARY(acosh, MSL_C(acoshf)(x))
MSL_UNARY(atanh, MSL_C(atanhf)(x))
MSL_BINARY(pow, MSL_C(powf)(x, y))
MSL_BINARY(atan2, MSL_C(atan2f)(x, y))
MSL_BINARY(fmod, MSL_C(fmodf)(x, y))
MSL_BINARY(divide, x / y)
#if defined(__CUDACC__)
MSL_UNARY(exp10, ::exp10f(x))
MSL_UNARY(rsqrt, 1.0f / ::sqrtf(x))
#else
MSL_UNARY(exp10, __builtin_powf(10.0f, x))
MSL_UNARY(rsqrt, 1.0f / __builtin_sqrtf(x))
#endif
}  // namespace precise
using namespace precise;

namespace fast {
#if defined(__CUDACC__)
MSL_INLINE float tanh_approximation_(float x) {
  float y;
  asm("tanh.approx.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}
MSL_INLINE float exp2_approximation_(float x) {
  float y;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}
MSL_INLINE float sqrt_approximation_(float x) {
  float y;
  asm("sqrt.approx.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}
MSL_UNARY(exp, ::__expf(x))
MSL_UNARY(exp2, exp2_approximation_(x))
MSL_UNARY(log, ::__logf(x))
MSL_UNARY(log2, ::__log2f(x))
MSL_UNARY(log10, ::__log10f(x))
MSL_UNARY(sqrt, sqrt_approximation_(x))
MSL_UNARY(rsqrt, ::rsqrtf(x))
MSL_UNARY(sin, ::__sinf(x))
MSL_UNARY(cos, ::__cosf(x))
MSL_UNARY(tanh, tanh_approximation_(x))
MSL_BINARY(pow, ::__powf(x, y))
MSL_BINARY(divide, ::__fdividef(x, y))
#else
using precise::cos, precise::divide, precise::exp, precise::exp2, precise::log, precise::log10, precise::log2;
using precise::pow, precise::rsqrt, precise::sin, precise::sqrt, precise::tanh;
#endif
using precise::acos, precise::asin, precise::atan, precise::atan2, precise::cosh, precise::exp10, precise::fmod;
using precise::sinh, precise::tan;
}  // namespace fast

// ---- classification: on the bits, so that a compiler told to expect no NaN keeps it
MSL_INLINE bool isnan(float x) { return (as_type<uint>(x) & 0x7FFFFFFFu) > 0x7F800000u; }
MSL_INLINE bool isinf(float x) { return (as_type<uint>(x) & 0x7FFFFFFFu) == 0x7F800000u; }
MSL_INLINE bool isfinite(float x) { return (as_type<uint>(x) & 0x7FFFFFFFu) < 0x7F800000u; }
MSL_INLINE bool isnormal(float x) { return isfinite(x) && (as_type<uint>(x) & 0x7F800000u) != 0; }
MSL_INLINE bool signbit(float x) { return as_type<uint>(x) >> 31 != 0; }
#define MSL_CLASSIFY(name)                                    \
  template <class T, int N>                                   \
  MSL_INLINE vec<bool, N> name(vec<T, N> x) {                 \
    vec<bool, N> r;                                           \
    for (int i = 0; i < N; ++i) r.d[i] = name(float(x.d[i])); \
    return r;                                                 \
  }
MSL_CLASSIFY(isnan)
MSL_CLASSIFY(isinf)
MSL_CLASSIFY(isfinite)
MSL_CLASSIFY(isnormal)
MSL_CLASSIFY(signbit)
#undef MSL_CLASSIFY

// ---- rounding, sign, remainder
MSL_UNARY(floor, MSL_C(floorf)(x))
MSL_UNARY(ceil, MSL_C(ceilf)(x))
MSL_UNARY(trunc, MSL_C(truncf)(x))
MSL_UNARY(rint, MSL_C(rintf)(x))    // ties to even
MSL_UNARY(round, MSL_C(roundf)(x))  // ties away from zero
MSL_UNARY(fabs, MSL_C(fabsf)(x))
MSL_INLINE float abs(float x) { return MSL_C(fabsf)(x); }
MSL_INLINE half abs(half x) { return as_type<half>(ushort(x.bits & 0x7FFFu)); }
MSL_UNARY(sign, x > 0.0f ? 1.0f : x < 0.0f ? -1.0f : isnan(x) ? 0.0f : x)
MSL_UNARY(fract, MSL_C(fminf)(x - MSL_C(floorf)(x), 0x1.fffffep-1f))
MSL_BINARY(copysign, MSL_C(copysignf)(x, y))
MSL_BINARY(fdim, MSL_C(fdimf)(x, y))
MSL_BINARY(nextafter, MSL_C(nextafterf)(x, y))
MSL_BINARY(step, y < x ? 0.0f : 1.0f)
MSL_INLINE float ldexp(float x, int exponent) { return MSL_C(ldexpf)(x, exponent); }
MSL_INLINE int ilogb(float x) { return MSL_C(ilogbf)(x); }

// ---- minimum and maximum (integers: msl_integer.h)
MSL_BINARY(fmin, MSL_C(fminf)(x, y))
MSL_BINARY(fmax, MSL_C(fmaxf)(x, y))
MSL_INLINE float min(float x, float y) { return fmin(x, y); }
MSL_INLINE float max(float x, float y) { return fmax(x, y); }
MSL_INLINE half min(half x, half y) { return fmin(x, y); }
MSL_INLINE half max(half x, half y) { return fmax(x, y); }
MSL_INLINE float min(half x, float y) { return fmin(float(x), y); }
MSL_INLINE float max(half x, float y) { return fmax(float(x), y); }
MSL_INLINE float min(float x, half y) { return fmin(x, float(y)); }
MSL_INLINE float max(float x, half y) { return fmax(x, float(y)); }

// ---- three arguments
MSL_INLINE float fma(float x, float y, float z) { return MSL_C(fmaf)(x, y, z); }
MSL_INLINE half fma(half x, half y, half z) { return half(MSL_C(fmaf)(float(x), float(y), float(z))); }
template <class T, int N>
MSL_INLINE vec<T, N> fma(vec<T, N> x, vec<T, N> y, vec<T, N> z) {
  for (int i = 0; i < N; ++i) x.d[i] = fma(x.d[i], y.d[i], z.d[i]);
  return x;
}
MSL_INLINE float mix(float x, float y, float t) { return x + (y - x) * t; }
template <int N>
MSL_INLINE vec<float, N> mix(vec<float, N> x, vec<float, N> y, vec<float, N> t) {
  return x + (y - x) * t;
}
template <int N>
MSL_INLINE vec<float, N> mix(vec<float, N> x, vec<float, N> y, float t) {
  return x + (y - x) * t;
}
MSL_INLINE float saturate(float x) { return fmin(fmax(x, 0.0f), 1.0f); }
MSL_INLINE float smoothstep(float low, float high, float x) {
  float t = saturate((x - low) / (high - low));
  return t * t * (3.0f - 2.0f * t);
}

// ---- geometry
template <class T, int N>
MSL_INLINE T dot(vec<T, N> a, vec<T, N> b) {
  T s = multiply_(a.d[0], b.d[0]);
  for (int i = 1; i < N; ++i) s = add_(s, multiply_(a.d[i], b.d[i]));
  return s;
}
template <int N>
MSL_INLINE float length_squared(vec<float, N> v) {
  return dot(v, v);
}
template <int N>
MSL_INLINE float length(vec<float, N> v) {
  return sqrt(dot(v, v));
}
template <int N>
MSL_INLINE float distance(vec<float, N> a, vec<float, N> b) {
  return length(a - b);
}
template <int N>
MSL_INLINE vec<float, N> normalize(vec<float, N> v) {
  return v * rsqrt(dot(v, v));
}

#undef MSL_UNARY
#undef MSL_BINARY

}  // namespace metal
