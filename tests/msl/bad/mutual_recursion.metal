// Rule 1: recursion through two functions.
// expect: recursion through 'odd'
// expect: recursion through 'even'
#include <metal_stdlib>
using namespace metal;
static bool odd(uint n);
static bool even(uint n) { return n == 0 ? true : odd(n - 1); }
static bool odd(uint n) { return n == 0 ? false : even(n - 1); }
[[kernel, max_total_threads_per_threadgroup(32)]]
void k(device uint* a [[buffer(0)]], uint i [[thread_position_in_grid]])
{
    a[i] = even(i) ? 1 : 0;
}
