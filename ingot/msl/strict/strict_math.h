// Mathematics on float, half and vectors of them. bfloat has none.
#pragma once
#pragma clang system_header

namespace metal {

#define MSL_EACH(DECLARE, name) \
  DECLARE(name, float)          \
  DECLARE(name, float2)         \
  DECLARE(name, float3)         \
  DECLARE(name, float4) DECLARE(name, half) DECLARE(name, half2) DECLARE(name, half3) DECLARE(name, half4)
#define MSL_ONE(name, T) T name(T);
#define MSL_TWO(name, T) T name(T, T);
#define MSL_THREE(name, T) T name(T, T, T);
#define MSL_UNARY(name) MSL_EACH(MSL_ONE, name) MSL_NO_BFLOAT(name)
#define MSL_BINARY(name) MSL_EACH(MSL_TWO, name) MSL_NO_BFLOAT(name)
#define MSL_TERNARY(name) MSL_EACH(MSL_THREE, name) MSL_NO_BFLOAT(name)

#define MSL_TRANSCENDENTAL                                                                                             \
  MSL_UNARY(exp)                                                                                                       \
  MSL_UNARY(exp2)                                                                                                      \
  MSL_UNARY(exp10)                                                                                                     \
  MSL_UNARY(log)                                                                                                       \
  MSL_UNARY(log2) MSL_UNARY(log10) MSL_UNARY(sqrt) MSL_UNARY(rsqrt) MSL_UNARY(sin) MSL_UNARY(cos) MSL_UNARY(tan)       \
      MSL_UNARY(asin) MSL_UNARY(acos) MSL_UNARY(atan) MSL_UNARY(sinh) MSL_UNARY(cosh) MSL_UNARY(tanh) MSL_UNARY(asinh) \
          MSL_UNARY(acosh) MSL_UNARY(atanh) MSL_BINARY(pow) MSL_BINARY(atan2) MSL_BINARY(fmod)

MSL_TRANSCENDENTAL
namespace precise {
MSL_TRANSCENDENTAL
MSL_BINARY(divide)
}  // namespace precise
namespace fast {
MSL_UNARY(exp)
MSL_UNARY(exp2)
MSL_UNARY(log)
MSL_UNARY(log2)
MSL_UNARY(log10)
MSL_UNARY(sqrt)
MSL_UNARY(rsqrt)
MSL_UNARY(sin)
MSL_UNARY(cos)
MSL_UNARY(tanh)
MSL_BINARY(pow)
MSL_BINARY(divide)
}  // namespace fast

MSL_UNARY(floor)
MSL_UNARY(ceil)
MSL_UNARY(trunc)
MSL_UNARY(rint)
MSL_UNARY(round)
MSL_UNARY(fract)
MSL_UNARY(fabs)
MSL_UNARY(sign)
MSL_UNARY(saturate)
MSL_BINARY(fmin)
MSL_BINARY(fmax)
MSL_BINARY(copysign)
MSL_BINARY(step)
MSL_TERNARY(fma)
MSL_TERNARY(mix)
MSL_TERNARY(smoothstep)
// Integers have these too: strict_integers.h.
MSL_EACH(MSL_ONE, abs)
MSL_EACH(MSL_TWO, min)
MSL_EACH(MSL_TWO, max)
MSL_EACH(MSL_THREE, clamp)

#define MSL_LENGTHS(T) \
  T dot(T##2, T##2);   \
  T dot(T##3, T##3);   \
  T dot(T##4, T##4);   \
  T length(T##2);      \
  T length(T##3);      \
  T length(T##4);
MSL_LENGTHS(float)
MSL_LENGTHS(half)
float ldexp(float, int);

#define MSL_ASKS(name) \
  bool name(float);    \
  bool name(half);     \
  MSL_NO_BFLOAT(name)
MSL_ASKS(isnan)
MSL_ASKS(isinf)
MSL_ASKS(isfinite)
MSL_ASKS(isnormal)
MSL_ASKS(signbit)

#undef MSL_ASKS
#undef MSL_LENGTHS
#undef MSL_TRANSCENDENTAL

}  // namespace metal
