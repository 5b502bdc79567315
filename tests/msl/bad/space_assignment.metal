// Rule 2: a device pointer kept in a threadgroup pointer.
// expect: cannot initialize a variable of type 'threadgroup float *'
#include <metal_stdlib>
using namespace metal;
[[kernel, max_total_threads_per_threadgroup(32)]]
void k(device float* a [[buffer(0)]], uint i [[thread_position_in_grid]])
{
    threadgroup float* p = a;
    a[i] = p[0];
}
