// Relaxed atomics for CUDA.
#pragma once
#include "msl_types.h"

namespace metal {

#define MSL_ATOMIC(A, T)                                                                    \
  MSL_INLINE T atomic_load_explicit(const volatile A* a, memory_order) { return a->value; } \
  MSL_INLINE void atomic_store_explicit(volatile A* a, T v, memory_order) { a->value = v; } \
  MSL_INLINE T atomic_exchange_explicit(volatile A* a, T v, memory_order) {                 \
    return ::atomicExch(const_cast<T*>(&a->value), v);                                      \
  }                                                                                         \
  MSL_INLINE T atomic_fetch_add_explicit(volatile A* a, T v, memory_order) {                \
    return ::atomicAdd(const_cast<T*>(&a->value), v);                                       \
  }
#define MSL_ATOMIC_INTEGER(A, T)                                                                                       \
  MSL_ATOMIC(A, T)                                                                                                     \
  MSL_INLINE T atomic_fetch_sub_explicit(volatile A* a, T v, memory_order) {                                           \
    return ::atomicSub(const_cast<T*>(&a->value), v);                                                                  \
  }                                                                                                                    \
  MSL_INLINE T atomic_fetch_min_explicit(volatile A* a, T v, memory_order) {                                           \
    return ::atomicMin(const_cast<T*>(&a->value), v);                                                                  \
  }                                                                                                                    \
  MSL_INLINE T atomic_fetch_max_explicit(volatile A* a, T v, memory_order) {                                           \
    return ::atomicMax(const_cast<T*>(&a->value), v);                                                                  \
  }                                                                                                                    \
  MSL_INLINE T atomic_fetch_and_explicit(volatile A* a, T v, memory_order) {                                           \
    return ::atomicAnd(const_cast<T*>(&a->value), v);                                                                  \
  }                                                                                                                    \
  MSL_INLINE T atomic_fetch_or_explicit(volatile A* a, T v, memory_order) {                                            \
    return ::atomicOr(const_cast<T*>(&a->value), v);                                                                   \
  }                                                                                                                    \
  MSL_INLINE T atomic_fetch_xor_explicit(volatile A* a, T v, memory_order) {                                           \
    return ::atomicXor(const_cast<T*>(&a->value), v);                                                                  \
  }                                                                                                                    \
  MSL_INLINE bool atomic_compare_exchange_weak_explicit(volatile A* a, T* expected, T v, memory_order, memory_order) { \
    T seen = ::atomicCAS(const_cast<T*>(&a->value), *expected, v);                                                     \
    bool done = seen == *expected;                                                                                     \
    *expected = seen;                                                                                                  \
    return done;                                                                                                       \
  }
MSL_ATOMIC_INTEGER(atomic_uint, uint)
MSL_ATOMIC_INTEGER(atomic_int, int)
MSL_ATOMIC(atomic_float, float)
#undef MSL_ATOMIC
#undef MSL_ATOMIC_INTEGER

}  // namespace metal
