// ingot/msl/tile.h for CUDA. half and bfloat: ldmatrix and mma.m16n8k16, two products side by side for 16 columns.
// float: fma on whole operands, so that no bit is lost.
//
// An accumulator lies as the instruction has it: with g = lane / 4 and q = lane % 4, e[0], e[1] are row g, columns 2 q
// and 2 q + 1; e[2], e[3] the same in row g + 8; e[4] .. e[7] the same as e[0] .. e[3] eight columns on.
#pragma once
#include "msl_cuda_simd.h"

#define TILE_VALUES 8

namespace metal {

template <class T>
struct tile_a {
  typedef T element;
  static constexpr bool is_a = true;
  uint r[4];  // pairs: rows g and g + 8 of columns 2 q and on, the same of columns 2 q + 8 and on
};
template <class T>
struct tile_b {
  typedef T element;
  static constexpr bool is_a = false;
  uint r[4];  // pairs: rows 2 q and on, 2 q + 8 and on of column g; the same of column g + 8
};
template <>
struct tile_a<float> {
  typedef float element;
  static constexpr bool is_a = true;
  float e[2][16];  // rows g and g + 8 whole
};
template <>
struct tile_b<float> {
  typedef float element;
  static constexpr bool is_a = false;
  float e[16][4];  // columns 2 q, 2 q + 1, 2 q + 8, 2 q + 9 whole
};
struct tile_acc {
  float e[8];
};
struct tile_values {
  float e[TILE_VALUES];
};

MSL_INLINE uint tile_row(uint lane, uint i) { return lane / 4 + (i & 2u) * 4; }
MSL_INLINE uint tile_column(uint lane, uint i) { return lane % 4 * 2 + (i & 1u) + (i & 4u) * 2; }

MSL_INLINE void tile_fill(tile_acc& c, float value) {
#pragma unroll
  for (uint i = 0; i < 8; ++i) c.e[i] = value;
}

// ---- loads
namespace simd_ {

// Four 8x8 blocks of 16-bit elements; lane l gives the address of row l % 8 of block l / 8.
template <bool Transposed>
MSL_INLINE void load_blocks(uint (&r)[4], const void* row) {
  const uint address = uint(::__cvta_generic_to_shared(row));
  if constexpr (Transposed) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"(address)
                 : "memory");
  } else {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"(address)
                 : "memory");
  }
}

// The instruction's blocks of A go down the rows first, those of B along k first.
template <class Tile, class T>
MSL_INLINE void load_tile(Tile& t, const T* p, uint ld, bool transposed) {
  const uint lane = lane_id(), row = lane % 8, odd = lane / 8 % 2 * 8, upper = lane / 16 * 8;
  // Memory row and column of the block: A as it lies and B transposed have the second block below the first.
  const bool rows_first = Tile::is_a != transposed;
  const bool down = Tile::is_a ? rows_first : !transposed;
  const T* from = down ? p + (row + odd) * ld + upper : p + (row + upper) * ld + odd;
  if (Tile::is_a == transposed)
    load_blocks<true>(t.r, from);
  else
    load_blocks<false>(t.r, from);
}
MSL_INLINE void load_tile(tile_a<float>& t, const float* p, uint ld, bool transposed) {
  const uint g = lane_id() / 4;
#pragma unroll
  for (uint i = 0; i < 2; ++i) {
#pragma unroll
    for (uint k = 0; k < 16; k += 4) {
      if (transposed) {
        for (uint j = 0; j < 4; ++j) t.e[i][k + j] = p[(k + j) * ld + g + 8 * i];
      } else {
        float4 v = *reinterpret_cast<const float4*>(p + (g + 8 * i) * ld + k);
        for (uint j = 0; j < 4; ++j) t.e[i][k + j] = v.d[j];
      }
    }
  }
}
MSL_INLINE void load_tile(tile_b<float>& t, const float* p, uint ld, bool transposed) {
  const uint q = lane_id() % 4 * 2;
#pragma unroll
  for (uint i = 0; i < 4; ++i) {
    const uint column = q + i % 2 + i / 2 * 8;
    if (transposed) {
#pragma unroll
      for (uint k = 0; k < 16; k += 4) {
        float4 v = *reinterpret_cast<const float4*>(p + column * ld + k);
        for (uint j = 0; j < 4; ++j) t.e[k + j][i] = v.d[j];
      }
    } else if (i % 2 == 0) {
#pragma unroll
      for (uint k = 0; k < 16; ++k) {
        float2 v = *reinterpret_cast<const float2*>(p + k * ld + column);
        t.e[k][i] = v.x;
        t.e[k][i + 1] = v.y;
      }
    }
  }
}

template <class T>
MSL_INLINE uint pair(const T* first, ulong step) {
  return uint(as_type<ushort>(first[0])) | uint(as_type<ushort>(first[step])) << 16;
}

