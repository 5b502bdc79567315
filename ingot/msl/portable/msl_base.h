// What every other portable header stands on: Metal's scalar names, the few type traits, as_type, memory flags.
//
// The portable headers give translated Metal text its language and library on two targets: the simulator (any C++17
// compiler) and CUDA (NVRTC, with neither CUDA headers nor an include path). Kernels see the names in namespace metal
// only; names that end in an underscore are ours and no part of Metal.
#pragma once
#if defined(__CUDACC__)
#define MSL_INLINE __device__ __forceinline__
#else
#define MSL_INLINE inline
#include <cstddef>
#include <cstring>
#endif

namespace metal {

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

static_assert(sizeof(long) == 8, "Metal's long has 64 bits");

// ---- type traits (there is no <type_traits> under NVRTC)
template <bool B, class T = void>
struct enable_if {};
template <class T>
struct enable_if<true, T> {
  typedef T type;
};
template <bool B, class T, class F>
struct conditional {
  typedef T type;
};
template <class T, class F>
struct conditional<false, T, F> {
  typedef F type;
};
template <class A, class B>
struct is_same {
  static constexpr bool value = false;
};
template <class A>
struct is_same<A, A> {
  static constexpr bool value = true;
};
template <class A, class B>
constexpr bool is_same_v = is_same<A, B>::value;
template <class T, class... List>
constexpr bool is_one_of_ = (is_same_v<T, List> || ...);

template <class T>
constexpr bool is_signed_integer_ = is_one_of_<T, signed char, short, int, long, long long> || is_same_v<T, char>;
template <class T>
constexpr bool is_unsigned_integer_ = is_one_of_<T, uchar, ushort, uint, ulong, unsigned long long>;
template <class T>
constexpr bool is_integral_v = is_signed_integer_<T> || is_unsigned_integer_<T> || is_same_v<T, bool>;
template <class T>
constexpr bool is_arithmetic_ = is_integral_v<T> || is_one_of_<T, float, double>;  // the compiler's own scalars
#define MSL_REQUIRES(...) typename ::metal::enable_if<(__VA_ARGS__), int>::type = 0

// The unsigned type of T's size; arithmetic there wraps, as Metal's signed arithmetic does.
template <class T>
using unsigned_of_ = typename conditional<
    sizeof(T) == 1, uchar,
    typename conditional<sizeof(T) == 2, ushort, typename conditional<sizeof(T) == 4, uint, ulong>::type>::type>::type;

template <class To, class From>
MSL_INLINE To as_type(From value) {
  static_assert(sizeof(To) == sizeof(From), "as_type: the sizes differ");
  To result;
  memcpy(static_cast<void*>(&result), static_cast<const void*>(&value), sizeof result);
  return result;
}

enum class mem_flags { mem_none = 0, mem_device = 1, mem_threadgroup = 2, mem_texture = 4 };
MSL_INLINE mem_flags operator|(mem_flags a, mem_flags b) { return mem_flags(int(a) | int(b)); }

enum memory_order { memory_order_relaxed };
struct atomic_uint {
  uint value;
};
struct atomic_int {
  int value;
};
struct atomic_float {
  float value;
};

}  // namespace metal
