// Weights as vectors of floats of the instruction set a file is compiled for: one struct a format, whose block() calls
// f(offset, vector) for all elements of a block. Every vector has the bits that dequantize_row gives. The offsets
// ascend, but for Q5_K and Q6_K, which take together what shares bytes and tell their order by in_order().
#pragma once
#include <cstdint>
#include <cstring>

#if defined(__GNUC__) && !defined(__clang__)
// GCC 12 warns of the undefined operands inside its own AVX-512 intrinsics.
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC diagnostic ignored "-Wuninitialized"
#endif

#include "ingot/base/block_formats.h"
#include "ingot/device/cpu/simd.h"

namespace ingot::INGOT_ISA {

// kLanes bytes to 32 bits each. By intrinsics: GCC 12 takes the general conversion of vectors apart into scalars.
INGOT_INLINE vu load_codes(const uint8_t* p) {
#if defined(__AVX512F__)
  return (vu)_mm512_cvtepu8_epi32(_mm_loadu_si128((const __m128i*)p));
#elif defined(__AVX2__)
  return (vu)_mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i*)p));
#elif defined(__SSE4_1__)
  int32_t word;
  memcpy(&word, p, 4);
  return (vu)_mm_cvtepu8_epi32(_mm_cvtsi32_si128(word));
#else
  return vu{p[0], p[1], p[2], p[3]};
#endif
}
INGOT_INLINE vf load_signed(const uint8_t* p) {
#if defined(__AVX512F__)
  return (vf)_mm512_cvtepi32_ps(_mm512_cvtepi8_epi32(_mm_loadu_si128((const __m128i*)p)));
#elif defined(__AVX2__)
  return (vf)_mm256_cvtepi32_ps(_mm256_cvtepi8_epi32(_mm_loadl_epi64((const __m128i*)p)));
#else
  return __builtin_convertvector((vi)(load_codes(p) << 24) >> 24, vf);
#endif
}
INGOT_INLINE vf to_float(vu codes) { return __builtin_convertvector((vi)codes, vf); }

// a * b + c, always rounded the same way: left to itself a compiler fuses one copy of a loop and not another.
INGOT_INLINE vf multiply_add(vf a, vf b, vf c) {
#if defined(__AVX512F__)
  return (vf)_mm512_fmadd_ps((__m512)a, (__m512)b, (__m512)c);
#elif defined(__AVX2__)
  return (vf)_mm256_fmadd_ps((__m256)a, (__m256)b, (__m256)c);
#elif defined(__aarch64__)
  return (vf)vfmaq_f32((float32x4_t)c, (float32x4_t)a, (float32x4_t)b);
#else
  return a * b + c;
#endif
}

#if defined(__AVX2__)
// The half at p in the first lane. At least 8 bytes can be read there. By inline assembly: the form that reads memory
// leaves the shuffle port free, of which decoding has too little.
INGOT_INLINE __m128 half_at(const uint8_t* p) {
  __m128 f;
  asm("vcvtph2ps %1, %0" : "=x"(f) : "m"(*(const uint8_t(*)[8])p));
  return f;
}
#endif
// The same in all lanes.
INGOT_INLINE vf broadcast_half(const uint8_t* p) {
#if defined(__AVX512F__)
  return (vf)_mm512_broadcastss_ps(half_at(p));
#elif defined(__AVX2__)
  return (vf)_mm256_broadcastss_ps(half_at(p));
#else
  return splat(load_half(p));
#endif
}

// scale * code + offset for codes below 16 (or 32). Where the result is exact or rounds once, so does this.
struct Affine16 {
#if defined(__AVX512F__)
  vf table;
  __attribute__((always_inline)) Affine16(vf scale, vf offset) {
    const vf iota = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    table = scale * iota + offset;
  }
  // Reads the low four bits of each code.
  __attribute__((always_inline)) vf low(vu codes) const {
    return (vf)_mm512_permutexvar_ps((__m512i)codes, (__m512)table);
  }
#else
  vf scale, offset;
  __attribute__((always_inline)) Affine16(vf s, vf o) : scale(s), offset(o) {}
  __attribute__((always_inline)) vf low(vu codes) const { return to_float(codes & 15u) * scale + offset; }
#endif
  __attribute__((always_inline)) vf high(vu codes) const { return low(codes >> 4); }
};

