// What attention's kernels need of vectors beyond simd.h: transposition, reductions inside a register, and an
// exponential for x <= 0.
#pragma once
#include "ingot/device/cpu/simd.h"

namespace ingot::INGOT_ISA {

template <class T>
inline constexpr bool kIsFloat8 = false;
template <>
inline constexpr bool kIsFloat8<f8e4m3> = true;
template <class T>
inline constexpr bool kIsFloat = false;
template <>
inline constexpr bool kIsFloat<float> = true;

template <int... I>
struct LaneList {};
#if defined(__AVX512F__)
using Lanes = LaneList<0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15>;
#elif defined(__AVX2__)
using Lanes = LaneList<0, 1, 2, 3, 4, 5, 6, 7>;
#else
using Lanes = LaneList<0, 1, 2, 3>;
#endif

// *p in every lane, by a broadcasting load (splat adds to zero, which costs an instruction and a sign).
template <int... I>
INGOT_INLINE vf broadcast_to(const float* p, LaneList<I...>) {
  float x = *p;
  return vf{(I < 0 ? 0.0f : x)...};
}
INGOT_INLINE vf broadcast(const float* p) { return broadcast_to(p, Lanes()); }

template <int... I>
INGOT_INLINE vi lane_index_of(LaneList<I...>) {
  return vi{I...};
}
INGOT_INLINE vi lane_index() { return lane_index_of(Lanes()); }

// The S-th step of a transposition: lanes and rows whose numbers differ in bit S change places.
template <int S, int... I>
INGOT_INLINE void exchange(vf& a, vf& b, LaneList<I...>) {
  vf low = __builtin_shufflevector(a, b, (I & S ? kLanes + I - S : I)...);
  vf high = __builtin_shufflevector(a, b, (I & S ? kLanes + I : I + S)...);
  a = low;
  b = high;
}
template <int S>
INGOT_INLINE void transpose_step(vf* rows) {
#pragma GCC unroll 16
  for (int i = 0; i < kLanes; i++)
    if (!(i & S)) exchange<S>(rows[i], rows[i + S], Lanes());
  if constexpr (S > 1) transpose_step<S / 2>(rows);
}
INGOT_INLINE void transpose(vf* rows) { transpose_step<kLanes / 2>(rows); }

template <int S, int... I>
INGOT_INLINE vf rotated(vf v, LaneList<I...>) {
  return __builtin_shufflevector(v, v, (I ^ S)...);
}
INGOT_INLINE vf max_or_nan(vf a, vf b) { return ((a > b) | (a != a)) ? a : b; }
template <int S = kLanes / 2>
INGOT_INLINE float reduce_sum(vf v) {
  v += rotated<S>(v, Lanes());
  if constexpr (S > 1) return reduce_sum<S / 2>(v);
  return v[0];
}
template <int S = kLanes / 2>
INGOT_INLINE float reduce_max_or_nan(vf v) {
  v = max_or_nan(v, rotated<S>(v, Lanes()));
  if constexpr (S > 1) return reduce_max_or_nan<S / 2>(v);
  return v[0];
}

// e^x for x <= 0, to about 1 ulp (the polynomial of simd.h's vexp); 0 where it would be subnormal, -infinity included;
// NaN stays NaN.
INGOT_INLINE vf exp_nonpositive(vf x) {
  const vf magic = splat(0x1.8p23f);
  vf shifted = x * 1.44269504f + magic;
  vf n = shifted - magic;
  vf r = x - n * 0.693145751953125f;
  r = r - n * 1.42860682030941723212e-6f;
  vf p = splat(1.9875691500e-4f);
  p = p * r + 1.3981999507e-3f;
  p = p * r + 8.3334519073e-3f;
  p = p * r + 4.1665795894e-2f;
  p = p * r + 1.6666665459e-1f;
  p = p * r + 5.0000001201e-1f;
  vf e = p * (r * r) + r + 1.0f;
  // The low bits of `shifted` are n: adding them to the exponent multiplies by 2^n.
  vf y = (vf)((vi)e + ((vi)shifted << 23));
  y = x < -87.0f ? splat(0.0f) : y;
  return x == x ? y : x;
}

INGOT_INLINE vf load(const f8e4m3* p) {
#if defined(__AVX512F__)
  vu code = (vu)_mm512_cvtepu8_epi32(_mm_loadu_si128((const __m128i*)p));
#elif defined(__AVX2__)
  vu code = (vu)_mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i*)p));
#else
  vu code;
  for (int i = 0; i < kLanes; i++) code[i] = p[i].bits;
#endif
  vu rest = code & 0x7Fu;
  vu normal = (rest << 20) + (120u << 23);
  // By conversion, not by scaling bits: arithmetic on subnormal f32 is slow.
  vu small = (vu)(__builtin_convertvector((vi)rest, vf) * 0x1p-9f);
  vu bits = rest < 8u ? small : normal;
  bits = rest == 0x7Fu ? (vu)splat(__builtin_nanf("")) : bits;
  return (vf)(bits | (code & 0x80u) << 24);
}

// The first n < kLanes elements; zeros behind.
template <class T>
INGOT_INLINE vf load_part(const T* p, int n) {
  float v[kLanes] = {};
  for (int i = 0; i < n; i++) v[i] = float(p[i]);
  return load(v);
}

}  // namespace ingot::INGOT_ISA
