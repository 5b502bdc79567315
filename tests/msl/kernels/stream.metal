// What the stream of a GPU device is tested with: values, optional buffers, threadgroup memory, reported errors.
#include <metal_stdlib>
#include "ingot/msl/errors.h"
using namespace metal;

constant bool kHasBias [[function_constant(0)]];

struct ScaleParams {
    int64_t count;
    float factor;
    uint reserved;
};

template <typename T>
[[kernel, max_total_threads_per_threadgroup(64)]]
void stream_scale(device const T* x        [[buffer(0)]],
                  device T* y              [[buffer(1)]],
                  constant ScaleParams& p  [[buffer(2)]],
                  device const float* bias [[buffer(3), function_constant(kHasBias)]],
                  uint i                   [[thread_position_in_grid]])
{
    if (int64_t(i) >= p.count) return;
    float v = float(x[i]) * p.factor;
    if (kHasBias) v += bias[i];
    y[i] = T(v);
}
template [[host_name("stream_scale_f32")]]  [[kernel]] decltype(stream_scale<float>)  stream_scale<float>;
template [[host_name("stream_scale_bf16")]] [[kernel]] decltype(stream_scale<bfloat>) stream_scale<bfloat>;

[[kernel, max_total_threads_per_threadgroup(64)]]
void stream_reverse(device float* x            [[buffer(0)]],
                    threadgroup float* scratch [[threadgroup(0)]],
                    uint i                     [[thread_position_in_grid]],
                    uint n                     [[threads_per_threadgroup]],
                    uint tid                [[thread_position_in_threadgroup]])
{
    scratch[tid] = x[i];
    threadgroup_barrier(mem_flags::mem_threadgroup);
    x[i] = scratch[n - 1 - tid];
}

struct GatherParams {
    int64_t bound;
};

[[kernel, max_total_threads_per_threadgroup(64)]]
void stream_gather(device const float* x     [[buffer(0)]],
                   device const int64_t* at  [[buffer(1)]],
                   device float* y           [[buffer(2)]],
                   constant GatherParams& p  [[buffer(3)]],
                   device ErrorSlot& errors  [[buffer(4)]],
                   uint i                    [[thread_position_in_grid]])
{
    if (at[i] < 0 || at[i] >= p.bound) {
        report_error(errors, 1, at[i], p.bound);
        return;
    }
    y[i] = x[at[i]];
}
