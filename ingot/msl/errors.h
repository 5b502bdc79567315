// For kernels: reporting a mistake found on the device, e.g. an index out of range. The host finds it at the next
// synchronisation. A kernel takes `device ErrorSlot& errors [[buffer(n)]]`.
#pragma once
#include <metal_stdlib>
using namespace metal;

struct ErrorSlot {
  atomic_uint count;
  atomic_uint code;
  atomic_uint a_low;
  atomic_uint a_high;
  atomic_uint b_low;
  atomic_uint b_high;
};

// Keeps the first report of a launch: what went wrong (the operator's own code) and two numbers that tell of it.
inline void report_error(device ErrorSlot& slot, uint code, int64_t a, int64_t b) {
  if (atomic_fetch_add_explicit(&slot.count, 1u, memory_order_relaxed) != 0u) return;
  atomic_store_explicit(&slot.code, code, memory_order_relaxed);
  atomic_store_explicit(&slot.a_low, uint(a), memory_order_relaxed);
  atomic_store_explicit(&slot.a_high, uint(a >> 32), memory_order_relaxed);
  atomic_store_explicit(&slot.b_low, uint(b), memory_order_relaxed);
  atomic_store_explicit(&slot.b_high, uint(b >> 32), memory_order_relaxed);
}
