// Rule 3: an unsuffixed literal with an exponent.
// expect: '1e-5' is a double
#include <metal_stdlib>
using namespace metal;
[[kernel, max_total_threads_per_threadgroup(32)]]
void k(device float* a [[buffer(0)]], uint i [[thread_position_in_grid]])
{
    a[i] = a[i] + float(1e-5);
}
