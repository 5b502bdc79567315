// Layer norm, RMS norm, and RMS norm fused with the addition before it, a row at a time. Rows are read again from cache
// for each pass.
#include <metal_stdlib>
#include "ingot/msl/wait_inputs.h"
#include "ingot/ops/rows_kernel.h"
using namespace metal;

constant bool kCentred [[function_constant(0)]];  // layer norm: the mean is taken off
constant bool kAdd     [[function_constant(1)]];  // x + residual is stored as `sum`, and normalised
constant int kX        [[function_constant(2)]];  // ElementType of x, residual, sum and y
constant int kWeight   [[function_constant(3)]];  // or kElementNumber for none
constant int kBias     [[function_constant(4)]];  // or kElementNumber for none
constant bool kWide    [[function_constant(5)]];  // a row is done by a whole group, not by a simdgroup
constant bool kVector  [[function_constant(6)]];  // 4 elements at a time: dense, aligned rows; weight and bias too

// The sum over all threads of a row. `shared` holds 8 floats; barriers keep two calls apart.
static inline float sum_of_row(float v, threadgroup float* shared, uint lane, uint simdgroup, uint simdgroups) {
    v = simd_sum(v);
    if (!kWide) return v;
    threadgroup_barrier(mem_flags::mem_threadgroup);
    if (lane == 0) shared[simdgroup] = v;
    threadgroup_barrier(mem_flags::mem_threadgroup);
    return simd_sum(lane < simdgroups ? shared[lane] : 0.0f);
}

static inline float sum4(float4 v) { return (v.x + v.y) + (v.z + v.w); }

static inline float4 affine4(float4 v, int64_t i, device const uchar* weight, device const uchar* bias) {
    if (kWeight != kElementNumber) v *= load_float4(weight, kWeight, i);
    if (kBias != kElementNumber) v += load_float4(bias, kBias, i);
    return v;
}
static inline float affine(float v, int64_t i, device const uchar* weight, device const uchar* bias) {
    if (kWeight != kElementNumber) v *= load_float(weight, kWeight, i);
    if (kBias != kElementNumber) v += load_float(bias, kBias, i);
    return v;
}

[[kernel, max_total_threads_per_threadgroup(256)]]
void norm_rows(device const uchar* x        [[buffer(0)]],
               device const uchar* residual [[buffer(1)]],
               device const uchar* weight   [[buffer(2)]],
               device const uchar* bias     [[buffer(3)]],
               device uchar* sum            [[buffer(4)]],
               device uchar* y              [[buffer(5)]],
               constant RowsParams& p       [[buffer(6)]],
               uint group                   [[threadgroup_position_in_grid]],
               uint tid                     [[thread_position_in_threadgroup]],
               uint lane                    [[thread_index_in_simdgroup]],
               uint simdgroup               [[simdgroup_index_in_threadgroup]],
               uint simdgroups              [[simdgroups_per_threadgroup]])
{
    threadgroup float shared[8];
    wait_inputs();
    int64_t index = kWide ? int64_t(group) : int64_t(group) * simdgroups + simdgroup;
    if (index >= p.count) return;
    RowPlaces row = row_places(p, index, 3);
    int64_t own = kWide ? tid : lane;
    int64_t width = kWide ? simdgroups * 32 : 32;
    device const uchar* from = x;
    int64_t at = row.at[1];
    if (kAdd) {
        // What is stored is read back, so that the sum is rounded before it is normalised.
        if (kVector) {
            for (int64_t i = own; i < p.length / 4; i += width) {
                float4 v = load_float4(x, kX, at / 4 + i) + load_float4(residual, kX, row.at[2] / 4 + i);
                store_float4(sum, kX, row.at[0] / 4 + i, v);
            }
        } else {
            for (int64_t i = own; i < p.length; i += width) {
                store_float(sum, kX, row.at[0] + i, load_float(x, kX, at + i) + load_float(residual, kX, row.at[2] + i));
            }
        }
        from = sum;
        at = row.at[0];
    }

    float n = float(p.length);
    float mean = 0.0f;
    if (kCentred) {
        float total = 0.0f;
        if (kVector) {
            for (int64_t i = own; i < p.length / 4; i += width) total += sum4(load_float4(from, kX, at / 4 + i));
        } else {
            for (int64_t i = own; i < p.length; i += width) total += load_float(from, kX, at + i);
        }
        mean = sum_of_row(total, shared, lane, simdgroup, simdgroups) / n;
    }

    float squares = 0.0f;
    if (kVector) {
        for (int64_t i = own; i < p.length / 4; i += width) {
            float4 v = load_float4(from, kX, at / 4 + i) - mean;
            squares += sum4(v * v);
        }
    } else {
        for (int64_t i = own; i < p.length; i += width) {
            float v = load_float(from, kX, at + i) - mean;
            squares += v * v;
        }
    }
    float scale = 1.0f / sqrt(sum_of_row(squares, shared, lane, simdgroup, simdgroups) / n + p.a);

    if (kVector) {
        for (int64_t i = own; i < p.length / 4; i += width) {
            float4 v = (load_float4(from, kX, at / 4 + i) - mean) * scale;
            store_float4(y, kX, row.at[0] / 4 + i, affine4(v, i, weight, bias));
        }
    } else {
        for (int64_t i = own; i < p.length; i += width) {
            float v = (load_float(from, kX, at + i) - mean) * scale;
            store_float(y, kX, row.at[0] + i, affine(v, i, weight, bias));
        }
    }
}
