// Rule 2: a helper's pointer without an address space.
// expect: pointer or reference 'p' has no address space
#include <metal_stdlib>
using namespace metal;
static float f(const float* p) { return p[0]; }
[[kernel, max_total_threads_per_threadgroup(32)]]
void k(device float* a [[buffer(0)]], uint i [[thread_position_in_grid]])
{
    float t[2] = {1.0f, 2.0f};
    a[i] = f(t);
}
