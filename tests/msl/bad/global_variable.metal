// Rule 9: a variable at program scope.
// expect: program-scope variables live in the constant address space
#include <metal_stdlib>
using namespace metal;
float table[4];
[[kernel, max_total_threads_per_threadgroup(32)]]
void k(device float* a [[buffer(0)]], uint i [[thread_position_in_grid]])
{
    a[i] = table[i & 3];
}
