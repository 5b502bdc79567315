// Rule 16: a kernel that does not state its largest threadgroup.
// expect: does not state its size
#include <metal_stdlib>
using namespace metal;
kernel void k(device float* a [[buffer(0)]], uint i [[thread_position_in_grid]]) { a[i] = 0.0f; }