struct PlainF32 {
  static constexpr int kElements = kLanes, kBytes = 4 * kLanes, kSize = 4;
  template <class F>
  INGOT_INLINE void block(const uint8_t* p, F&& f) {
    vf v;
    memcpy(&v, p, sizeof v);
    f(0, v);
  }
};
struct PlainF16 {
  static constexpr int kElements = kLanes, kBytes = 2 * kLanes, kSize = 2;
  template <class F>
  INGOT_INLINE void block(const uint8_t* p, F&& f) {
    half h[kLanes];
    memcpy(h, p, sizeof h);
    f(0, load(h));
  }
};
struct PlainBF16 {
  static constexpr int kElements = kLanes, kBytes = 2 * kLanes, kSize = 2;
  template <class F>
  INGOT_INLINE void block(const uint8_t* p, F&& f) {
    bfloat b[kLanes];
    memcpy(b, p, sizeof b);
    f(0, load(b));
  }
};
struct PlainF8E4M3 {
  static constexpr int kElements = kLanes, kBytes = kLanes, kSize = 1;
  template <class F>
  INGOT_INLINE void block(const uint8_t* p, F&& f) {
    vu c = load_codes(p), magnitude = c & 0x7Fu;
    // A subnormal is put beside 2^-6 and 2^-6 is taken away, so that no denormal ever meets the multiplier.
    vi subnormal = (vi)(magnitude) < 8;
    vu bits = (magnitude << 20) + (120u << 23);
    vf v = (vf)(subnormal ? bits + (1u << 23) : bits) - (subnormal ? splat(0x1p-6f) : splat(0.0f));
    v = (vi)magnitude == 0x7F ? splat(__builtin_nanf("")) : v;
    f(0, (vf)((vu)v | (c & 0x80u) << 24));
  }
};
struct PlainF8E5M2 {
  static constexpr int kElements = kLanes, kBytes = kLanes, kSize = 1;
  template <class F>
  INGOT_INLINE void block(const uint8_t* p, F&& f) {
    half h[kLanes];
    for (int i = 0; i < kLanes; i++) h[i].bits = (uint16_t)(p[i] << 8);
    f(0, load(h));
  }
};

struct Q8_0 {
  static constexpr int kElements = 32, kBytes = sizeof(BlockQ8_0), kSize = 0;
  template <class F>
  INGOT_INLINE void block(const uint8_t* p, F&& f) {
    vf d = broadcast_half(p);
#pragma GCC unroll 8
    for (int i = 0; i < 32; i += kLanes) f(i, load_signed(p + 2 + i) * d);
  }
};

// 16 bytes with the codes of 32 elements.
template <class F>
INGOT_INLINE void nibbles(const uint8_t* q, const Affine16& value, F&& f) {
#pragma GCC unroll 4
  for (int i = 0; i < 16; i += kLanes) f(i, value.low(load_codes(q + i)));
#pragma GCC unroll 4
  for (int i = 0; i < 16; i += kLanes) f(i + 16, value.high(load_codes(q + i)));
}
struct Q4_0 {
  static constexpr int kElements = 32, kBytes = sizeof(BlockQ4_0), kSize = 0;
  template <class F>
  INGOT_INLINE void block(const uint8_t* p, F&& f) {
    vf d = broadcast_half(p);
    nibbles(p + 2, Affine16(d, d * -8.0f), f);
  }
};
struct Q4_1 {
  static constexpr int kElements = 32, kBytes = sizeof(BlockQ4_1), kSize = 0;
  template <class F>
  INGOT_INLINE void block(const uint8_t* p, F&& f) {
    nibbles(p + 4, Affine16(broadcast_half(p), broadcast_half(p + 2)), f);
  }
};

