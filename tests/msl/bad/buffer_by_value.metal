// Rule 11: a buffer parameter by value.
// expect: must be a pointer or reference to values
#include <metal_stdlib>
using namespace metal;
[[kernel, max_total_threads_per_threadgroup(32)]]
void k(device float* a [[buffer(0)]], uint n [[buffer(1)]], uint i [[thread_position_in_grid]])
{
    a[i] = float(n);
}
