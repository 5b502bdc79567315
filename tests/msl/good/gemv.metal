// y = W x, one simdgroup a row. The format of W is a struct that loads four weights; scale and bias are optional buffers.
#include <metal_stdlib>
#include "ingot/msl/wait_inputs.h"
using namespace metal;

constant bool kHasScale [[function_constant(0)]];
constant bool kHasBias [[function_constant(1)]];
constant uint kRows [[function_constant(2)]];

struct GemvParams {
    uint rows;
    uint columns;
};

// e4m3fn by way of half: the bits moved up are the value divided by 256; both NaNs are all ones.
static inline float from_fp8(uchar bits)
{
    ushort moved = ushort(((bits & 0x80u) << 8) | ((bits & 0x7Fu) << 7));
    return (bits & 0x7Fu) == 0x7Fu ? NAN : float(as_type<half>(moved)) * 256.0f;
}

struct Bf16Weights {
    typedef bfloat storage;
    static float4 load(device const bfloat* w)
    {
        ushort4 bits = *(device const ushort4*)w;
        return float4(as_type<float>(uint(bits.x) << 16), as_type<float>(uint(bits.y) << 16),
                      as_type<float>(uint(bits.z) << 16), as_type<float>(uint(bits.w) << 16));
    }
};

struct Fp8Weights {
    typedef uchar storage;
    static float4 load(device const uchar* w)
    {
        uchar4 bits = *(device const uchar4*)w;
        return float4(from_fp8(bits.x), from_fp8(bits.y), from_fp8(bits.z), from_fp8(bits.w));
    }
};

template <typename Weights>
[[kernel, max_total_threads_per_threadgroup(256)]]
void gemv(device const typename Weights::storage* w [[buffer(0)]],
          device const float* x                     [[buffer(1)]],
          device float* y                           [[buffer(2)]],
          constant GemvParams& p                    [[buffer(3)]],
          device const float* scale                 [[buffer(4), function_constant(kHasScale)]],
          device const float* bias                  [[buffer(5), function_constant(kHasBias)]],
          uint group                                [[threadgroup_position_in_grid]],
          uint lane                                 [[thread_index_in_simdgroup]],
          uint simdgroup                            [[simdgroup_index_in_threadgroup]],
          uint simdgroups                           [[simdgroups_per_threadgroup]])
{
    uint first = (group * simdgroups + simdgroup) * kRows;
    wait_inputs();
    for (uint row = first; row < min(first + kRows, p.rows); ++row) {
        device const typename Weights::storage* weights = w + ulong(row) * p.columns;
        float4 sums = float4(0.0f);
        for (uint c = lane * 4; c < p.columns; c += 128)
            sums = fma(Weights::load(weights + c), *(device const float4*)(x + c), sums);
        float sum = simd_sum(sums.x + sums.y + sums.z + sums.w);
        if (lane == 0) {
            if (kHasScale) sum *= scale[row];
            if (kHasBias) sum += bias[row];
            y[row] = sum;
        }
    }
}

template [[host_name("gemv_bf16")]] [[kernel]] decltype(gemv<Bf16Weights>) gemv<Bf16Weights>;
template [[host_name("gemv_fp8")]]  [[kernel]] decltype(gemv<Fp8Weights>)  gemv<Fp8Weights>;
