// Rule 3: an unsuffixed literal that only the macro's definition shows.
// expect: '0.5' is a double
#include <metal_stdlib>
using namespace metal;
#define HALF 0.5
[[kernel, max_total_threads_per_threadgroup(32)]]
void k(device float* a [[buffer(0)]], uint i [[thread_position_in_grid]])
{
    a[i] = a[i] * HALF;
}
