// Rule 9: two function constants of one number.
// expect: function_constant(0) is used twice
#include <metal_stdlib>
using namespace metal;
constant bool kA [[function_constant(0)]];
constant bool kB [[function_constant(0)]];
[[kernel, max_total_threads_per_threadgroup(32)]]
void k(device float* a [[buffer(0)]], uint i [[thread_position_in_grid]])
{
    a[i] = kA && kB ? 1.0f : 0.0f;
}
