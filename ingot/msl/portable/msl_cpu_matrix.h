// The product of simdgroup_matrix for the simulator: the last lane that arrives makes it for all.
#pragma once
#include "msl_cpu_simd.h"
#include "msl_matrix.h"

namespace metal {

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
