// Rule 6: float4 stored as half4 without a conversion.
// expect: incompatible type
#include <metal_stdlib>
using namespace metal;
[[kernel, max_total_threads_per_threadgroup(32)]]
void k(device float4* a [[buffer(0)]], device half4* h [[buffer(1)]], uint i [[thread_position_in_grid]])
{
    h[i] = a[i];
}
