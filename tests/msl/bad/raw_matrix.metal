// Rule 24: simdgroup matrices without tile.h.
// expect: go through ingot/msl/tile.h
#include <metal_stdlib>
using namespace metal;
[[kernel, max_total_threads_per_threadgroup(32)]]
void k(device float* a [[buffer(0)]], uint i [[thread_position_in_grid]])
{
    simdgroup_float8x8 m;
    simdgroup_load(m, a);
    simdgroup_store(m, a + 64 * i);
}
