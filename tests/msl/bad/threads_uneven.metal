// Rule 16: a threadgroup size that is no multiple of 32.
// expect: a literal multiple of 32
#include <metal_stdlib>
using namespace metal;
[[kernel, max_total_threads_per_threadgroup(100)]]
void k(device float* a [[buffer(0)]], uint i [[thread_position_in_grid]]) { a[i] = 0.0f; }
