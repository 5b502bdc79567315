// Rule 1: a C++17 construct.
// expect: no 'if constexpr'
#include <metal_stdlib>
using namespace metal;
[[kernel, max_total_threads_per_threadgroup(32)]]
void k(device float* a [[buffer(0)]], uint i [[thread_position_in_grid]])
{
    if constexpr (sizeof(float) == 4) a[i] = 0.0f;
}
