// Rule 1: a virtual function.
// expect: no virtual functions
#include <metal_stdlib>
using namespace metal;
struct S {
    virtual int f() { return 1; }
};
[[kernel, max_total_threads_per_threadgroup(32)]]
void k(device int* a [[buffer(0)]], uint i [[thread_position_in_grid]])
{
    S s;
    a[i] = s.f();
}
