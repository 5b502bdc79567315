// Rule 9: a program-scope constant without a value.
// expect: needs its value here
#include <metal_stdlib>
using namespace metal;
constant float kScale;
[[kernel, max_total_threads_per_threadgroup(32)]]
void k(device float* a [[buffer(0)]], uint i [[thread_position_in_grid]])
{
    a[i] = kScale;
}
