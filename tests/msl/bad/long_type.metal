// Rule 3: the type long.
// expect: 'long' has 32 bits
#include <metal_stdlib>
using namespace metal;
[[kernel, max_total_threads_per_threadgroup(32)]]
void k(device float* a [[buffer(0)]], uint i [[thread_position_in_grid]])
{
    long n = 1;
    a[n] = 0.0f;
}
