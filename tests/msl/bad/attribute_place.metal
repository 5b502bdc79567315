// Rule 11: an attribute behind the word kernel, where it would belong to the type.
// expect: a kernel's attributes stand first
#include <metal_stdlib>
using namespace metal;
kernel [[max_total_threads_per_threadgroup(32)]]
void k(device float* a [[buffer(0)]], uint i [[thread_position_in_grid]])
{
    a[i] = 0.0f;
}
