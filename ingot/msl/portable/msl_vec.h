// vec<T, N> for N = 2, 3, 4 with size, alignment, constructors, operators and swizzles of Metal's vectors, and
// packed_T3-like types that need their element's alignment only. A vec is one aligned block, so a load of it stays one
// instruction on a GPU.
//
// A swizzle is a view into its vec: it converts to a vec, is assigned from one, and takes part in operators. Passed to
// a function template (dot, max, ...) it has to be named: float2(v.xy).
#pragma once
#include "msl_small_floats.h"

// clang's UndefinedBehaviorSanitizer looks at the address of a member call, but not at that of a plain copy.
#if defined(__has_feature)
#if __has_feature(undefined_behavior_sanitizer)
#define MSL_CHECKED_COPIES
#endif
#endif

namespace metal {

template <class T, int N>
struct vec;

template <class T, int N, int... I>
struct swizzle_ {
  typedef vec<T, int(sizeof...(I))> value_type;
  swizzle_() = default;
  swizzle_(const swizzle_&) = default;
  MSL_INLINE operator value_type() const { return value_type(elements()[I]...); }
  MSL_INLINE swizzle_& operator=(const value_type& v) {
    int from = 0;
    ((elements()[I] = v.d[from++]), ...);
    return *this;
  }
  // Without this, v.xy = w.xy would copy all of w.
  MSL_INLINE swizzle_& operator=(const swizzle_& other) { return *this = value_type(other); }

 private:
  // Not by a member: compilers take members of different structs for different memory, but all swizzles of a vec share
  // it.
  MSL_INLINE T* elements() { return reinterpret_cast<T*>(this); }
  MSL_INLINE const T* elements() const { return reinterpret_cast<const T*>(this); }
  T memory_[N];
};

template <class T, int N>
struct block_ {  // plain elements: what a vec is copied through
  T d[N];
};

template <class T, int N>
struct vec_storage_;
template <class T>
struct alignas(2 * sizeof(T)) vec_storage_<T, 2> {
  union {
    block_<T, 2> all;
    T d[2];
    struct {
      T x, y;
    };
    struct {
      T r, g;
    };
#define MSL_SWIZZLE(name, ...) swizzle_<T, 2, __VA_ARGS__> name;
#include "msl_swizzles2.h"
#undef MSL_SWIZZLE
  };
};
template <class T>
struct alignas(4 * sizeof(T)) vec_storage_<T, 3> {  // size and alignment of four elements
  union {
    block_<T, 3> all;
    T d[3];
    struct {
      T x, y, z;
    };
    struct {
      T r, g, b;
    };
#define MSL_SWIZZLE(name, ...) swizzle_<T, 3, __VA_ARGS__> name;
#include "msl_swizzles2.h"
#include "msl_swizzles3.h"
#undef MSL_SWIZZLE
  };
};
template <class T>
struct alignas(4 * sizeof(T)) vec_storage_<T, 4> {
  union {
    block_<T, 4> all;
    T d[4];
    struct {
      T x, y, z, w;
    };
    struct {
      T r, g, b, a;
    };
#define MSL_SWIZZLE(name, ...) swizzle_<T, 4, __VA_ARGS__> name;
#include "msl_swizzles2.h"
#include "msl_swizzles3.h"
#include "msl_swizzles4.h"
#undef MSL_SWIZZLE
  };
};

// How many elements a constructor's argument brings, and its i-th element.
template <class P>
struct part_ {
  static constexpr int count = 1;
  static MSL_INLINE const P& get(const P& p, int) { return p; }
};
template <class T, int N>
struct part_<vec<T, N>> {
  static constexpr int count = N;
  static MSL_INLINE const T& get(const vec<T, N>& p, int i) { return p.d[i]; }
};
template <class T, int N, int... I>
struct part_<swizzle_<T, N, I...>> {
  static constexpr int count = sizeof...(I);
  static MSL_INLINE T get(const swizzle_<T, N, I...>& p, int i) {
    return typename swizzle_<T, N, I...>::value_type(p).d[i];
  }
};

template <class T, int N>
struct vec : vec_storage_<T, N> {
  typedef T element_type_;
  static constexpr int size_ = N;
  using vec_storage_<T, N>::d;
  using vec_storage_<T, N>::all;

