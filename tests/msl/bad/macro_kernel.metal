// Rule 10: a kernel made by a macro.
// expect: writes a declaration
// expect: looks like a macro
#include <metal_stdlib>
using namespace metal;
#define DEFINE_KERNEL(name) kernel void name(device float* a [[buffer(0)]], uint i [[thread_position_in_grid]]) { a[i] = 0.0f; }
DEFINE_KERNEL(k)
