// Matrix products of any strides: a group makes 64x64 of the result, each of its four simdgroups 32x32, from operands that
// are staged 32 inner elements at a time, converted, with zeros beyond the edges. A staged operand keeps its direction in
// memory, so that neighbouring threads read neighbouring elements.
#include <metal_stdlib>
#include "ingot/msl/tile.h"
#include "ingot/msl/wait_inputs.h"
#include "ingot/ops/elementwise_kernel.h"
#include "ingot/ops/linear/gemm_params.h"
using namespace metal;

constant int kA          [[function_constant(0)]];  // ElementType
constant int kB          [[function_constant(1)]];
constant int kY          [[function_constant(2)]];
constant bool kHasScale  [[function_constant(3)]];
constant bool kHasBias   [[function_constant(4)]];

// Pitches of staged rows: room for 16 bytes more, against bank conflicts, in every type.
constant uint kInnerPitch = 40;
constant uint kOuterPitch = 72;

// 64 outer (rows of A, columns of B) by 32 inner elements from (outer, inner) on.
template <typename T>
void stage(threadgroup T* to, device const uchar* p, int type, int64_t outer_step, int64_t inner_step, int64_t outer,
           int64_t inner, int64_t outers, int64_t inners, bool inner_fast, uint tid) {
    for (uint i = tid; i < 64 * 32; i += kGemmThreads) {
        uint o = inner_fast ? i / 32 : i % 64;
        uint k = inner_fast ? i % 32 : i / 64;
        float v = 0.0f;
        if (outer + o < outers && inner + k < inners)
            v = load_float(p, type, (outer + o) * outer_step + (inner + k) * inner_step);
        to[inner_fast ? o * kInnerPitch + k : k * kOuterPitch + o] = T(v);
    }
}

template <typename T>
[[kernel, max_total_threads_per_threadgroup(128)]]
void gemm(device const uchar* a     [[buffer(0)]],
          device const uchar* b     [[buffer(1)]],
          device uchar* y           [[buffer(2)]],
          constant GemmParams& p    [[buffer(3)]],
          device const float* scale [[buffer(4), function_constant(kHasScale)]],
          device const float* bias  [[buffer(5), function_constant(kHasBias)]],
          uint group                [[threadgroup_position_in_grid]],
          uint tid                  [[thread_position_in_threadgroup]],
          uint lane                 [[thread_index_in_simdgroup]],
          uint simdgroup            [[simdgroup_index_in_threadgroup]])
{
    threadgroup T as[64 * 40];
    threadgroup T bs[64 * 40];
    threadgroup float scratch[4 * 256];
    wait_inputs();
    int64_t columns = (p.n + kGemmColumns - 1) / kGemmColumns;
    int64_t rows = (p.m + kGemmRows - 1) / kGemmRows;
    int64_t column0 = int64_t(group) % columns * kGemmColumns;
    int64_t row0 = int64_t(group) / columns % rows * kGemmRows;
    int64_t batch = int64_t(group) / columns / rows;
    bool a_fast = p.a_inner_fast != 0;
    bool b_fast = p.b_inner_fast != 0;
    uint row = simdgroup / 2 * 32;  // of this simdgroup's part, inside the group's
    uint column = simdgroup % 2 * 32;
    bool has_part = row0 + row < p.m && column0 + column < p.n;
    tile_acc c[4];
    for (uint i = 0; i < 4; ++i) tile_fill(c[i], 0.0f);
    for (int64_t k = 0; k < p.k; k += kGemmInner) {
        stage<T>(as, a + p.a_batch * batch * element_bytes(kA), kA, p.a_row, p.a_inner, row0, k, p.m, p.k, a_fast, tid);
        stage<T>(bs, b + p.b_batch * batch * element_bytes(kB), kB, p.b_column, p.b_inner, column0, k, p.n, p.k, b_fast,
                 tid);
        threadgroup_barrier(mem_flags::mem_threadgroup);
        if (has_part) {
            for (uint step = 0; step < kGemmInner; step += 16) {
                tile_a<T> ta[2];
                tile_b<T> tb[2];
                for (uint i = 0; i < 2; ++i) {
                    uint o = row + i * 16;
                    uint q = column + i * 16;
                    if (a_fast) tile_load(ta[i], as + o * kInnerPitch + step, kInnerPitch, false);
                    else tile_load(ta[i], as + step * kOuterPitch + o, kOuterPitch, true);
                    if (b_fast) tile_load(tb[i], bs + q * kInnerPitch + step, kInnerPitch, true);
                    else tile_load(tb[i], bs + step * kOuterPitch + q, kOuterPitch, false);
                }
                for (uint i = 0; i < 4; ++i) tile_multiply_add(c[i], ta[i / 2], tb[i % 2]);
            }
        }
        threadgroup_barrier(mem_flags::mem_threadgroup);
    }
    if (!has_part) return;
    for (uint i = 0; i < 4; ++i) {
        tile_values v = tile_get(c[i], scratch + simdgroup * 256, lane);
        for (uint e = 0; e < TILE_VALUES; ++e) {
            int64_t r = row0 + row + i / 2 * 16 + tile_row(lane, e);
            int64_t q = column0 + column + i % 2 * 16 + tile_column(lane, e);
            if (r >= p.m || q >= p.n) continue;
            float value = v.e[e];
            if (kHasScale) value *= scale[q * p.scale_step];
            if (kHasBias) value += bias[q];
            store_float(y, kY, (batch * p.m + r) * p.n + q, value);
        }
    }
}

template [[host_name("gemm_f32")]]  [[kernel]] decltype(gemm<float>)  gemm<float>;
template [[host_name("gemm_f16")]]  [[kernel]] decltype(gemm<half>)   gemm<half>;
template [[host_name("gemm_bf16")]] [[kernel]] decltype(gemm<bfloat>) gemm<bfloat>;
