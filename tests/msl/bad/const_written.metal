// Rule 11: a write through a const pointer.
// expect: const
#include <metal_stdlib>
using namespace metal;
[[kernel, max_total_threads_per_threadgroup(32)]]
void k(device const float* a [[buffer(0)]], uint i [[thread_position_in_grid]])
{
    a[i] = 0.0f;
}
