// Rule 7: overloads that only the address space tells apart.
// expect: differ in address spaces only
#include <metal_stdlib>
using namespace metal;
static float f(device const float* p) { return p[0]; }
static float f(threadgroup const float* p) { return p[0]; }
[[kernel, max_total_threads_per_threadgroup(32)]]
void k(device float* a [[buffer(0)]], uint i [[thread_position_in_grid]])
{
    threadgroup float s[32];
    s[i & 31] = f(a);
    simdgroup_barrier(mem_flags::mem_threadgroup);
    a[i] = f(s);
}
