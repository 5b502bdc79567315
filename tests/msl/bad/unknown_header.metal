// Rule 10: a header of C++.
// expect: can be included
#include <metal_stdlib>
using namespace metal;
#include <vector>
[[kernel, max_total_threads_per_threadgroup(32)]]
void k(device float* a [[buffer(0)]], uint i [[thread_position_in_grid]])
{
    a[i] = 0.0f;
}
