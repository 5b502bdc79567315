// Rule 15: threadgroup memory with values.
// expect: has no initialiser
#include <metal_stdlib>
using namespace metal;
[[kernel, max_total_threads_per_threadgroup(32)]]
void k(device int* a [[buffer(0)]], uint i [[thread_position_in_grid]])
{
    threadgroup int s[2] = {1, 2};
    a[i] = s[i & 1];
}
