// Rule 8: a member function of a device object.
// expect: rule 8
#include <metal_stdlib>
using namespace metal;
struct S {
    float x;
    float twice() const { return 2.0f * x; }
};
[[kernel, max_total_threads_per_threadgroup(32)]]
void k(device S* a [[buffer(0)]], device float* b [[buffer(1)]], uint i [[thread_position_in_grid]])
{
    b[i] = a[i].twice();
}
