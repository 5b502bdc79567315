// The product of simdgroup_matrix for CUDA. 8x8 fill half of the smallest tensor-core instruction (float: fma with
// shuffles), so this is for kernels that come from elsewhere; Ingot's own use ingot/msl/tile.h.
#pragma once
#include "msl_cuda_simd.h"
#include "msl_matrix.h"

namespace metal {

template <class D, class A, class B, class C>
MSL_INLINE void simdgroup_multiply_accumulate(simdgroup_matrix<D, 8, 8>& d, simdgroup_matrix<A, 8, 8> a,
                                              simdgroup_matrix<B, 8, 8> b, simdgroup_matrix<C, 8, 8> c) {
  const uint lane = simd_::lane_id(), first_of_row = lane / 4 * 4, quarter = lane % 4;
  float sum[2] = {float(c.e[0]), float(c.e[1])};
#pragma unroll
  for (uint k = 0; k < 8; ++k) {
    float x = simd_::shuffle<simd_::FromLane>(float(a.e[k % 2]), first_of_row + k / 2);
    sum[0] = ::fmaf(x, simd_::shuffle<simd_::FromLane>(float(b.e[0]), k * 4 + quarter), sum[0]);
    sum[1] = ::fmaf(x, simd_::shuffle<simd_::FromLane>(float(b.e[1]), k * 4 + quarter), sum[1]);
  }
  d.e[0] = D(sum[0]);
  d.e[1] = D(sum[1]);
}

// b has to change rows for columns, and rows 8 .. 15 of the instruction's 16 are zeros.
#define MSL_MATRIX_PRODUCT(T, ptx)                                                                                  \
  MSL_INLINE void simdgroup_multiply_accumulate(simdgroup_float8x8& d, simdgroup_matrix<T, 8, 8> a,                 \
                                                simdgroup_matrix<T, 8, 8> b, simdgroup_float8x8 c) {                \
    uint b_rows = as_type<uint>(b), b_columns;                                                                      \
    float unused[2];                                                                                                \
    asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(b_columns) : "r"(b_rows));                  \
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f32." ptx "." ptx                                                \
                 ".f32 {%0,%1,%2,%3}, {%4,%5}, {%6}, "                                                              \
                 "{%7,%8,%9,%10};"                                                                                  \
                 : "=f"(d.e[0]), "=f"(d.e[1]), "=f"(unused[0]), "=f"(unused[1])                                     \
                 : "r"(as_type<uint>(a)), "r"(0u), "r"(b_columns), "f"(c.e[0]), "f"(c.e[1]), "f"(0.0f), "f"(0.0f)); \
  }
MSL_MATRIX_PRODUCT(half, "f16")
MSL_MATRIX_PRODUCT(bfloat, "bf16")
#undef MSL_MATRIX_PRODUCT

template <class T>
MSL_INLINE void simdgroup_multiply(simdgroup_matrix<T, 8, 8>& d, simdgroup_matrix<T, 8, 8> a,
                                   simdgroup_matrix<T, 8, 8> b) {
  simdgroup_multiply_accumulate(d, a, b, simdgroup_matrix<T, 8, 8>(T(0.0f)));
}

}  // namespace metal
