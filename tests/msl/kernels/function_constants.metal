// Function constants; every launch of a file's kernels gives all of that file's. For ingot/device/sim/dispatch_test.cc.
#include <metal_stdlib>
using namespace metal;

constant uint ADDEND [[function_constant(0)]];
constant bool DOUBLED [[function_constant(3)]];

[[kernel, max_total_threads_per_threadgroup(64)]]
void add_constant(device uint* values [[buffer(0)]], uint i [[thread_position_in_grid]])
{
    uint v = values[i] + ADDEND;
    values[i] = DOUBLED ? v * 2u : v;
}
