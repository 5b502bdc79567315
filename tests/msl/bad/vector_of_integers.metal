// Rule 6: int4 taken for float4.
// expect: cannot initialize a variable of type 'float4'
#include <metal_stdlib>
using namespace metal;
[[kernel, max_total_threads_per_threadgroup(32)]]
void k(device int4* a [[buffer(0)]], device float* b [[buffer(1)]], uint i [[thread_position_in_grid]])
{
    float4 v = a[i];
    b[i] = v.x;
}
