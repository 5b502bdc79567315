// Rule 4: max of bfloat and float.
// expect: compute in float
#include <metal_stdlib>
using namespace metal;
[[kernel, max_total_threads_per_threadgroup(32)]]
void k(device bfloat* a [[buffer(0)]], device float* b [[buffer(1)]], uint i [[thread_position_in_grid]])
{
    b[i] = max(a[i], 0.0f);
}
