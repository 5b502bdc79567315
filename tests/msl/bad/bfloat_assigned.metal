// Rule 4: a float stored as bfloat without a conversion.
// expect: implicit conversion to bfloat
#include <metal_stdlib>
using namespace metal;
[[kernel, max_total_threads_per_threadgroup(32)]]
void k(device bfloat* a [[buffer(0)]], uint i [[thread_position_in_grid]])
{
    float v = 2.0f;
    a[i] = v;
}