// Element by element, from anywhere.
template <class T>
MSL_INLINE void load_tile_device(tile_a<T>& t, const T* p, ulong ld, bool transposed) {
  const ulong row_step = transposed ? 1 : ld, k_step = transposed ? ld : 1;
  const uint lane = lane_id();
#pragma unroll
  for (uint i = 0; i < 4; ++i) {
    t.r[i] = pair(p + (lane / 4 + i % 2 * 8) * row_step + (lane % 4 * 2 + i / 2 * 8) * k_step, k_step);
  }
}
template <class T>
MSL_INLINE void load_tile_device(tile_b<T>& t, const T* p, ulong ld, bool transposed) {
  const ulong column_step = transposed ? ld : 1, k_step = transposed ? 1 : ld;
  const uint lane = lane_id();
#pragma unroll
  for (uint i = 0; i < 4; ++i) {
    t.r[i] = pair(p + (lane / 4 + i / 2 * 8) * column_step + (lane % 4 * 2 + i % 2 * 8) * k_step, k_step);
  }
}
MSL_INLINE void load_tile_device(tile_a<float>& t, const float* p, ulong ld, bool transposed) {
  const ulong row_step = transposed ? 1 : ld, k_step = transposed ? ld : 1;
  const uint g = lane_id() / 4;
#pragma unroll
  for (uint i = 0; i < 32; ++i) t.e[i / 16][i % 16] = p[(g + i / 16 * 8) * row_step + i % 16 * k_step];
}
MSL_INLINE void load_tile_device(tile_b<float>& t, const float* p, ulong ld, bool transposed) {
  const ulong column_step = transposed ? ld : 1, k_step = transposed ? 1 : ld;
  const uint q = lane_id() % 4 * 2;
#pragma unroll
  for (uint i = 0; i < 64; ++i) t.e[i / 4][i % 4] = p[(q + i % 2 + i / 2 % 2 * 8) * column_step + i / 4 * k_step];
}

}  // namespace simd_

template <class Tile, class T>
MSL_INLINE void tile_load(Tile& t, const T* p, uint ld, bool transposed) {
  static_assert(is_same_v<typename Tile::element, T>, "tile_load: the tile's and the memory's types differ");
  simd_::load_tile(t, p, ld, transposed);
}
template <class Tile, class T>
MSL_INLINE void tile_load_device(Tile& t, const T* p, ulong ld, bool transposed) {
  static_assert(is_same_v<typename Tile::element, T>, "tile_load_device: the tile's and the memory's types differ");
  simd_::load_tile_device(t, p, ld, transposed);
}

// ---- products
#define MSL_TILE_PRODUCT(T, ptx)                                                                                \
  MSL_INLINE void tile_multiply_add(tile_acc& c, const tile_a<T>& a, const tile_b<T>& b) {                      \
    _Pragma("unroll") for (uint i = 0; i < 2; ++i) {                                                            \
      float* e = c.e + 4 * i;                                                                                   \
      asm volatile("mma.sync.aligned.m16n8k16.row.col.f32." ptx "." ptx                                         \
                   ".f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"                                 \
                   : "+f"(e[0]), "+f"(e[1]), "+f"(e[2]), "+f"(e[3])                                             \
                   : "r"(a.r[0]), "r"(a.r[1]), "r"(a.r[2]), "r"(a.r[3]), "r"(b.r[2 * i]), "r"(b.r[2 * i + 1])); \
    }                                                                                                           \
  }
MSL_TILE_PRODUCT(half, "f16")
MSL_TILE_PRODUCT(bfloat, "bf16")
#undef MSL_TILE_PRODUCT

MSL_INLINE void tile_multiply_add(tile_acc& c, const tile_a<float>& a, const tile_b<float>& b) {
#pragma unroll
  for (uint k = 0; k < 16; ++k) {
#pragma unroll
    for (uint i = 0; i < 8; ++i) c.e[i] = ::fmaf(a.e[i / 2 % 2][k], b.e[k][i % 2 + i / 4 * 2], c.e[i]);
  }
}

// ---- results
MSL_INLINE void tile_store(const tile_acc& c, float* p, uint ld) {
  const uint lane = simd_::lane_id();
#pragma unroll
  for (uint i = 0; i < 8; i += 2) {
    float* to = p + tile_row(lane, i) * ld + tile_column(lane, i);
    to[0] = c.e[i];
    to[1] = c.e[i + 1];
  }
}
MSL_INLINE tile_values tile_get(const tile_acc& c, float*, uint) {
  tile_values v;
#pragma unroll
  for (uint i = 0; i < 8; ++i) v.e[i] = c.e[i];
  return v;
}
MSL_INLINE void tile_set(tile_acc& c, const tile_values& v, float*, uint) {
#pragma unroll
  for (uint i = 0; i < 8; ++i) c.e[i] = v.e[i];
}
template <class T>
MSL_INLINE void tile_write(T* p, ulong ld, uint rows, uint columns, const tile_acc& c, float*, uint lane) {
  const bool pairs = (reinterpret_cast<ulong>(p) | ld * sizeof(T)) % (2 * sizeof(T)) == 0;
#pragma unroll
  for (uint i = 0; i < 8; i += 2) {
    const uint row = tile_row(lane, i), column = tile_column(lane, i);
    if (row >= rows) continue;
    T* to = p + row * ld + column;
    if (pairs && column + 1 < columns) {
      *reinterpret_cast<vec<T, 2>*>(to) = vec<T, 2>(T(c.e[i]), T(c.e[i + 1]));
    } else {
      if (column < columns) to[0] = T(c.e[i]);
      if (column + 1 < columns) to[1] = T(c.e[i + 1]);
    }
  }
}

}  // namespace metal
