// Rule 2: threadgroup memory given to a device pointer.
// expect: no matching function for call to 'f'
#include <metal_stdlib>
using namespace metal;
static float f(device float* p) { return p[0]; }
[[kernel, max_total_threads_per_threadgroup(32)]]
void k(device float* a [[buffer(0)]], uint i [[thread_position_in_grid]])
{
    threadgroup float s[4];
    s[i & 3] = 1.0f;
    a[i] = f(s);
}
