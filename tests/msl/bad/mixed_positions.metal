// Rule 12: positions of different size.
// expect: mixes positions of different size
#include <metal_stdlib>
using namespace metal;
[[kernel, max_total_threads_per_threadgroup(32)]]
void k(device float* a [[buffer(0)]], uint2 t [[thread_position_in_threadgroup]], uint i [[thread_position_in_grid]])
{
    a[i] = float(t.x);
}
