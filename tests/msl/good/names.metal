// Kernels and parameters that share names, and a kernel that takes nothing but a buffer.
#include <metal_stdlib>
using namespace metal;

template <typename T>
[[kernel, max_total_threads_per_threadgroup(32)]]
void scale(device const T* scale [[buffer(0)]], device T* entries [[buffer(1)]], uint a_ [[thread_position_in_grid]])
{
    entries[a_] = scale[a_];
}

template [[host_name("scale_names")]] [[kernel]] decltype(scale<float>) scale<float>;

[[kernel, max_total_threads_per_threadgroup(32)]]
void clear(device float* x [[buffer(0)]])
{
    x[0] = 0.0f;
}
