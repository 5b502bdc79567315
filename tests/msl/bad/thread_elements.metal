// Rule 19: the elements of one lane of a matrix.
// expect: 'thread_elements'
// expect: rule 24
#include <metal_stdlib>
using namespace metal;
[[kernel, max_total_threads_per_threadgroup(32)]]
void k(device float* a [[buffer(0)]], uint i [[thread_position_in_grid]])
{
    simdgroup_float8x8 m;
    a[i] = m.thread_elements()[0];
}
