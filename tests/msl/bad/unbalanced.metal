// Not readable: a brace that is not closed.
// expect: is never closed
#include <metal_stdlib>
using namespace metal;
kernel void k(device float* a [[buffer(0)]], uint i [[thread_position_in_grid]])
{
    a[i] = 0.0f;
