// Matrix products in tiles of 16x16: the one door to the matrix units of every GPU.
//
//   tile_a<T>   16 rows of A by 16 of the inner dimension          T: half, bfloat or float
//   tile_b<T>   16 of the inner dimension by 16 columns of B
//   tile_acc    16x16 sums in float
//
//   tile_acc c;                              all functions are called by a whole simdgroup together
//   tile_fill(c, 0.0f);
//   tile_load(a, As + row * ld + k, ld, false);      // a[r][k] = p[r * ld + k];  true: p[k * ld + r]
//   tile_load(b, Bs + k * ld + column, ld, false);   // b[k][n] = p[k * ld + n];  true: p[n * ld + k], a weight [n][k]
//   tile_multiply_add(c, a, b);                      // c += a b
//   tile_write(y + row * ld + column, ld, rows, columns, c, scratch, lane);
//
// tile_load reads threadgroup memory: p lies on 16 bytes and ld is a multiple of 16 bytes (rows that are 16 bytes
// longer than the data avoid bank conflicts). tile_load_device reads device memory of any alignment; all 16x16 elements
// must exist, so edges are staged through threadgroup memory with zeros.
//
// half and bfloat products are exact and summed in float; the order within a step of 16 is the hardware's. float
// operands are multiplied and added in float, never rounded to fewer bits; on NVIDIA they run on the ordinary units.
//
// Epilogues. Where an element of an accumulator lives differs from GPU to GPU and is unknown on Apple's, so values are
// taken out with tile_get and put back with tile_set; in between, lane l holds TILE_VALUES of them:
//
//   tile_values v = tile_get(c, scratch, lane);
//   for (uint i = 0; i < TILE_VALUES; ++i) v.e[i] = v.e[i] * scale[tile_row(lane, i)] + bias[tile_column(lane, i)];
//   tile_set(c, v, scratch, lane);
//
// e[2 i] and e[2 i + 1] lie side by side in one row; nothing else may be assumed. `scratch` is threadgroup memory for
// 256 floats on 16 bytes, one piece for each simdgroup that runs at the same time. Apple's version moves the values
// through it, the others leave its contents undefined.
#pragma once
#include <metal_simdgroup_matrix>
#include <metal_stdlib>
using namespace metal;

#define TILE_VALUES 8

template <typename T>
struct tile_a {
  simdgroup_matrix<T, 8, 8> m[4];  // quarters: upper left, upper right, lower left, lower right
};
template <typename T>
struct tile_b {
  simdgroup_matrix<T, 8, 8> m[4];
};
struct tile_acc {
  simdgroup_float8x8 m[4];
};
struct tile_values {
  float e[TILE_VALUES];
};

static inline void tile_fill(thread tile_acc& c, float value) {
  for (uint i = 0; i < 4; ++i) c.m[i] = make_filled_simdgroup_matrix<float, 8, 8>(value);
}

template <typename Tile, typename T>
void tile_load(thread Tile& t, threadgroup const T* p, uint ld, bool transposed) {
  for (uint i = 0; i < 4; ++i) {
    uint row = i / 2 * 8, column = i % 2 * 8;
    simdgroup_load(t.m[i], p + (transposed ? column * ld + row : row * ld + column), ld, ulong2(0, 0), transposed);
  }
}

template <typename Tile, typename T>
void tile_load_device(thread Tile& t, device const T* p, ulong ld, bool transposed) {
  for (uint i = 0; i < 4; ++i) {
    uint row = i / 2 * 8, column = i % 2 * 8;
    simdgroup_load(t.m[i], p + (transposed ? column * ld + row : row * ld + column), ld, ulong2(0, 0), transposed);
  }
}

template <typename T>
void tile_multiply_add(thread tile_acc& c, thread const tile_a<T>& a, thread const tile_b<T>& b) {
  for (uint i = 0; i < 4; ++i) {
    for (uint k = 0; k < 2; ++k) {
      simdgroup_multiply_accumulate(c.m[i], a.m[i / 2 * 2 + k], b.m[k * 2 + i % 2], c.m[i]);
    }
  }
}

// All 16x16 sums into threadgroup memory; the caller places the barrier before they are read.
static inline void tile_store(thread const tile_acc& c, threadgroup float* p, uint ld) {
  for (uint i = 0; i < 4; ++i) simdgroup_store(c.m[i], p + i / 2 * 8 * ld + i % 2 * 8, ld);
}

static inline uint tile_row(uint lane, uint) { return lane / 2; }
static inline uint tile_column(uint lane, uint i) { return lane % 2 * 8 + i; }

static inline tile_values tile_get(thread const tile_acc& c, threadgroup float* scratch, uint lane) {
  tile_values v;
  tile_store(c, scratch, 16);
  simdgroup_barrier(mem_flags::mem_threadgroup);
  for (uint i = 0; i < TILE_VALUES; ++i) v.e[i] = scratch[lane * TILE_VALUES + i];
  simdgroup_barrier(mem_flags::mem_threadgroup);
  return v;
}
static inline void tile_set(thread tile_acc& c, thread const tile_values& v, threadgroup float* scratch, uint lane) {
  for (uint i = 0; i < TILE_VALUES; ++i) scratch[lane * TILE_VALUES + i] = v.e[i];
  simdgroup_barrier(mem_flags::mem_threadgroup);
  for (uint i = 0; i < 4; ++i) simdgroup_load(c.m[i], scratch + i / 2 * 8 * 16 + i % 2 * 8, 16);
  simdgroup_barrier(mem_flags::mem_threadgroup);
}

// The first `rows` by `columns` sums (at most 16 each), converted to T, into device memory.
template <typename T>
void tile_write(device T* p, ulong ld, uint rows, uint columns, thread const tile_acc& c, threadgroup float* scratch,
                uint lane) {
  tile_values v = tile_get(c, scratch, lane);
  for (uint i = 0; i < TILE_VALUES; ++i) {
    uint row = tile_row(lane, i), column = tile_column(lane, i);
    if (row < rows && column < columns) p[row * ld + column] = T(v.e[i]);
  }
}
