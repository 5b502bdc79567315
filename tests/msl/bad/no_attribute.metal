// Rule 11: a parameter without an attribute.
// expect: needs exactly one of
#include <metal_stdlib>
using namespace metal;
[[kernel, max_total_threads_per_threadgroup(32)]]
void k(device float* a [[buffer(0)]], uint i)
{
    a[i] = 0.0f;
}
