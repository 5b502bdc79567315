// C = A B in tiles of 32x32, four simdgroups of 16x16, staged through threadgroup memory with zeros beyond the edges.
#include <metal_stdlib>
#include "ingot/msl/tile.h"
using namespace metal;

struct MatmulParams {
    uint rows, columns, inner;
    uint a_stride, b_stride, c_stride;
};

template <typename T>
[[kernel, max_total_threads_per_threadgroup(128)]]
void matmul(device const T* a        [[buffer(0)]],
            device const T* b        [[buffer(1)]],
            device float* c          [[buffer(2)]],
            constant MatmulParams& p [[buffer(3)]],
            uint2 group              [[threadgroup_position_in_grid]],
            uint thread_in_group     [[thread_index_in_threadgroup]],
            uint lane                [[thread_index_in_simdgroup]],
            uint simdgroup           [[simdgroup_index_in_threadgroup]])
{
    threadgroup T a_tile[32 * 16];
    threadgroup T b_tile[16 * 32];
    threadgroup float scratch[4 * 256];

    const uint row0 = group.y * 32, column0 = group.x * 32;
    const uint row = simdgroup / 2 * 16, column = simdgroup % 2 * 16;
    tile_acc sums;
    tile_fill(sums, 0.0f);
    for (uint k0 = 0; k0 < p.inner; k0 += 16) {
        for (uint e = thread_in_group; e < 512; e += 128) {
            uint r = e / 16, k = e % 16;
            a_tile[e] = row0 + r < p.rows && k0 + k < p.inner ? a[ulong(row0 + r) * p.a_stride + k0 + k] : T(0.0f);
            k = e / 32;
            uint n = e % 32;
            b_tile[e] = k0 + k < p.inner && column0 + n < p.columns ? b[ulong(k0 + k) * p.b_stride + column0 + n] : T(0.0f);
        }
        threadgroup_barrier(mem_flags::mem_threadgroup);
        tile_a<T> left;
        tile_b<T> right;
        tile_load(left, a_tile + row * 16, 16, false);
        tile_load(right, b_tile + column, 32, false);
        tile_multiply_add(sums, left, right);
        threadgroup_barrier(mem_flags::mem_threadgroup);
    }
    uint r = row0 + row, n = column0 + column;
    uint rows = r < p.rows ? min(p.rows - r, 16u) : 0u;
    uint columns = n < p.columns ? min(p.columns - n, 16u) : 0u;
    tile_write(c + ulong(r) * p.c_stride + n, p.c_stride, rows, columns, sums, scratch + simdgroup * 256, lane);
}

template [[host_name("matmul_f32")]] [[kernel]] decltype(matmul<float>) matmul<float>;
template [[host_name("matmul_f16")]] [[kernel]] decltype(matmul<half>)  matmul<half>;
