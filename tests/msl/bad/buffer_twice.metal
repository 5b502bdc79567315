// Rule 11: a buffer index used twice.
// expect: [[buffer(0)]] is used twice
#include <metal_stdlib>
using namespace metal;
[[kernel, max_total_threads_per_threadgroup(32)]]
void k(device float* a [[buffer(0)]], device float* b [[buffer(0)]], uint i [[thread_position_in_grid]])
{
    a[i] = b[i];
}
