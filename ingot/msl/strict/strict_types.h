// Scalars, limits, bit casts.
#pragma once
#pragma clang system_header

typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;
typedef signed char int8_t;
typedef unsigned char uint8_t;
typedef short int16_t;
typedef unsigned short uint16_t;
typedef int int32_t;
typedef unsigned int uint32_t;
typedef long int64_t;
typedef unsigned long uint64_t;
typedef unsigned long size_t;
typedef long ptrdiff_t;
typedef _Float16 half;
typedef __bf16 bfloat;  // its implicit conversions are refused by ast_rules.cc

#define INFINITY __builtin_inff()
#define NAN __builtin_nanf("")
#define HUGE_VALF INFINITY
#define MAXFLOAT 0x1.fffffep127f
#define FLT_MAX 0x1.fffffep127f
#define FLT_MIN 0x1p-126f
#define FLT_EPSILON 0x1p-23f
#define INT_MAX 0x7FFFFFFF
#define INT_MIN (-0x7FFFFFFF - 1)
#define UINT_MAX 0xFFFFFFFFu
#define M_PI_F 3.14159265358979323846f
#define M_PI_2_F 1.57079632679489661923f
#define M_1_PI_F 0.31830988618379067154f
#define M_2_SQRTPI_F 1.12837916709551257390f
#define M_SQRT2_F 1.41421356237309504880f
#define M_SQRT1_2_F 0.70710678118654752440f
#define M_LN2_F 0.69314718055994530942f
#define M_LOG2E_F 1.44269504088896340736f

constexpr half operator""h(long double value) { return half(value); }

namespace metal {

template <bool Condition, class T = void>
struct enable_if {};
template <class T>
struct enable_if<true, T> {
  typedef T type;
};
template <class A, class B>
struct is_same {
  static constexpr bool value = false;
};
template <class T>
struct is_same<T, T> {
  static constexpr bool value = true;
};

template <class To, class From>
constexpr typename enable_if<sizeof(To) == sizeof(From), To>::type as_type(From from) {
  return __builtin_bit_cast(To, from);
}
template <class To, class From>
typename enable_if<sizeof(To) != sizeof(From), To>::type as_type(From) =
    delete ("rule 6: size mismatch, as_type keeps all bits");

// Whether one of the types is bfloat: library functions take none.
template <class...>
struct has_bfloat_ {
  static constexpr bool value = false;
};
template <class First, class... Rest>
struct has_bfloat_<First, Rest...> {
  static constexpr bool value = is_same<First, bfloat>::value || has_bfloat_<Rest...>::value;
};
#define MSL_NO_BFLOAT(name)                                              \
  template <class... A>                                                  \
  typename enable_if<has_bfloat_<A...>::value, float>::type name(A...) = \
      delete ("rule 4: bfloat is for storage, compute in float: float v = x[i];");

template <class T>
struct numeric_limits;
#define MSL_LIMITS(T)                \
  template <>                        \
  struct numeric_limits<T> {         \
    static constexpr T max();        \
    static constexpr T min();        \
    static constexpr T lowest();     \
    static constexpr T infinity();   \
    static constexpr T quiet_NaN();  \
    static constexpr T epsilon();    \
    static constexpr int digits = 0; \
  };
MSL_LIMITS(float)
MSL_LIMITS(half)
MSL_LIMITS(bfloat)
MSL_LIMITS(char)
MSL_LIMITS(uchar)
MSL_LIMITS(short)
MSL_LIMITS(ushort)
MSL_LIMITS(int)
MSL_LIMITS(uint)
MSL_LIMITS(long)
MSL_LIMITS(ulong)
#undef MSL_LIMITS

}  // namespace metal
