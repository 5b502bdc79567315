// Rule 11: a buffer index beyond 30.
// expect: literal n from 0 to 30
#include <metal_stdlib>
using namespace metal;
[[kernel, max_total_threads_per_threadgroup(32)]]
void k(device float* a [[buffer(31)]], uint i [[thread_position_in_grid]])
{
    a[i] = 0.0f;
}
