// Rule 15: threadgroup memory declared in a helper.
// expect: stand in kernel bodies only
#include <metal_stdlib>
using namespace metal;
static float f(uint i)
{
    threadgroup float s[32];
    s[i] = 1.0f;
    return s[0];
}
[[kernel, max_total_threads_per_threadgroup(32)]]
void k(device float* a [[buffer(0)]], uint i [[thread_position_in_grid]])
{
    a[i] = f(i & 31);
}
