// Rule 4: a conversion that only the instantiation for bfloat makes.
// expect: implicit conversion to bfloat
#include <metal_stdlib>
using namespace metal;
template <typename T>
[[kernel, max_total_threads_per_threadgroup(32)]]
void k(device T* a [[buffer(0)]], uint i [[thread_position_in_grid]]) { a[i] = 2.0f; }
template [[host_name("k_bf16")]] [[kernel]] decltype(k<bfloat>) k<bfloat>;