// 16 bytes to floats, the first 8 times a, the others times b.
INGOT_INLINE void scale_bytes(const uint8_t* codes, float a, float b, float* out) {
  alignas(64) float factor[16];
  for (int i = 0; i < 16; i++) factor[i] = i < 8 ? a : b;
#pragma GCC unroll 4
  for (int i = 0; i < 16; i += kLanes) store(out + i, to_float(load_codes(codes + i)) * load(factor + i));
}

// The 8 scales and offsets (minus the mins) of a block of Q4_K or Q5_K, four six-bit fields at a time.
struct KScales {
  alignas(64) float scale[16];
  const float* offset = scale + 8;
  __attribute__((always_inline)) explicit KScales(const uint8_t* p) {
    uint32_t s[3], codes[4];
    memcpy(s, p + 4, 12);
    codes[0] = s[0] & 0x3F3F3F3Fu;
    codes[1] = (s[2] & 0x0F0F0F0Fu) | (s[0] >> 6 & 0x03030303u) << 4;
    codes[2] = s[1] & 0x3F3F3F3Fu;
    codes[3] = (s[2] >> 4 & 0x0F0F0F0Fu) | (s[1] >> 6 & 0x03030303u) << 4;
    uint8_t c[16];
    memcpy(c, codes, 16);
    scale_bytes(c, load_half(p), -load_half(p + 2), scale);
  }
};
struct Q4K {
  static constexpr int kElements = 256, kBytes = sizeof(BlockQ4K), kSize = 0;
  template <class F>
  INGOT_INLINE void block(const uint8_t* p, F&& f) {
    KScales s(p);
#pragma GCC unroll 1
    for (int c = 0; c < 4; c++) {
      Affine16 even(splat(s.scale[2 * c]), splat(s.offset[2 * c]));
      Affine16 odd(splat(s.scale[2 * c + 1]), splat(s.offset[2 * c + 1]));
      const uint8_t* q = p + 16 + 32 * c;
#pragma GCC unroll 8
      for (int i = 0; i < 32; i += kLanes) f(64 * c + i, even.low(load_codes(q + i)));
#pragma GCC unroll 8
      for (int i = 0; i < 32; i += kLanes) f(64 * c + 32 + i, odd.high(load_codes(q + i)));
    }
  }
};
// Shifts by constants only, since a shift by a variable costs twice as much: the shift is a template argument.
template <int kLeft>
INGOT_INLINE vu shift(vu v) {
  if constexpr (kLeft >= 0) return v << kLeft;
  return v >> (kLeft < 0 ? -kLeft : 0);
}
struct Q5K {
  static constexpr int kElements = 256, kBytes = sizeof(BlockQ5K), kSize = 0;
  template <class F>
  INGOT_INLINE void block(const uint8_t* p, F&& f) {
    KScales s(p);
    pair<0>(p, s, f);
    pair<1>(p, s, f);
    pair<2>(p, s, f);
    pair<3>(p, s, f);
  }

