// ingot/msl/tile.h for the simulator: lane l holds columns 8 * (l % 2) .. + 7 of row l / 2 of every tile, operands as
// floats. Loads and stores touch memory lane by lane, so the sanitizers see each access; only the product is a meeting.
#pragma once
#include "msl_cpu_simd.h"

#define TILE_VALUES 8

namespace metal {

template <class T>
struct tile_a {
  typedef T element;
  float e[8];
};
template <class T>
struct tile_b {
  typedef T element;
  float e[8];
};
struct tile_acc {
  float e[8];
};
struct tile_values {
  float e[TILE_VALUES];
};

inline uint tile_row(uint lane, uint) { return lane / 2; }
inline uint tile_column(uint lane, uint i) { return lane % 2 * 8 + i; }

inline void tile_fill(tile_acc& c, float value) {
  for (float& e : c.e) e = value;
}

template <class Tile, class T>
inline void tile_load_device(Tile& t, const T* p, ulong ld, bool transposed) {
  static_assert(is_same_v<typename Tile::element, T>, "tile_load: the tile's and the memory's types differ");
  uint lane = msl_sim::lane_id(), row = lane / 2, column = lane % 2 * 8;
  const T* first = transposed ? p + column * ld + row : p + row * ld + column;
  const ulong step = transposed ? ld : 1;
  for (uint i = 0; i < 8; ++i) t.e[i] = float(first[i * step]);
}
template <class Tile, class T>
inline void tile_load(Tile& t, const T* p, uint ld, bool transposed, MSL_WHERE) {
  if (reinterpret_cast<size_t>(p) % 16 != 0) msl_sim::fail("tile_load: the address is no multiple of 16 bytes", where);
  if (ld * sizeof(T) % 16 != 0) msl_sim::fail("tile_load: the row length is no multiple of 16 bytes", where);
  tile_load_device(t, p, ld, transposed);
}

template <class T>
inline void tile_multiply_add(tile_acc& c, const tile_a<T>& a, const tile_b<T>& b, MSL_WHERE) {
  static_assert(is_floating_point_v<T>, "tiles hold half, bfloat or float");
  msl_sim::TileLane lane = {a.e, b.e, c.e};
  msl_sim::simd_op("tile_multiply_add", false, &lane, msl_sim::multiply_tiles, where);
}

inline void tile_store(const tile_acc& c, float* p, uint ld) {
  uint lane = msl_sim::lane_id();
  for (uint i = 0; i < 8; ++i) p[tile_row(lane, i) * ld + tile_column(lane, i)] = c.e[i];
}

namespace simd_ {
// What Apple's version does to the scratch memory, so that a kernel which shares it or relies on it is found out.
inline void spoil_tile_scratch(float* scratch, uint lane, msl_sim::Where where) {
  if (reinterpret_cast<size_t>(scratch) % 16 != 0) msl_sim::fail("tile scratch is no multiple of 16 bytes", where);
  for (uint i = 0; i < 8; ++i) scratch[lane * 8 + i] = __builtin_nanf("");
}
}  // namespace simd_

inline tile_values tile_get(const tile_acc& c, float* scratch, uint lane, MSL_WHERE) {
  msl_sim::simd_op("tile_get", true, nullptr, nullptr, where);
  simd_::spoil_tile_scratch(scratch, lane, where);
  tile_values v;
  for (uint i = 0; i < 8; ++i) v.e[i] = c.e[i];
  msl_sim::simd_op("tile_get", true, nullptr, nullptr, where);
  return v;
}
inline void tile_set(tile_acc& c, const tile_values& v, float* scratch, uint lane, MSL_WHERE) {
  simd_::spoil_tile_scratch(scratch, lane, where);
  for (uint i = 0; i < 8; ++i) c.e[i] = v.e[i];
  msl_sim::simd_op("tile_set", true, nullptr, nullptr, where);
}

template <class T>
inline void tile_write(T* p, ulong ld, uint rows, uint columns, const tile_acc& c, float* scratch, uint lane,
                       MSL_WHERE) {
  tile_values v = tile_get(c, scratch, lane, where);
  for (uint i = 0; i < 8; ++i) {
    uint row = tile_row(lane, i), column = tile_column(lane, i);
    if (row < rows && column < columns) p[row * ld + column] = T(v.e[i]);
  }
}

}  // namespace metal
