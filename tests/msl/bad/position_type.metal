// Rule 11: a position as float.
// expect: cannot have type 'float'
#include <metal_stdlib>
using namespace metal;
[[kernel, max_total_threads_per_threadgroup(32)]]
void k(device float* a [[buffer(0)]], float i [[thread_position_in_grid]])
{
    a[0] = i;
}
