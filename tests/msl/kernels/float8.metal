// ingot/msl/float8.h and erf.h over arrays, for ingot/msl/portable/float8_test.cc and erf_test.cc.
#include <metal_stdlib>
#include "ingot/msl/erf.h"
#include "ingot/msl/float8.h"
using namespace metal;

[[kernel, max_total_threads_per_threadgroup(256)]]
void float8_decode(device float* e4m3 [[buffer(0)]],
                   device float* e5m2 [[buffer(1)]],
                   device float* e8m0 [[buffer(2)]],
                   uint code          [[thread_position_in_grid]])
{
    e4m3[code] = f8e4m3_to_float(uchar(code));
    e5m2[code] = f8e5m2_to_float(uchar(code));
    e8m0[code] = f8e8m0_to_float(uchar(code));
}

[[kernel, max_total_threads_per_threadgroup(256)]]
void float8_encode(device const float* x [[buffer(0)]],
                   device uchar* codes   [[buffer(1)]],
                   uint i                [[thread_position_in_grid]])
{
    device uchar* p = codes + ulong(i) * 5;
    p[0] = float_to_f8e4m3(x[i]);
    p[1] = float_to_f8e4m3_nonsaturating(x[i]);
    p[2] = float_to_f8e5m2(x[i]);
    p[3] = float_to_f8e5m2_saturating(x[i]);
    p[4] = float_to_f8e8m0(x[i]);
}

[[kernel, max_total_threads_per_threadgroup(256)]]
void erf_and_gelu(device const float* x [[buffer(0)]],
                  device float* erfs    [[buffer(1)]],
                  device float* gelus   [[buffer(2)]],
                  uint i                [[thread_position_in_grid]])
{
    erfs[i] = erf(x[i]);
    gelus[i] = 0.5f * x[i] * (1.0f + erf(x[i] * 0.70710678118654752f));
}
