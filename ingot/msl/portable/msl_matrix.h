// simdgroup_matrix: two elements a lane, at row lane / 4, columns 2 * (lane % 4) and the next. Metal leaves the places
// open, so kernels may not rely on them. Ingot's own kernels use ingot/msl/tile.h instead. The product is each
// target's: msl_cpu_matrix.h, msl_cuda_matrix.h, after whose simd_::lane_id this is included.
#pragma once
#include "msl_vec.h"

namespace metal {

template <class T, int Columns, int Rows>
struct simdgroup_matrix {
  static_assert(Columns == 8 && Rows == 8, "simdgroup_matrix: only 8x8 exists");
  T e[2];
  simdgroup_matrix() = default;
  explicit MSL_INLINE simdgroup_matrix(T value) : e{value, value} {}
};
typedef simdgroup_matrix<float, 8, 8> simdgroup_float8x8;
typedef simdgroup_matrix<half, 8, 8> simdgroup_half8x8;
typedef simdgroup_matrix<bfloat, 8, 8> simdgroup_bfloat8x8;

template <class T, int Columns, int Rows>
MSL_INLINE simdgroup_matrix<T, Columns, Rows> make_filled_simdgroup_matrix(T value) {
  return simdgroup_matrix<T, Columns, Rows>(value);
}
template <class T>
MSL_INLINE void simdgroup_load(simdgroup_matrix<T, 8, 8>& m, const T* from, ulong row_length = 8,
                               ulong2 origin = ulong2(0ul), bool transposed = false) {
  uint lane = simd_::lane_id(), row = lane / 4, column = 2 * (lane % 4);
  from += origin.y * row_length + origin.x;
  for (uint i = 0; i < 2; ++i) {
    m.e[i] = transposed ? from[(column + i) * row_length + row] : from[row * row_length + column + i];
  }
}
template <class T>
MSL_INLINE void simdgroup_store(simdgroup_matrix<T, 8, 8> m, T* to, ulong row_length = 8, ulong2 origin = ulong2(0ul),
                                bool transposed = false) {
  uint lane = simd_::lane_id(), row = lane / 4, column = 2 * (lane % 4);
  to += origin.y * row_length + origin.x;
  for (uint i = 0; i < 2; ++i) {
    (transposed ? to[(column + i) * row_length + row] : to[row * row_length + column + i]) = m.e[i];
  }
}

}  // namespace metal
