// Rule 6: a swizzle that not all compilers know.
// expect: swizzle '.xxy'
#include <metal_stdlib>
using namespace metal;
[[kernel, max_total_threads_per_threadgroup(32)]]
void k(device float4* a [[buffer(0)]], device float* b [[buffer(1)]], uint i [[thread_position_in_grid]])
{
    float3 v = a[i].xxy;
    b[i] = v.x;
}
