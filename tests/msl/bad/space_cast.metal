// Rule 2: a cast that changes the address space.
// expect: cast between address spaces
#include <metal_stdlib>
using namespace metal;
[[kernel, max_total_threads_per_threadgroup(32)]]
void k(device float* a [[buffer(0)]], uint i [[thread_position_in_grid]])
{
    threadgroup float* p = (threadgroup float*)a;
    a[i] = p[0];
}
