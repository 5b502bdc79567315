// Rule 1: a function pointer.
// expect: no function pointers
#include <metal_stdlib>
using namespace metal;
static float one(float x) { return x; }
[[kernel, max_total_threads_per_threadgroup(32)]]
void k(device float* a [[buffer(0)]], uint i [[thread_position_in_grid]])
{
    float (*f)(float) = one;
    a[i] = f(a[i]);
}
