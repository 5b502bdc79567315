// Rule 14: an instantiation of nothing.
// expect: no kernel template 'missing'
#include <metal_stdlib>
using namespace metal;
[[kernel, max_total_threads_per_threadgroup(32)]]
void k(device float* a [[buffer(0)]], uint i [[thread_position_in_grid]])
{
    a[i] = 0.0f;
}
template [[host_name("m")]] [[kernel]] decltype(missing<float>) missing<float>;
