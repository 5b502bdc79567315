// Vectors of floats of the instruction set a file is compiled for (INGOT_ISA). Included by x_simd.cc files only;
// everything here is in that namespace and always inlined, so no code for a newer CPU can be linked in place of code
// for an older one. For the same reason such files use no standard library templates on hot paths.
#pragma once
#include <cstdint>
#include <cstring>

#include "ingot/base/small_floats.h"

#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

namespace ingot::INGOT_ISA {

#if defined(__AVX512F__)
inline constexpr int kLanes = 16;
#elif defined(__AVX2__)
inline constexpr int kLanes = 8;
#else
inline constexpr int kLanes = 4;
#endif

typedef float vf __attribute__((vector_size(kLanes * 4)));
typedef int32_t vi __attribute__((vector_size(kLanes * 4)));
typedef uint32_t vu __attribute__((vector_size(kLanes * 4)));

#define INGOT_INLINE static inline __attribute__((always_inline, unused))

INGOT_INLINE vf splat(float x) {
#if defined(__AVX512F__)
  return (vf)_mm512_set1_ps(x);
#elif defined(__AVX2__)
  return (vf)_mm256_set1_ps(x);
#else
  return vf{x, x, x, x};
#endif
}
INGOT_INLINE vf load(const float* p) {
  vf v;
  memcpy(&v, p, sizeof v);
  return v;
}
INGOT_INLINE void store(float* p, vf v) { memcpy(p, &v, sizeof v); }

INGOT_INLINE vf load(const bfloat* p) {
#if defined(__AVX512F__)
  return (vf)_mm512_slli_epi32(_mm512_cvtepu16_epi32(_mm256_loadu_si256((const __m256i*)p)), 16);
#elif defined(__AVX2__)
  return (vf)_mm256_slli_epi32(_mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i*)p)), 16);
#else
  vu u;
  for (int i = 0; i < kLanes; i++) u[i] = uint32_t(p[i].bits) << 16;
  return (vf)u;
#endif
}
INGOT_INLINE void store(bfloat* p, vf v) {
  vu u = (vu)v;
  vu rounded = (u + 0x7FFFu + ((u >> 16) & 1u)) >> 16;
  vu nan = (u >> 16) | 0x40u;
  vu out = ((vi)(u & 0x7FFFFFFFu) > 0x7F800000) ? nan : rounded;
#if defined(__AVX512F__)
  _mm256_storeu_si256((__m256i*)p, _mm512_cvtepi32_epi16((__m512i)out));
#else
  for (int i = 0; i < kLanes; i++) p[i].bits = uint16_t(out[i]);
#endif
}
INGOT_INLINE vf load(const half* p) {
#if defined(__AVX512F__)
  return (vf)_mm512_cvtph_ps(_mm256_loadu_si256((const __m256i*)p));
#elif defined(__AVX2__)
  return (vf)_mm256_cvtph_ps(_mm_loadu_si128((const __m128i*)p));
#elif defined(__aarch64__)
  return (vf)vcvt_f32_f16(vreinterpret_f16_u16(vld1_u16((const uint16_t*)p)));
#else
  vf v;
  for (int i = 0; i < kLanes; i++) v[i] = half_to_float(p[i].bits);
  return v;
#endif
}
INGOT_INLINE void store(half* p, vf v) {
#if defined(__AVX512F__)
  _mm256_storeu_si256((__m256i*)p, _mm512_cvtps_ph((__m512)v, _MM_FROUND_TO_NEAREST_INT));
#elif defined(__AVX2__)
  _mm_storeu_si128((__m128i*)p, _mm256_cvtps_ph((__m256)v, _MM_FROUND_TO_NEAREST_INT));
#elif defined(__aarch64__)
  vst1_u16((uint16_t*)p, vreinterpret_u16_f16(vcvt_f16_f32((float32x4_t)v)));
#else
  for (int i = 0; i < kLanes; i++) p[i].bits = float_to_half(v[i]);
#endif
}

INGOT_INLINE vf vmax(vf a, vf b) { return a > b ? a : b; }  // b where either is NaN
INGOT_INLINE vf vmin(vf a, vf b) { return a < b ? a : b; }
INGOT_INLINE vf select(vi mask, vf a, vf b) { return mask ? a : b; }

// Sums in a fixed order: halves are added until one lane is left.
typedef float v4f __attribute__((vector_size(16)));
#if defined(__AVX2__)
typedef float v8f __attribute__((vector_size(32)));
INGOT_INLINE v4f low_half(v8f v) { return __builtin_shufflevector(v, v, 0, 1, 2, 3); }
INGOT_INLINE v4f high_half(v8f v) { return __builtin_shufflevector(v, v, 4, 5, 6, 7); }
#endif
#if defined(__AVX512F__)
INGOT_INLINE v8f low_half(vf v) { return __builtin_shufflevector(v, v, 0, 1, 2, 3, 4, 5, 6, 7); }
INGOT_INLINE v8f high_half(vf v) { return __builtin_shufflevector(v, v, 8, 9, 10, 11, 12, 13, 14, 15); }
#endif
// fold(lower half, upper half) until four lanes are left, then two, then one.
template <class V, class Fold>
INGOT_INLINE float fold_lanes(V v, Fold fold) {
  if constexpr (sizeof(V) > 16) {
    return fold_lanes(fold(low_half(v), high_half(v)), fold);
  } else {
    v = fold(v, __builtin_shufflevector(v, v, 2, 3, 2, 3));
    v = fold(v, __builtin_shufflevector(v, v, 1, 1, 1, 1));
    return v[0];
  }
}
INGOT_INLINE float sum_lanes(vf v) {
  return fold_lanes(
      v, [](auto a, auto b) __attribute__((always_inline)) { return a + b; });
}
INGOT_INLINE float max_lanes(vf v) {
  return fold_lanes(
      v, [](auto a, auto b) __attribute__((always_inline)) { return a > b ? a : b; });
}

// e^x to about 1 ulp: x = n ln 2 + r, |r| <= ln 2 / 2; a polynomial
// of degree 7 for e^r (the coefficients of Cephes' expf).
// Underflows to 0 below -104, overflows to infinity above 88.73, NaN stays NaN.
INGOT_INLINE vf vexp(vf x) {
  vf clamped = vmin(vmax(x, splat(-104.0f)), splat(89.0f));
  vf n = clamped * 1.44269504f;
  const vf magic = splat(0x1.8p23f);
  vf rounded = (n + magic) - magic;
  vf r = clamped - rounded * 0.693145751953125f;
  r = r - rounded * 1.42860682030941723212e-6f;
  vf p = splat(1.9875691500e-4f);
  p = p * r + 1.3981999507e-3f;
  p = p * r + 8.3334519073e-3f;
  p = p * r + 4.1665795894e-2f;
  p = p * r + 1.6666665459e-1f;
  p = p * r + 5.0000001201e-1f;
  vf e = p * (r * r) + r + 1.0f;
  // 2^n in two steps, since n may be below -126 or equal to 128.
  vi ni = __builtin_convertvector(rounded, vi);
  vi half_n = ni >> 1;
  vf s1 = (vf)((half_n + 127) << 23), s2 = (vf)((ni - half_n + 127) << 23);
  vf y = e * s1 * s2;
  y = x > 88.73f ? splat(__builtin_inff()) : y;
  y = x < -104.0f ? splat(0.0f) : y;
  return x == x ? y : x;
}

}  // namespace ingot::INGOT_ISA
