// Rule 20: another memory order.
// expect: only memory_order_relaxed
#include <metal_stdlib>
using namespace metal;
[[kernel, max_total_threads_per_threadgroup(32)]]
void k(device atomic_uint* a [[buffer(0)]], uint i [[thread_position_in_grid]])
{
    atomic_fetch_add_explicit(&a[i], 1u, memory_order_seq_cst);
}
