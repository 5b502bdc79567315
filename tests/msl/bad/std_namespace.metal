// Rule 1: the C++ library.
// expect: no std::
#include <metal_stdlib>
using namespace metal;
[[kernel, max_total_threads_per_threadgroup(32)]]
void k(device float* a [[buffer(0)]], uint i [[thread_position_in_grid]])
{
    a[i] = std::exp(a[i]);
}
