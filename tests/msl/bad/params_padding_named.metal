// Rule 13: a parameter struct whose size hangs on a name.
// expect: pad the parameter struct to a multiple of 8
#include <metal_stdlib>
using namespace metal;
#define DIMS 3
struct P {
    uint shape[DIMS];
};
[[kernel, max_total_threads_per_threadgroup(32)]]
void k(device float* a [[buffer(0)]], constant P& p [[buffer(1)]], uint i [[thread_position_in_grid]])
{
    a[i] = float(p.shape[2]);
}
