// Rule 3: an unsuffixed literal.
// expect: '2.0' is a double
#include <metal_stdlib>
using namespace metal;
[[kernel, max_total_threads_per_threadgroup(32)]]
void k(device float* a [[buffer(0)]], uint i [[thread_position_in_grid]])
{
    a[i] = a[i] * 2.0;
}
