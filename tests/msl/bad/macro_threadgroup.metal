// Rule 10: a threadgroup variable made by a macro.
// expect: writes a declaration
#include <metal_stdlib>
using namespace metal;
#define SCRATCH(name) threadgroup float name[32]
[[kernel, max_total_threads_per_threadgroup(32)]]
void k(device float* a [[buffer(0)]], uint i [[thread_position_in_grid]])
{
    SCRATCH(s);
    s[i & 31] = 0.0f;
    a[i] = s[i & 31];
}
