// What must not happen when a kernel runs, one kernel a mistake, for ingot/device/sim/mistakes_test.cc.
#include <metal_stdlib>
using namespace metal;

[[kernel, max_total_threads_per_threadgroup(256)]]
void barrier_not_reached(device float* y [[buffer(0)]], uint i [[thread_position_in_threadgroup]])
{
    if (i < 100) threadgroup_barrier(mem_flags::mem_threadgroup);
    y[i] = 0.0f;
}

[[kernel, max_total_threads_per_threadgroup(256)]]
void different_barriers(device float* y [[buffer(0)]], uint i [[thread_position_in_threadgroup]])
{
    if (i < 128) {
        threadgroup_barrier(mem_flags::mem_threadgroup);
    } else {
        threadgroup_barrier(mem_flags::mem_device);
    }
    y[i] = 0.0f;
}

[[kernel, max_total_threads_per_threadgroup(256)]]
void different_operations(device float* y [[buffer(0)]], uint i [[thread_position_in_threadgroup]])
{
    float v = float(i);
    if (i % 32 < 16) v = simd_sum(v);
    else v = simd_max(v);
    y[i] = v;
}

[[kernel, max_total_threads_per_threadgroup(256)]]
void early_return(device float* y [[buffer(0)]], uint i [[thread_position_in_threadgroup]])
{
    if (i >= 200) return;
    y[i] = simd_sum(1.0f);
}

[[kernel, max_total_threads_per_threadgroup(256)]]
void large_argument(device float* y [[buffer(0)]], threadgroup float* big [[threadgroup(0)]], uint i [[thread_position_in_threadgroup]])
{
    big[i] = 0.0f;
    y[i] = big[i];
}

[[kernel, max_total_threads_per_threadgroup(256)]]
void missing_barrier(device float* y [[buffer(0)]], uint i [[thread_position_in_threadgroup]])
{
    threadgroup float values[256];
    values[i] = float(i);
    y[i] = i > 0 ? values[i - 1] : 0.0f;
}

[[kernel, max_total_threads_per_threadgroup(256)]]
void missing_simdgroup_barrier(device float* y [[buffer(0)]], uint i [[thread_position_in_threadgroup]])
{
    threadgroup float values[256];
    values[i] = float(i);
    float zero = simd_sum(0.0f);             // meets the other lanes, but orders no memory
    y[i] = i % 32 != 0 ? values[i - 1] + zero : float(i) - 1.0f;
}

[[kernel, max_total_threads_per_threadgroup(256)]]
void barrier_without_flag(device float* y [[buffer(0)]], uint i [[thread_position_in_threadgroup]])
{
    threadgroup float values[256];
    values[i] = float(i);
    threadgroup_barrier(mem_flags::mem_none);
    y[i] = i > 0 ? values[i - 1] : 0.0f;
}

[[kernel, max_total_threads_per_threadgroup(256)]]
void groups_share(device float* y [[buffer(0)]], uint i [[thread_position_in_threadgroup]], uint group [[threadgroup_position_in_grid]])
{
    y[(i + group) % 256] = float(i);
}

[[kernel, max_total_threads_per_threadgroup(256)]]
void uninitialised(device float* y [[buffer(0)]], uint i [[thread_position_in_threadgroup]])
{
    threadgroup float values[256];
    if (i != 3) values[i] = float(i);
    threadgroup_barrier(mem_flags::mem_threadgroup);
    y[i] = values[i];
}

[[kernel, max_total_threads_per_threadgroup(256)]]
void beyond_threadgroup(device float* y [[buffer(0)]], uint i [[thread_position_in_threadgroup]])
{
    threadgroup float values[256];
    values[i + 1] = float(i);
    threadgroup_barrier(mem_flags::mem_threadgroup);
    y[i] = values[i];
}

[[kernel, max_total_threads_per_threadgroup(256)]]
void beyond_buffer(device const float* x [[buffer(0)]], device float* y [[buffer(1)]], uint i [[thread_position_in_threadgroup]])
{
    y[i] = x[i + 1];
}

[[kernel, max_total_threads_per_threadgroup(256)]]
void misaligned_vector(device const float* x [[buffer(0)]], device float* y [[buffer(1)]], uint i [[thread_position_in_threadgroup]])
{
    float4 v = *(device const float4*)(x + i + 1);
    y[i] = v.x;
}

// Right: the same with its barrier, many times over.
[[kernel, max_total_threads_per_threadgroup(256)]]
void neighbours(device float* y [[buffer(0)]], uint i [[thread_position_in_threadgroup]])
{
    threadgroup float values[256];
    float v = float(i);
    for (uint round = 0; round < 4; ++round) {
        values[i] = v;
        threadgroup_barrier(mem_flags::mem_threadgroup);
        v = values[(i + 1) % 256];
        threadgroup_barrier(mem_flags::mem_threadgroup);
    }
    y[i] = v;
}
