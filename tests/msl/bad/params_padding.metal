// Rule 13: a parameter struct of 12 bytes.
// expect: pad it to a multiple of 8
#include <metal_stdlib>
using namespace metal;
struct P {
    float scale;
    uint n;
    uint m;
};
[[kernel, max_total_threads_per_threadgroup(32)]]
void k(device float* a [[buffer(0)]], constant P& p [[buffer(1)]], uint i [[thread_position_in_grid]])
{
    a[i] = p.scale;
}
