// simdgroup matrices, for ingot/msl/tile.h.
#pragma once
#pragma clang system_header

namespace metal {

template <class T, int Columns, int Rows>
struct simdgroup_matrix {
  static_assert(Columns == 8 && Rows == 8, "simdgroup matrices are 8x8");
  simdgroup_matrix();
  explicit simdgroup_matrix(T);
};
typedef simdgroup_matrix<float, 8, 8> simdgroup_float8x8;
typedef simdgroup_matrix<half, 8, 8> simdgroup_half8x8;
typedef simdgroup_matrix<bfloat, 8, 8> simdgroup_bfloat8x8;

template <class T, int Columns, int Rows>
simdgroup_matrix<T, Columns, Rows> make_filled_simdgroup_matrix(T);

#define MSL_MATRIX_MEMORY(space)                                                                                   \
  template <class T>                                                                                               \
  void simdgroup_load(thread simdgroup_matrix<T, 8, 8>& to, const space T* from, ulong elements_per_row = 8,       \
                      ulong2 origin = 0, bool transpose = false);                                                  \
  template <class T>                                                                                               \
  void simdgroup_store(simdgroup_matrix<T, 8, 8> from, space T* to, ulong elements_per_row = 8, ulong2 origin = 0, \
                       bool transpose = false);
MSL_MATRIX_MEMORY(device)
MSL_MATRIX_MEMORY(threadgroup)
#undef MSL_MATRIX_MEMORY

template <class D, class A, class B, class C>
void simdgroup_multiply_accumulate(thread simdgroup_matrix<D, 8, 8>& d, simdgroup_matrix<A, 8, 8> a,
                                   simdgroup_matrix<B, 8, 8> b, simdgroup_matrix<C, 8, 8> c);
template <class D, class A, class B>
void simdgroup_multiply(thread simdgroup_matrix<D, 8, 8>& d, simdgroup_matrix<A, 8, 8> a, simdgroup_matrix<B, 8, 8> b);

}  // namespace metal
