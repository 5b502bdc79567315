// Rule 8: a device struct copied whole.
// expect: rule 8
#include <metal_stdlib>
using namespace metal;
struct S {
    float x;
    float y;
};
[[kernel, max_total_threads_per_threadgroup(32)]]
void k(device S* a [[buffer(0)]], device float* b [[buffer(1)]], uint i [[thread_position_in_grid]])
{
    S s = a[i];
    b[i] = s.x;
}
