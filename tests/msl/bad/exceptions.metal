// Rule 1: an exception.
// expect: 'throw': no exceptions
#include <metal_stdlib>
using namespace metal;
[[kernel, max_total_threads_per_threadgroup(32)]]
void k(device float* a [[buffer(0)]], uint i [[thread_position_in_grid]])
{
    if (i > 3) throw 1;
    a[i] = 0.0f;
}
