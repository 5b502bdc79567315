// Rule 1: recursion.
// expect: recursion through 'fibonacci'
#include <metal_stdlib>
using namespace metal;
static uint fibonacci(uint n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
[[kernel, max_total_threads_per_threadgroup(32)]]
void k(device uint* a [[buffer(0)]], uint i [[thread_position_in_grid]])
{
    a[i] = fibonacci(i);
}
