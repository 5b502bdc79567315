// One threadgroup normalises one row of any length: a pass for maximum and sum together, a pass for the result.
#include <metal_stdlib>
using namespace metal;

constant float kLowest = -3.0e38f;

struct SoftmaxParams {
    uint length;
    uint row_stride;
    float scale;
    uint reserved;
};

template <typename T>
[[kernel, max_total_threads_per_threadgroup(1024)]]
void softmax_row(device const T* x         [[buffer(0)]],
                 device T* y               [[buffer(1)]],
                 constant SoftmaxParams& p [[buffer(2)]],
                 uint row                  [[threadgroup_position_in_grid]],
                 uint thread_in_row        [[thread_position_in_threadgroup]],
                 uint threads              [[threads_per_threadgroup]],
                 uint lane                 [[thread_index_in_simdgroup]],
                 uint simdgroup            [[simdgroup_index_in_threadgroup]],
                 uint simdgroups           [[simdgroups_per_threadgroup]])
{
    threadgroup float maxima[32], sums[32];
    device const T* from = x + ulong(row) * p.row_stride;
    device T* to = y + ulong(row) * p.row_stride;

    float largest = kLowest, sum = 0.0f;
    for (uint i = thread_in_row; i < p.length; i += threads) {
        float v = float(from[i]) * p.scale;
        float grown = max(largest, v);
        sum = sum * exp(largest - grown) + exp(v - grown);
        largest = grown;
    }
    float group_largest = simd_max(largest);
    sum = simd_sum(sum * exp(largest - group_largest));
    if (lane == 0) {
        maxima[simdgroup] = group_largest;
        sums[simdgroup] = sum;
    }
    threadgroup_barrier(mem_flags::mem_threadgroup);
    float m = lane < simdgroups ? maxima[lane] : kLowest;
    float s = lane < simdgroups ? sums[lane] : 0.0f;
    float row_largest = simd_max(m);
    float inverse = 1.0f / simd_sum(s * exp(m - row_largest));
    for (uint i = thread_in_row; i < p.length; i += threads)
        to[i] = T(exp(float(from[i]) * p.scale - row_largest) * inverse);
}

template [[host_name("softmax_row_f32")]]  [[kernel]] decltype(softmax_row<float>)  softmax_row<float>;
template [[host_name("softmax_row_f16")]]  [[kernel]] decltype(softmax_row<half>)   softmax_row<half>;
template [[host_name("softmax_row_bf16")]] [[kernel]] decltype(softmax_row<bfloat>) softmax_row<bfloat>;
