// Rule 11: an attribute that does not exist.
// expect: unknown attribute [[thread_positon_in_grid]]
#include <metal_stdlib>
using namespace metal;
[[kernel, max_total_threads_per_threadgroup(32)]]
void k(device float* a [[buffer(0)]], uint i [[thread_positon_in_grid]])
{
    a[i] = 0.0f;
}
