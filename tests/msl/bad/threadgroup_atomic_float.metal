// Rule 20: atomic_float in threadgroup memory.
// expect: atomic_float stands in device memory only
#include <metal_stdlib>
using namespace metal;
[[kernel, max_total_threads_per_threadgroup(32)]]
void k(device float* a [[buffer(0)]], threadgroup atomic_float* s [[threadgroup(0)]], uint i [[thread_position_in_grid]])
{
    atomic_fetch_add_explicit(s, 1.0f, memory_order_relaxed);
    a[i] = 0.0f;
}
