// Rule 3: the type double.
// expect: 'double': no double in Metal
#include <metal_stdlib>
using namespace metal;
[[kernel, max_total_threads_per_threadgroup(32)]]
void k(device float* a [[buffer(0)]], uint i [[thread_position_in_grid]])
{
    double d = a[i];
    a[i] = float(d);
}
