// Rule 1: a lambda.
// expect: no lambdas
#include <metal_stdlib>
using namespace metal;
[[kernel, max_total_threads_per_threadgroup(32)]]
void k(device uint* a [[buffer(0)]], uint i [[thread_position_in_grid]])
{
    auto f = [](uint x) { return x; };
    a[i] = f(i);
}
