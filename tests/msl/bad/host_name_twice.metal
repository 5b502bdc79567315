// Rule 14: one host name for two kernels.
// expect: two kernels are called 'k_f32'
#include <metal_stdlib>
using namespace metal;
template <typename T>
[[kernel, max_total_threads_per_threadgroup(32)]]
void k(device T* a [[buffer(0)]], uint i [[thread_position_in_grid]]) { a[i] = T(2.0f); }
template [[host_name("k_f32")]] [[kernel]] decltype(k<float>) k<float>;
template [[host_name("k_f32")]] [[kernel]] decltype(k<half>) k<half>;
