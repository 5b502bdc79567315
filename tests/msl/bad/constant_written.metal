// Rule 11: a write to the constant address space.
// expect: const
#include <metal_stdlib>
using namespace metal;
struct P {
    uint n;
    uint m;
};
[[kernel, max_total_threads_per_threadgroup(32)]]
void k(device float* a [[buffer(0)]], constant P& p [[buffer(1)]], uint i [[thread_position_in_grid]])
{
    p.n = i;
    a[i] = 0.0f;
}
