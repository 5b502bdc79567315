// Mathematics on float, half and vectors of them. bfloat has none.
#pragma once
#pragma clang system_header

namespace metal {

#define MSL_TRANSCENDENTAL(T) \
  T exp(T);                   \
  T exp2(T);                  \
  T exp10(T);                 \
  T log(T);                   \
  T log2(T);                  \
  T log10(T);                 \
  T sqrt(T);                  \
  T rsqrt(T);                 \
  T sin(T);                   \
  T cos(T);                   \
  T tan(T);                   \
  T asin(T);                  \
  T acos(T);                  \
  T atan(T);                  \
  T sinh(T);                  \
  T cosh(T);                  \
  T tanh(T);                  \
  T asinh(T);                 \
  T acosh(T);                 \
  T atanh(T);                 \
  T pow(T, T);                \
  T atan2(T, T);              \
  T fmod(T, T);
MSL_TRANSCENDENTAL(float)
MSL_TRANSCENDENTAL(float2)
MSL_TRANSCENDENTAL(float3)
MSL_TRANSCENDENTAL(float4)
MSL_TRANSCENDENTAL(half)
MSL_TRANSCENDENTAL(half2)
MSL_TRANSCENDENTAL(half3)
MSL_TRANSCENDENTAL(half4)
MSL_NO_BFLOAT(exp)
MSL_NO_BFLOAT(exp2)
MSL_NO_BFLOAT(exp10)
MSL_NO_BFLOAT(log)
MSL_NO_BFLOAT(log2)
MSL_NO_BFLOAT(log10)
MSL_NO_BFLOAT(sqrt)
MSL_NO_BFLOAT(rsqrt)
MSL_NO_BFLOAT(sin)
MSL_NO_BFLOAT(cos)
MSL_NO_BFLOAT(tan)
MSL_NO_BFLOAT(asin)
MSL_NO_BFLOAT(acos)
MSL_NO_BFLOAT(atan)
MSL_NO_BFLOAT(sinh)
MSL_NO_BFLOAT(cosh)
MSL_NO_BFLOAT(tanh)
MSL_NO_BFLOAT(asinh)
MSL_NO_BFLOAT(acosh)
MSL_NO_BFLOAT(atanh)
MSL_NO_BFLOAT(pow)
MSL_NO_BFLOAT(atan2)
MSL_NO_BFLOAT(fmod)
#undef MSL_TRANSCENDENTAL

// The same functions, by the names of their accuracy.
namespace precise {
float divide(float, float);
using metal::acos;
using metal::acosh;
using metal::asin;
using metal::asinh;
using metal::atan;
using metal::atan2;
using metal::atanh;
using metal::cos;
using metal::cosh;
using metal::exp;
using metal::exp10;
using metal::exp2;
using metal::fmod;
using metal::log;
using metal::log10;
using metal::log2;
using metal::pow;
using metal::rsqrt;
using metal::sin;
using metal::sinh;
using metal::sqrt;
using metal::tan;
using metal::tanh;
}  // namespace precise

namespace fast {
float divide(float, float);
float2 divide(float2, float2);
float3 divide(float3, float3);
float4 divide(float4, float4);
half divide(half, half);
half2 divide(half2, half2);
half3 divide(half3, half3);
half4 divide(half4, half4);
MSL_NO_BFLOAT(divide)
using metal::cos;
using metal::exp;
using metal::exp2;
using metal::log;
using metal::log10;
using metal::log2;
using metal::pow;
using metal::rsqrt;
using metal::sin;
using metal::sqrt;
using metal::tanh;
}  // namespace fast

// abs, min, max and clamp are for integers too: strict_integers.h.
#define MSL_ARITHMETIC(T) \
  T floor(T);             \
  T ceil(T);              \
  T trunc(T);             \
  T rint(T);              \
  T round(T);             \
  T fract(T);             \
  T fabs(T);              \
  T sign(T);              \
  T saturate(T);          \
  T abs(T);               \
  T fmin(T, T);           \
  T fmax(T, T);           \
  T copysign(T, T);       \
  T step(T, T);           \
  T min(T, T);            \
  T max(T, T);            \
  T fma(T, T, T);         \
  T mix(T, T, T);         \
  T smoothstep(T, T, T);  \
  T clamp(T, T, T);
MSL_ARITHMETIC(float)
MSL_ARITHMETIC(float2)
MSL_ARITHMETIC(float3)
MSL_ARITHMETIC(float4)
MSL_ARITHMETIC(half)
MSL_ARITHMETIC(half2)
MSL_ARITHMETIC(half3)
MSL_ARITHMETIC(half4)
#undef MSL_ARITHMETIC
MSL_NO_BFLOAT(floor)
MSL_NO_BFLOAT(ceil)
MSL_NO_BFLOAT(trunc)
MSL_NO_BFLOAT(rint)
MSL_NO_BFLOAT(round)
MSL_NO_BFLOAT(fract)
MSL_NO_BFLOAT(fabs)
MSL_NO_BFLOAT(sign)
MSL_NO_BFLOAT(saturate)
MSL_NO_BFLOAT(fmin)
MSL_NO_BFLOAT(fmax)
MSL_NO_BFLOAT(copysign)
MSL_NO_BFLOAT(step)
MSL_NO_BFLOAT(fma)
MSL_NO_BFLOAT(mix)
MSL_NO_BFLOAT(smoothstep)

#define MSL_CLASSIFY(T) \
  bool isnan(T);        \
  bool isinf(T);        \
  bool isfinite(T);     \
  bool isnormal(T);     \
  bool signbit(T);
MSL_CLASSIFY(float)
MSL_CLASSIFY(half)
#undef MSL_CLASSIFY
MSL_NO_BFLOAT(isnan)
MSL_NO_BFLOAT(isinf)
MSL_NO_BFLOAT(isfinite)
MSL_NO_BFLOAT(isnormal)
MSL_NO_BFLOAT(signbit)

#define MSL_LENGTHS(T) \
  T dot(T##2, T##2);   \
  T dot(T##3, T##3);   \
  T dot(T##4, T##4);   \
  T length(T##2);      \
  T length(T##3);      \
  T length(T##4);
MSL_LENGTHS(float)
MSL_LENGTHS(half)
#undef MSL_LENGTHS
float ldexp(float, int);

}  // namespace metal
