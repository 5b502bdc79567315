// Rule 1: a union.
// expect: no unions
#include <metal_stdlib>
using namespace metal;
union Bits {
    uint u;
    float f;
};
[[kernel, max_total_threads_per_threadgroup(32)]]
void k(device float* a [[buffer(0)]], uint i [[thread_position_in_grid]])
{
    Bits b;
    b.u = i;
    a[i] = b.f;
}
