// Rule 4: a simd function of bfloat.
// expect: compute in float
#include <metal_stdlib>
using namespace metal;
[[kernel, max_total_threads_per_threadgroup(32)]]
void k(device bfloat* a [[buffer(0)]], uint i [[thread_position_in_grid]])
{
    a[i] = bfloat(simd_sum(a[i]));
}
