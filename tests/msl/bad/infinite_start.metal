// Rule 21: a reduction that starts from an infinity.
// expect: finite sentinel
#include <metal_stdlib>
using namespace metal;
[[kernel, max_total_threads_per_threadgroup(32)]]
void k(device float* a [[buffer(0)]], uint i [[thread_position_in_grid]])
{
    float m = -INFINITY;
    m = simd_max(max(m, a[i]));
    a[i] = m;
}
