// Constant padding in up to six dimensions, and a histogram with atomics in both memories.
#include <metal_stdlib>
using namespace metal;

#define MOST_DIMS 6

struct PadParams {
    int dims;
    int to_shape[MOST_DIMS];
    int from_shape[MOST_DIMS];
    int from_stride[MOST_DIMS];
    int before[MOST_DIMS];
    uint total;
    float value;
    uint reserved;
};

template <typename T>
[[kernel, max_total_threads_per_threadgroup(256)]]
void pad_constant(device const T* from  [[buffer(0)]],
                  device T* to          [[buffer(1)]],
                  constant PadParams& p [[buffer(2)]],
                  uint i                [[thread_position_in_grid]])
{
    if (i >= p.total) return;
    uint rest = i;
    int offset = 0;
    bool inside = true;
    for (int d = p.dims - 1; d >= 0; --d) {
        int at = int(rest % uint(p.to_shape[d])) - p.before[d];
        rest /= uint(p.to_shape[d]);
        inside = inside && at >= 0 && at < p.from_shape[d];
        offset += at * p.from_stride[d];
    }
    to[i] = inside ? from[offset] : T(p.value);
}

template [[host_name("pad_constant_f32")]]  [[kernel]] decltype(pad_constant<float>)  pad_constant<float>;
template [[host_name("pad_constant_bf16")]] [[kernel]] decltype(pad_constant<bfloat>) pad_constant<bfloat>;

constant uint kReversed[4] = {3, 2, 1, 0};

[[kernel, max_total_threads_per_threadgroup(256)]]
void histogram4(device const uchar4* values     [[buffer(0)]],
                device atomic_uint* bins        [[buffer(1)]],
                device atomic_float* total      [[buffer(2)]],
                constant uint& count            [[buffer(3)]],
                threadgroup atomic_uint* counts [[threadgroup(0)]],
                uint3 position                  [[thread_position_in_grid]],
                uint3 in_group                  [[thread_position_in_threadgroup]])
{
    if (in_group.x < 4) atomic_store_explicit(&counts[in_group.x], 0u, memory_order_relaxed);
    threadgroup_barrier(mem_flags::mem_threadgroup);
    if (position.x < count) {
        uchar4 v = values[position.x].wzyx;
        atomic_fetch_add_explicit(&counts[kReversed[v.x & 3]], 1u, memory_order_relaxed);
        atomic_fetch_add_explicit(total, float(v.y), memory_order_relaxed);
    }
    threadgroup_barrier(mem_flags::mem_threadgroup);
    if (in_group.x < 4) {
        uint found = atomic_load_explicit(&counts[in_group.x], memory_order_relaxed);
        atomic_fetch_add_explicit(&bins[in_group.x], found, memory_order_relaxed);
    }
}
