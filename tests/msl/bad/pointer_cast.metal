// Rule 2: a cast to a pointer without an address space.
// expect: pointer or reference has no address space
#include <metal_stdlib>
using namespace metal;
[[kernel, max_total_threads_per_threadgroup(32)]]
void k(device float* a [[buffer(0)]], uint i [[thread_position_in_grid]])
{
    a[i] = *(float*)(a + i);
}
