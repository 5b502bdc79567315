// Rule 11: a buffer pointer without an address space.
// expect: must be a pointer or reference in device or constant
// expect: has no address space
#include <metal_stdlib>
using namespace metal;
[[kernel, max_total_threads_per_threadgroup(32)]]
void k(float* a [[buffer(0)]], uint i [[thread_position_in_grid]])
{
    a[i] = 0.0f;
}
