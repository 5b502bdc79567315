// The short depthwise convolution over the rows of the state and then of x, and the state it leaves behind.
#include <metal_stdlib>
#include "ingot/msl/wait_inputs.h"
using namespace metal;

constant bool kHasBias [[function_constant(0)]];

struct CausalConvParams {
    int64_t tokens;
    int64_t channels;
    int64_t taps;
};

// A thread gives one element; taps [K, C].
[[kernel, max_total_threads_per_threadgroup(256)]]
void causal_conv1d(device const float* x         [[buffer(0)]],
                   device const float* taps      [[buffer(1)]],
                   device const float* bias      [[buffer(2), function_constant(kHasBias)]],
                   device const float* state     [[buffer(3)]],
                   device float* y               [[buffer(4)]],
                   constant CausalConvParams& p  [[buffer(5)]],
                   uint group                    [[threadgroup_position_in_grid]],
                   uint tid                      [[thread_position_in_threadgroup]])
{
    wait_inputs();
    int64_t i = int64_t(group) * 256 + tid;
    if (i >= p.tokens * p.channels) return;
    int64_t token = i / p.channels;
    int64_t channel = i - token * p.channels;
    int64_t history = p.taps - 1;
    float sum = 0.0f;
    for (int64_t j = 0; j < p.taps; ++j) {
        int64_t row = token - history + j;
        float v = row < 0 ? state[(history + row) * p.channels + channel] : x[row * p.channels + channel];
        sum += taps[j * p.channels + channel] * v;
    }
    if (kHasBias) sum += bias[channel];
    y[i] = sum;
}

// A thread moves one channel on; rows are read before they are written, since they move towards the front.
[[kernel, max_total_threads_per_threadgroup(256)]]
void causal_conv1d_state(device const float* x        [[buffer(0)]],
                         device float* state          [[buffer(1)]],
                         constant CausalConvParams& p [[buffer(2)]],
                         uint group                   [[threadgroup_position_in_grid]],
                         uint tid                     [[thread_position_in_threadgroup]])
{
    wait_inputs();
    int64_t channel = int64_t(group) * 256 + tid;
    if (channel >= p.channels) return;
    int64_t history = p.taps - 1;
    for (int64_t j = 0; j < history; ++j) {
        int64_t row = p.tokens - history + j;
        float v = row < 0 ? state[(history + row) * p.channels + channel] : x[row * p.channels + channel];
        state[j * p.channels + channel] = v;
    }
}
