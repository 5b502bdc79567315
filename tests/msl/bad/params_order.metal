// Rule 13: an 8-byte member after 4-byte members.
// expect: 8-byte members stand before
#include <metal_stdlib>
using namespace metal;
struct P {
    float scale;
    uint n;
    int64_t stride;
};
[[kernel, max_total_threads_per_threadgroup(32)]]
void k(device float* a [[buffer(0)]], constant P& p [[buffer(1)]], uint i [[thread_position_in_grid]])
{
    a[i] = float(p.stride) + p.scale;
}
