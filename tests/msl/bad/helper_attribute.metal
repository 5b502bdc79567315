// Rule 11: an attribute on a helper's parameter.
// expect: only kernels' parameters have attributes
#include <metal_stdlib>
using namespace metal;
static float f(uint i [[thread_position_in_grid]]) { return float(i); }
[[kernel, max_total_threads_per_threadgroup(32)]]
void k(device float* a [[buffer(0)]], uint i [[thread_position_in_grid]])
{
    a[i] = f(i);
}