 private:
  // Of the sub-blocks 2 C and 2 C + 1, which share their bytes. In the order of the elements: that is the order of the
  // sums.
  template <int C, class F>
  INGOT_INLINE void pair(const uint8_t* p, const KScales& s, F&& f) {
#pragma GCC unroll 8
    for (int i = 0; i < 32; i += kLanes) {
      const vu q = load_codes(p + 48 + 32 * C + i), h = load_codes(p + 16 + i);
      const vu code = (q & 15u) | (shift<4 - 2 * C>(h) & 16u);
      f(64 * C + i, multiply_add(to_float(code), splat(s.scale[2 * C]), splat(s.offset[2 * C])));
    }
#pragma GCC unroll 8
    for (int i = 0; i < 32; i += kLanes) {
      const vu q = load_codes(p + 48 + 32 * C + i), h = load_codes(p + 16 + i);
      const vu code = (q >> 4) | (shift<3 - 2 * C>(h) & 16u);
      f(64 * C + 32 + i, multiply_add(to_float(code), splat(s.scale[2 * C + 1]), splat(s.offset[2 * C + 1])));
    }
  }
};
struct Q6K {
  static constexpr int kElements = 256, kBytes = sizeof(BlockQ6K), kSize = 0;
  template <class F>
  INGOT_INLINE void block(const uint8_t* p, F&& f) {
    // (code - 32) * scale as code * scale - 32 * scale, which is exact as well.
    alignas(64) float scale[16], offset[16];
    const vf d = splat(load_half(p + 208));
#pragma GCC unroll 4
    for (int i = 0; i < 16; i += kLanes) {
      const vf s = load_signed(p + 192 + i) * d;
      store(scale + i, s);
      store(offset + i, s * -32.0f);
    }
#pragma GCC unroll 1
    for (int half = 0; half < 2; half++) {
      quarter<0>(p, scale, offset, half, f);
      quarter<1>(p, scale, offset, half, f);
      quarter<2>(p, scale, offset, half, f);
      quarter<3>(p, scale, offset, half, f);
    }
  }

 private:
  // 32 elements; in their order, which is that of the sums.
  template <int J, class F>
  INGOT_INLINE void quarter(const uint8_t* p, const float* scale, const float* offset, int half, F&& f) {
#pragma GCC unroll 8
    for (int i = 0; i < 32; i += kLanes) {
      const vu low = load_codes(p + 64 * half + 32 * (J % 2) + i), high = load_codes(p + 128 + 32 * half + i);
      const vu code = (J < 2 ? low & 15u : low >> 4) | (shift<4 - 2 * J>(high) & 48u);
      const int s = 8 * half + 2 * J + i / 16;
      f(128 * half + 32 * J + i, multiply_add(to_float(code), splat(scale[s]), splat(offset[s])));
    }
  }
};

// Calls f(Format{}) for the formats above; false for the others, which dequantize_row decodes.
template <class F>
INGOT_INLINE bool visit_direct_format(WeightFormat format, F&& f) {
  switch (format) {
    case WeightFormat::kF32:
      f(PlainF32{});
      return true;
    case WeightFormat::kF16:
      f(PlainF16{});
      return true;
    case WeightFormat::kBF16:
      f(PlainBF16{});
      return true;
    case WeightFormat::kF8E4M3:
      f(PlainF8E4M3{});
      return true;
    case WeightFormat::kF8E5M2:
      f(PlainF8E5M2{});
      return true;
    case WeightFormat::kQ8_0:
      f(Q8_0{});
      return true;
    case WeightFormat::kQ4_0:
      f(Q4_0{});
      return true;
    case WeightFormat::kQ4_1:
      f(Q4_1{});
      return true;
    case WeightFormat::kQ4_K:
      f(Q4K{});
      return true;
    case WeightFormat::kQ5_K:
      f(Q5K{});
      return true;
    case WeightFormat::kQ6_K:
      f(Q6K{});
      return true;
    default:
      return false;
  }
}

// Floats [0, n) of a row that starts at p; n is a multiple of the block or, for the plain formats, anything.
template <class Format>
INGOT_INLINE void decode_row(const uint8_t* p, float* out, int64_t n) {
  int64_t k = 0;
  for (; k + Format::kElements <= n; k += Format::kElements, p += Format::kBytes) {
    Format::block(p, [&](int i, vf v) { store(out + k + i, v); });
  }
  if constexpr (Format::kSize > 0) {
    if (k < n) {
      uint8_t padded[Format::kBytes] = {};
      float values[Format::kElements];
      memcpy(padded, p, (size_t)(n - k) * Format::kSize);
      Format::block(padded, [&](int i, vf v) { store(values + i, v); });
      memcpy(out + k, values, (size_t)(n - k) * sizeof(float));
    }
  }
}

}  // namespace ingot::INGOT_ISA
