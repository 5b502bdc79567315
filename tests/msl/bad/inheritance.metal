// Rule 1: a base struct.
// expect: no inheritance
#include <metal_stdlib>
using namespace metal;
struct Base {
    int x;
};
struct Derived : Base {
    int y;
};
[[kernel, max_total_threads_per_threadgroup(32)]]
void k(device int* a [[buffer(0)]], uint i [[thread_position_in_grid]])
{
    Derived d;
    d.x = 1;
    a[i] = d.x;
}
