// Rule 9: a static local.
// expect: no static locals
#include <metal_stdlib>
using namespace metal;
[[kernel, max_total_threads_per_threadgroup(32)]]
void k(device float* a [[buffer(0)]], uint i [[thread_position_in_grid]])
{
    static float s = 0.0f;
    a[i] = s;
}
