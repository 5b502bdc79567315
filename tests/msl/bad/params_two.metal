// Rule 13: two small parameters.
// expect: into one constant struct
#include <metal_stdlib>
using namespace metal;
[[kernel, max_total_threads_per_threadgroup(32)]]
void k(device float* a [[buffer(0)]], constant uint& n [[buffer(1)]], constant uint& m [[buffer(2)]], uint i [[thread_position_in_grid]])
{
    a[i] = float(n + m);
}
