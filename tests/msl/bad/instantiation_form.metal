// Rule 14: an instantiation in another form.
// expect: an instantiation reads
#include <metal_stdlib>
using namespace metal;
template <typename T>
[[kernel, max_total_threads_per_threadgroup(32)]]
void k(device T* a [[buffer(0)]], uint i [[thread_position_in_grid]]) { a[i] = T(2.0f); }
template [[host_name("k_f32")]] [[kernel]] void k<float>(device float*, uint);
