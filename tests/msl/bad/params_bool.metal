// Rule 13: a bool in a parameter struct.
// expect: member 'flag' of parameter struct 'P'
#include <metal_stdlib>
using namespace metal;
struct P {
    uint n;
    bool flag;
};
[[kernel, max_total_threads_per_threadgroup(32)]]
void k(device float* a [[buffer(0)]], constant P& p [[buffer(1)]], uint i [[thread_position_in_grid]])
{
    a[i] = p.flag ? 1.0f : 0.0f;
}
