// Rule 1: a jump.
// expect: 'goto': no goto
#include <metal_stdlib>
using namespace metal;
[[kernel, max_total_threads_per_threadgroup(32)]]
void k(device float* a [[buffer(0)]], uint i [[thread_position_in_grid]])
{
    if (i > 3) goto end;
    a[i] = 0.0f;
    end:
    a[i] += 1.0f;
}
