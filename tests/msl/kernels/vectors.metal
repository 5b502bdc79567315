// Vector loads and stores and wait_inputs(), whose CUDA instructions ingot/msl/portable/nvrtc_test.cc looks for.
#include <metal_stdlib>
#include "ingot/msl/wait_inputs.h"
using namespace metal;

[[kernel, max_total_threads_per_threadgroup(256)]]
void scale_float4(device const float4* x [[buffer(0)]],
                  device float4* y       [[buffer(1)]],
                  constant float& scale  [[buffer(2)]],
                  uint i                 [[thread_position_in_grid]])
{
    wait_inputs();
    y[i] = x[i] * scale;
}

[[kernel, max_total_threads_per_threadgroup(256)]]
void widen_half4(device const half* x [[buffer(0)]],
                 device float* y      [[buffer(1)]],
                 uint i               [[thread_position_in_grid]])
{
    wait_inputs();
    half4 v = *(device const half4*)(x + ulong(i) * 4);
    *(device float4*)(y + ulong(i) * 4) = float4(v);
}