  vec() = default;
#if defined(MSL_CHECKED_COPIES)
  vec(const vec& other) { all = other.all; }
#else
  vec(const vec&) = default;
#endif
  MSL_INLINE vec& operator=(const vec& other) {
    all = other.all;
    return *this;
  }
  constexpr MSL_INLINE vec(T s) : vec_storage_<T, N>{{fill(s)}} {}
  template <class... S, MSL_REQUIRES(sizeof...(S) == N && ((part_<S>::count == 1) && ...))>
  constexpr MSL_INLINE vec(S... s) : vec_storage_<T, N>{{block_<T, N>{{T(s)...}}}} {}
  template <class... P, MSL_REQUIRES((sizeof...(P) > 1) && sizeof...(P) < N && (part_<P>::count + ...) == N)>
  MSL_INLINE vec(P... parts) {
    int at = 0;
    (append(parts, at), ...);
  }
  template <class U, MSL_REQUIRES(!is_same_v<U, T>)>
  MSL_INLINE explicit vec(vec<U, N> other) {
    for (int i = 0; i < N; ++i) d[i] = T(other.d[i]);
  }
  template <class U, int M, int... I, MSL_REQUIRES(sizeof...(I) == N && !is_same_v<U, T>)>
  MSL_INLINE explicit vec(const swizzle_<U, M, I...>& other) : vec(vec<U, N>(other)) {}

  MSL_INLINE T& operator[](size_t i) { return d[i]; }
  MSL_INLINE const T& operator[](size_t i) const { return d[i]; }

 private:
  static constexpr MSL_INLINE block_<T, N> fill(T s) {
    if constexpr (N == 2) return {{s, s}};
    if constexpr (N == 3) return {{s, s, s}};
    if constexpr (N == 4) return {{s, s, s, s}};
  }
  template <class P>
  MSL_INLINE void append(const P& part, int& at) {
    for (int i = 0; i < part_<P>::count; ++i) d[at++] = T(part_<P>::get(part, i));
  }
};

// packed_float3 and its kin: elements side by side with the alignment of one, convertible to and from the vec.
template <class T, int N>
struct packed_vec {
  T d[N];
  packed_vec() = default;
  MSL_INLINE packed_vec(const vec<T, N>& v) {
    for (int i = 0; i < N; ++i) d[i] = v.d[i];
  }
  MSL_INLINE operator vec<T, N>() const {
    vec<T, N> v;
    for (int i = 0; i < N; ++i) v.d[i] = d[i];
    return v;
  }
  MSL_INLINE T& operator[](size_t i) { return d[i]; }
  MSL_INLINE const T& operator[](size_t i) const { return d[i]; }
};

#define MSL_VECTORS(T)                    \
  typedef vec<T, 2> T##2;                 \
  typedef vec<T, 3> T##3;                 \
  typedef vec<T, 4> T##4;                 \
  typedef packed_vec<T, 2> packed_##T##2; \
  typedef packed_vec<T, 3> packed_##T##3; \
  typedef packed_vec<T, 4> packed_##T##4;
MSL_VECTORS(bool)
MSL_VECTORS(char)
MSL_VECTORS(uchar)
MSL_VECTORS(short)
MSL_VECTORS(ushort)
MSL_VECTORS(int)
MSL_VECTORS(uint)
MSL_VECTORS(long)
MSL_VECTORS(ulong)
MSL_VECTORS(half)
MSL_VECTORS(bfloat)
MSL_VECTORS(float)
#undef MSL_VECTORS

}  // namespace metal

#include "msl_vec_operators.h"
