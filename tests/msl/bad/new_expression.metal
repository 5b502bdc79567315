// Rule 1: memory from a heap.
// expect: 'new': no dynamic memory
// expect: 'new'
#include <metal_stdlib>
using namespace metal;
[[kernel, max_total_threads_per_threadgroup(32)]]
void k(device float* a [[buffer(0)]], uint i [[thread_position_in_grid]])
{
    thread float* p = new float[2];
    a[i] = p[0];
}
