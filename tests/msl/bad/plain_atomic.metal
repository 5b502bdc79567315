// Rule 20: an atomic operation on a plain uint.
// expect: no matching function for call to 'atomic_fetch_add_explicit'
#include <metal_stdlib>
using namespace metal;
[[kernel, max_total_threads_per_threadgroup(32)]]
void k(device uint* a [[buffer(0)]], uint i [[thread_position_in_grid]])
{
    atomic_fetch_add_explicit(a, 1u, memory_order_relaxed);
}
