// Rule 4: a condition with a float in one branch.
// expect: implicit conversion to bfloat
#include <metal_stdlib>
using namespace metal;
[[kernel, max_total_threads_per_threadgroup(32)]]
void k(device bfloat* a [[buffer(0)]], uint i [[thread_position_in_grid]])
{
    a[i] = i > 3 ? a[i] : 0.5f;
}
