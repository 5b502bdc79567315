// Relaxed atomics for the simulator; worker threads run groups at the same time, so they are real ones.
#pragma once
#include "msl_types.h"

namespace metal {

#define MSL_ATOMIC_INTEGER(A, T)                                                                                      \
  inline T atomic_load_explicit(const volatile A* a, memory_order) {                                                  \
    return __atomic_load_n(&a->value, __ATOMIC_RELAXED);                                                              \
  }                                                                                                                   \
  inline void atomic_store_explicit(volatile A* a, T v, memory_order) {                                               \
    __atomic_store_n(&a->value, v, __ATOMIC_RELAXED);                                                                 \
  }                                                                                                                   \
  inline T atomic_exchange_explicit(volatile A* a, T v, memory_order) {                                               \
    return __atomic_exchange_n(&a->value, v, __ATOMIC_RELAXED);                                                       \
  }                                                                                                                   \
  inline T atomic_fetch_add_explicit(volatile A* a, T v, memory_order) {                                              \
    return __atomic_fetch_add(&a->value, v, __ATOMIC_RELAXED);                                                        \
  }                                                                                                                   \
  inline T atomic_fetch_sub_explicit(volatile A* a, T v, memory_order) {                                              \
    return __atomic_fetch_sub(&a->value, v, __ATOMIC_RELAXED);                                                        \
  }                                                                                                                   \
  inline T atomic_fetch_and_explicit(volatile A* a, T v, memory_order) {                                              \
    return __atomic_fetch_and(&a->value, v, __ATOMIC_RELAXED);                                                        \
  }                                                                                                                   \
  inline T atomic_fetch_or_explicit(volatile A* a, T v, memory_order) {                                               \
    return __atomic_fetch_or(&a->value, v, __ATOMIC_RELAXED);                                                         \
  }                                                                                                                   \
  inline T atomic_fetch_xor_explicit(volatile A* a, T v, memory_order) {                                              \
    return __atomic_fetch_xor(&a->value, v, __ATOMIC_RELAXED);                                                        \
  }                                                                                                                   \
  inline bool atomic_compare_exchange_weak_explicit(volatile A* a, T* expected, T v, memory_order, memory_order) {    \
    return __atomic_compare_exchange_n(&a->value, expected, v, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED);             \
  }                                                                                                                   \
  inline T atomic_fetch_min_explicit(volatile A* a, T v, memory_order) {                                              \
    T seen = __atomic_load_n(&a->value, __ATOMIC_RELAXED);                                                            \
    while (v < seen && !__atomic_compare_exchange_n(&a->value, &seen, v, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) { \
    }                                                                                                                 \
    return seen;                                                                                                      \
  }                                                                                                                   \
  inline T atomic_fetch_max_explicit(volatile A* a, T v, memory_order) {                                              \
    T seen = __atomic_load_n(&a->value, __ATOMIC_RELAXED);                                                            \
    while (seen < v && !__atomic_compare_exchange_n(&a->value, &seen, v, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) { \
    }                                                                                                                 \
    return seen;                                                                                                      \
  }
MSL_ATOMIC_INTEGER(atomic_uint, uint)
MSL_ATOMIC_INTEGER(atomic_int, int)
#undef MSL_ATOMIC_INTEGER

inline float atomic_load_explicit(const volatile atomic_float* a, memory_order) {
  float v;
  __atomic_load(&a->value, &v, __ATOMIC_RELAXED);
  return v;
}
inline void atomic_store_explicit(volatile atomic_float* a, float v, memory_order) {
  __atomic_store(&a->value, &v, __ATOMIC_RELAXED);
}
inline float atomic_exchange_explicit(volatile atomic_float* a, float v, memory_order) {
  float before;
  __atomic_exchange(&a->value, &v, &before, __ATOMIC_RELAXED);
  return before;
}
inline float atomic_fetch_add_explicit(volatile atomic_float* a, float v, memory_order order) {
  float seen = atomic_load_explicit(a, order), sum = seen + v;
  while (!__atomic_compare_exchange(&a->value, &seen, &sum, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) sum = seen + v;
  return seen;
}

}  // namespace metal
