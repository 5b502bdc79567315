// Rule 4: bfloat stored as half without a conversion.
// expect: incompatible type
#include <metal_stdlib>
using namespace metal;
[[kernel, max_total_threads_per_threadgroup(32)]]
void k(device bfloat* a [[buffer(0)]], device half* h [[buffer(1)]], uint i [[thread_position_in_grid]])
{
    h[i] = a[i];
}
