// Vectors as clang's extended vectors, which convert into each other by name only. clang has no float4(a, b, c, d), so
// the strict text says make_<float, 4>::of(a, b, c, d) for it.
#pragma once
#pragma clang system_header

namespace metal {

template <class T, int N>
struct vec_of_ {
  typedef T type __attribute__((ext_vector_type(N)));
};
template <class T, int N>
using vec = typename vec_of_<T, N>::type;

// The number of elements; 1 for scalars.
template <class T>
struct length_ {
  static constexpr int value = 1;
};

}  // namespace metal

#define MSL_VECTORS(T)                                \
  typedef T T##2 __attribute__((ext_vector_type(2))); \
  typedef T T##3 __attribute__((ext_vector_type(3))); \
  typedef T T##4 __attribute__((ext_vector_type(4))); \
  namespace metal {                                   \
  template <>                                         \
  struct length_<T##2> {                              \
    static constexpr int value = 2;                   \
  };                                                  \
  template <>                                         \
  struct length_<T##3> {                              \
    static constexpr int value = 3;                   \
  };                                                  \
  template <>                                         \
  struct length_<T##4> {                              \
    static constexpr int value = 4;                   \
  };                                                  \
  }
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

namespace metal {

// The constructors of vec<T, N>: one scalar for all, one each, smaller vectors in a row, another vector of N elements.
template <class T, int N>
struct make_;

template <class T>
struct make_<T, 2> {
  typedef vec<T, 2> Made;
  static Made of();
  static Made of(T);
  static Made of(T, T);
  template <class V>
  static typename enable_if<length_<V>::value == 2, Made>::type of(V);
};

template <class T>
struct make_<T, 3> {
  typedef vec<T, 3> Made;
  typedef vec<T, 2> Two;
  static Made of();
  static Made of(T);
  static Made of(T, T, T);
  static Made of(Two, T);
  static Made of(T, Two);
  template <class V>
  static typename enable_if<length_<V>::value == 3, Made>::type of(V);
};

template <class T>
struct make_<T, 4> {
  typedef vec<T, 4> Made;
  typedef vec<T, 2> Two;
  typedef vec<T, 3> Three;
  static Made of();
  static Made of(T);
  static Made of(T, T, T, T);
  static Made of(Two, Two);
  static Made of(Two, T, T);
  static Made of(T, Two, T);
  static Made of(T, T, Two);
  static Made of(Three, T);
  static Made of(T, Three);
  template <class V>
  static typename enable_if<length_<V>::value == 4, Made>::type of(V);
};

// Comparing vectors gives integer vectors here.
template <class V>
typename enable_if<(length_<V>::value > 1), bool>::type any(V);
template <class V>
typename enable_if<(length_<V>::value > 1), bool>::type all(V);

template <class T>
T select(T if_false, T if_true, bool condition);
template <class T, class V>
typename enable_if<(length_<V>::value > 1 && length_<V>::value == length_<T>::value), T>::type select(T if_false,
                                                                                                      T if_true,
                                                                                                      V condition);

}  // namespace metal
