// Rule 6: a narrowing initialiser.
// expect: cannot be narrowed
#include <metal_stdlib>
using namespace metal;
[[kernel, max_total_threads_per_threadgroup(32)]]
void k(device float* a [[buffer(0)]], uint i [[thread_position_in_grid]])
{
    float f = a[i];
    int q[1] = {f};
    a[i] = float(q[0]);
}
