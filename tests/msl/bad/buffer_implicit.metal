// Rule 11: another attribute that does not exist.
// expect: unknown attribute [[buffers]]
#include <metal_stdlib>
using namespace metal;
[[kernel, max_total_threads_per_threadgroup(32)]]
void k(device float* a [[buffers(0)]], uint i [[thread_position_in_grid]])
{
    a[i] = 0.0f;
}
