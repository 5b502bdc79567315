// Rule 9: a constant local.
// expect: stand at program scope
#include <metal_stdlib>
using namespace metal;
[[kernel, max_total_threads_per_threadgroup(32)]]
void k(device float* a [[buffer(0)]], uint i [[thread_position_in_grid]])
{
    constant float s = 0.5f;
    a[i] = s;
}
