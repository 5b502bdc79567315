// Atomics: 32-bit integers in device and threadgroup memory, float in device memory, relaxed order only.
#pragma once
#pragma clang system_header

namespace metal {

enum memory_order { memory_order_relaxed };

// No two of them can be compared, copied or read but through the functions below.
struct atomic_uint {
  uint hidden_;
};
struct atomic_int {
  int hidden_;
};
struct atomic_float {
  float hidden_;
};

#define MSL_ATOMIC(A, T, space)                                    \
  T atomic_load_explicit(const volatile space A*, memory_order);   \
  void atomic_store_explicit(volatile space A*, T, memory_order);  \
  T atomic_exchange_explicit(volatile space A*, T, memory_order);  \
  T atomic_fetch_add_explicit(volatile space A*, T, memory_order); \
  T atomic_fetch_sub_explicit(volatile space A*, T, memory_order); \
  bool atomic_compare_exchange_weak_explicit(volatile space A*, thread T*, T, memory_order, memory_order);
#define MSL_ATOMIC_INTEGER(A, T, space)                            \
  MSL_ATOMIC(A, T, space)                                          \
  T atomic_fetch_min_explicit(volatile space A*, T, memory_order); \
  T atomic_fetch_max_explicit(volatile space A*, T, memory_order); \
  T atomic_fetch_and_explicit(volatile space A*, T, memory_order); \
  T atomic_fetch_or_explicit(volatile space A*, T, memory_order);  \
  T atomic_fetch_xor_explicit(volatile space A*, T, memory_order);

MSL_ATOMIC_INTEGER(atomic_uint, uint, device)
MSL_ATOMIC_INTEGER(atomic_uint, uint, threadgroup)
MSL_ATOMIC_INTEGER(atomic_int, int, device)
MSL_ATOMIC_INTEGER(atomic_int, int, threadgroup)
MSL_ATOMIC(atomic_float, float, device)
#undef MSL_ATOMIC
#undef MSL_ATOMIC_INTEGER

}  // namespace metal
