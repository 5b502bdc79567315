// ingot/msl/tile.h: products of any size, from threadgroup and from device memory, and an epilogue; for
// ingot/msl/portable/tile_test.cc.
#include <metal_stdlib>
#include "ingot/msl/tile.h"
using namespace metal;

struct TileParams {
    uint m, n, k;
    uint lda, ldb, ldc;
    uint a_transposed, b_transposed;
};

constant uint STRIDE = 24;   // of a staged row: 16 elements and room against bank conflicts

// A 16x16 block of p[row * ld + column], or of its transpose, with zeros beyond `rows` and `columns` of the memory.
template <typename T>
void stage(threadgroup T* to, device const T* p, uint ld, uint row0, uint column0, uint rows, uint columns, uint lane)
{
    for (uint i = lane; i < 256; i += 32) {
        uint row = i / 16, column = i % 16;
        bool inside = row0 + row < rows && column0 + column < columns;
        to[row * STRIDE + column] = inside ? p[ulong(row0 + row) * ld + column0 + column] : T(0.0f);
    }
}

// y = A B, one simdgroup per tile of y. Operands lie as the parameters say; tiles are loaded as they were staged.
template <typename T, typename Y>
[[kernel, max_total_threads_per_threadgroup(32)]]
void tile_product(device const T* a      [[buffer(0)]],
                  device const T* b      [[buffer(1)]],
                  device Y* y            [[buffer(2)]],
                  constant TileParams& p [[buffer(3)]],
                  uint2 tile             [[threadgroup_position_in_grid]],
                  uint lane              [[thread_index_in_simdgroup]])
{
    threadgroup T as[16 * STRIDE];
    threadgroup T bs[16 * STRIDE];
    threadgroup float scratch[256];
    const uint row = tile.y * 16, column = tile.x * 16;
    tile_acc c;
    tile_fill(c, 0.0f);
    for (uint k = 0; k < p.k; k += 16) {
        if (p.a_transposed != 0) stage(as, a, p.lda, k, row, p.k, p.m, lane);
        else stage(as, a, p.lda, row, k, p.m, p.k, lane);
        if (p.b_transposed != 0) stage(bs, b, p.ldb, column, k, p.n, p.k, lane);
        else stage(bs, b, p.ldb, k, column, p.k, p.n, lane);
        simdgroup_barrier(mem_flags::mem_threadgroup);
        tile_a<T> ta;
        tile_b<T> tb;
        tile_load(ta, as, STRIDE, p.a_transposed != 0);
        tile_load(tb, bs, STRIDE, p.b_transposed != 0);
        tile_multiply_add(c, ta, tb);
        simdgroup_barrier(mem_flags::mem_threadgroup);
    }
    tile_write(y + ulong(row) * p.ldc + column, p.ldc, min(16u, p.m - row), min(16u, p.n - column), c, scratch, lane);
}

template [[host_name("tile_product_f32_f32")]]  [[kernel]] decltype(tile_product<float, float>)   tile_product<float, float>;
template [[host_name("tile_product_f16_f32")]]  [[kernel]] decltype(tile_product<half, float>)    tile_product<half, float>;
template [[host_name("tile_product_f16_f16")]]  [[kernel]] decltype(tile_product<half, half>)     tile_product<half, half>;
template [[host_name("tile_product_bf16_f32")]] [[kernel]] decltype(tile_product<bfloat, float>)  tile_product<bfloat, float>;
template [[host_name("tile_product_bf16_bf16")]] [[kernel]] decltype(tile_product<bfloat, bfloat>) tile_product<bfloat, bfloat>;

// One 16x16x16 product from device memory at any alignment, then y = scale[row] * product + bias[column], twice: through
// values that are written one by one, and put back into the tile and stored whole.
template <typename T>
[[kernel, max_total_threads_per_threadgroup(32)]]
void tile_epilogue(device const T* a         [[buffer(0)]],
                   device const T* b         [[buffer(1)]],
                   device const float* scale [[buffer(2)]],
                   device const float* bias  [[buffer(3)]],
                   device float* by_value    [[buffer(4)]],
                   device float* whole       [[buffer(5)]],
                   constant TileParams& p    [[buffer(6)]],
                   uint lane                 [[thread_index_in_simdgroup]])
{
    threadgroup float scratch[256];
    threadgroup float result[16 * 20];
    tile_a<T> ta;
    tile_b<T> tb;
    tile_acc c;
    tile_fill(c, 0.0f);
    tile_load_device(ta, a, p.lda, p.a_transposed != 0);
    tile_load_device(tb, b, p.ldb, p.b_transposed != 0);
    tile_multiply_add(c, ta, tb);
    tile_values v = tile_get(c, scratch, lane);
    for (uint i = 0; i < TILE_VALUES; ++i) {
        uint row = tile_row(lane, i), column = tile_column(lane, i);
        v.e[i] = v.e[i] * scale[row] + bias[column];
        by_value[row * 16 + column] = v.e[i];
    }
    tile_set(c, v, scratch, lane);
    tile_store(c, result, 20);
    simdgroup_barrier(mem_flags::mem_threadgroup);
    for (uint i = lane; i < 256; i += 32) whole[i] = result[i / 16 * 20 + i % 16];
}

template [[host_name("tile_epilogue_f32")]]  [[kernel]] decltype(tile_epilogue<float>)  tile_epilogue<float>;
template [[host_name("tile_epilogue_f16")]]  [[kernel]] decltype(tile_epilogue<half>)   tile_epilogue<half>;
template [[host_name("tile_epilogue_bf16")]] [[kernel]] decltype(tile_epilogue<bfloat>) tile_epilogue<bfloat>;
