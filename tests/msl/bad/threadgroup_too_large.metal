// Rule 15: more than 32 KiB of threadgroup memory.
// expect: 32 KiB at most
#include <metal_stdlib>
using namespace metal;
[[kernel, max_total_threads_per_threadgroup(32)]]
void k(device float* a [[buffer(0)]], uint i [[thread_position_in_grid]])
{
    threadgroup float s[4096];
    threadgroup float t[4097];
    s[i] = a[i];
    t[i] = a[i];
    threadgroup_barrier(mem_flags::mem_threadgroup);
    a[i] = s[i] + t[i];
}
