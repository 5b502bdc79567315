// simdgroup_matrix for the simulator: two elements a lane, at row lane / 4, columns 2 * (lane % 4) and the next. Metal
// leaves the places open, so kernels may not rely on them. Ingot's own kernels use ingot/msl/tile.h instead.
#pragma once
#include "msl_cpu_simd.h"

namespace metal {

template <class T, int Columns, int Rows>
struct simdgroup_matrix {
  static_assert(Columns == 8 && Rows == 8, "simdgroup_matrix: only 8x8 exists");
  T e[2];
  simdgroup_matrix() = default;
  explicit simdgroup_matrix(T value) : e{value, value} {}
};
typedef simdgroup_matrix<float, 8, 8> simdgroup_float8x8;
typedef simdgroup_matrix<half, 8, 8> simdgroup_half8x8;
typedef simdgroup_matrix<bfloat, 8, 8> simdgroup_bfloat8x8;

template <class T, int Columns, int Rows>
inline simdgroup_matrix<T, Columns, Rows> make_filled_simdgroup_matrix(T value) {
  return simdgroup_matrix<T, Columns, Rows>(value);
}
template <class T>
inline void simdgroup_load(simdgroup_matrix<T, 8, 8>& m, const T* from, ulong row_length = 8,
                           ulong2 origin = ulong2(0ul), bool transposed = false) {
  uint lane = msl_sim::lane_id(), row = lane / 4, column = 2 * (lane % 4);
  from += origin.y * row_length + origin.x;
  for (uint i = 0; i < 2; ++i) {
    m.e[i] = transposed ? from[(column + i) * row_length + row] : from[row * row_length + column + i];
  }
}
template <class T>
inline void simdgroup_store(simdgroup_matrix<T, 8, 8> m, T* to, ulong row_length = 8, ulong2 origin = ulong2(0ul),
                            bool transposed = false) {
  uint lane = msl_sim::lane_id(), row = lane / 4, column = 2 * (lane % 4);
  to += origin.y * row_length + origin.x;
  for (uint i = 0; i < 2; ++i) {
    (transposed ? to[(column + i) * row_length + row] : to[row * row_length + column + i]) = m.e[i];
  }
}

namespace simd_ {
struct MatrixLane {
  float a[2], b[2], c[2];
};
inline void multiply_8x8(void* const* lanes) {
  auto at = [&](int row, int column) -> MatrixLane& { return *static_cast<MatrixLane*>(lanes[row * 4 + column / 2]); };
  for (int row = 0; row < 8; ++row) {
    for (int column = 0; column < 8; ++column) {
      float& c = at(row, column).c[column % 2];
      for (int k = 0; k < 8; ++k) c += at(row, k).a[k % 2] * at(k, column).b[column % 2];
    }
  }
}
}  // namespace simd_

template <class D, class A, class B, class C>
inline void simdgroup_multiply_accumulate(simdgroup_matrix<D, 8, 8>& d, simdgroup_matrix<A, 8, 8> a,
                                          simdgroup_matrix<B, 8, 8> b, simdgroup_matrix<C, 8, 8> c, MSL_WHERE) {
  simd_::MatrixLane lane = {
      {float(a.e[0]), float(a.e[1])}, {float(b.e[0]), float(b.e[1])}, {float(c.e[0]), float(c.e[1])}};
  msl_sim::simd_op("simdgroup_multiply_accumulate", false, &lane, simd_::multiply_8x8, where);
  d.e[0] = D(lane.c[0]);
  d.e[1] = D(lane.c[1]);
}
template <class T>
inline void simdgroup_multiply(simdgroup_matrix<T, 8, 8>& d, simdgroup_matrix<T, 8, 8> a, simdgroup_matrix<T, 8, 8> b,
                               MSL_WHERE) {
  simdgroup_multiply_accumulate(d, a, b, simdgroup_matrix<T, 8, 8>(T(0.0f)), where);
}

}  // namespace metal
