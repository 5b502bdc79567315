// Activations and weights as bf16, for the kernels that multiply bf16 in hardware. For files of one instruction set.
#pragma once
#include "ingot/ops/linear/matmul_kernels.h"
#include "ingot/ops/linear/weight_vectors.h"

namespace ingot::INGOT_ISA {

INGOT_INLINE int64_t format_bytes(WeightFormat f, int64_t columns) {
  return columns / block_elements(f) * block_bytes(f);
}

// n floats to bf16, to nearest even.
INGOT_INLINE void to_bf16(const float* x, int64_t n, uint16_t* out) {
  int64_t k = 0;
#if defined(__AVX512BF16__)
  for (; k + 32 <= n; k += 32) {
    __m512bh b = _mm512_cvtne2ps_pbh(_mm512_loadu_ps(x + k + 16), _mm512_loadu_ps(x + k));
    memcpy(out + k, &b, 64);
  }
#endif
  for (; k + kLanes <= n; k += kLanes) {
    bfloat b[kLanes];
    store(b, load(x + k));
    memcpy(out + k, b, sizeof b);
  }
  for (; k < n; k++) out[k] = float_to_bfloat(x[k]);
}

// A float8 format to bf16, both bytes by themselves.
//   Tables: the two bytes of every magnitude code.
//   Maps: of a normal number each bit of the result is a bit of the code or its complement (the bias grows by a number
//   of the form 0111..0), so a byte is a linear map over bits, as GFNI computes it, plus a constant.
// The magnitude codes c with 2c - first below or above the range, in bytes, are the others: zero, subnormals, NaN and
// infinities; these need the tables.
struct Float8Format {
  alignas(64) uint8_t low[128], high[128];
  uint64_t low_map, high_map;
  uint8_t first, range;
};

// Row i of the map says which bits of the code add up to bit i of the result; GFNI wants row 7 in the lowest byte.
constexpr uint64_t bit_map(const uint8_t (&bit7_to_bit0)[8]) {
  uint64_t map = 0;
  for (int i = 0; i < 8; i++) map |= uint64_t{bit7_to_bit0[i]} << (8 * i);
  return map;
}
template <class Decode>
constexpr Float8Format make_float8(Decode decode, uint64_t low_map, uint64_t high_map, int first, int range) {
  Float8Format t{};
  for (int c = 0; c < 128; c++) {
    uint16_t bits = float_to_bfloat(decode(static_cast<uint8_t>(c)));
    t.low[c] = static_cast<uint8_t>(bits);
    t.high[c] = static_cast<uint8_t>(bits >> 8);
  }
  t.low_map = low_map;
  t.high_map = high_map;
  t.first = static_cast<uint8_t>(first);
  t.range = static_cast<uint8_t>(range);
  return t;
}
// s eeee mmm to s eeeeeeee mmm: 0111 1000 is added to the exponent. Normal: 8 .. 126.
static constexpr Float8Format kE4M3 =
    make_float8(f8e4m3_to_float, bit_map({0x08, 0x04, 0x02, 0x01, 0, 0, 0, 0}),
                bit_map({0x80, 0x40, 0x40, 0x40, 0x40, 0x40, 0x20, 0x10}), 2 * 8, 2 * (126 - 8));
// s eeeee mm to s eeeeeeee mm: 0111 0000 is added. Normal: 4 .. 123.
static constexpr Float8Format kE5M2 =
    make_float8(f8e5m2_to_float, bit_map({0x04, 0x02, 0x01, 0, 0, 0, 0, 0}),
                bit_map({0x80, 0x40, 0x40, 0x40, 0x40, 0x20, 0x10, 0x08}), 2 * 4, 2 * (123 - 4));

#if defined(__AVX512VBMI__)
// Codes 0..31 and 32..63 of 64 from their bytes of results. Unpacking works inside lanes of 16 bytes, so deal() spreads
// the codes over the lanes beforehand.
INGOT_INLINE __m512i deal(const uint8_t* p) {
  return _mm512_permutexvar_epi64(_mm512_setr_epi64(0, 4, 1, 5, 2, 6, 3, 7), _mm512_loadu_si512(p));
}
struct Float8Decoder {
  __m512i low[2], high[2];
  __attribute__((always_inline)) explicit Float8Decoder(const Float8Format& t) {
    for (int i = 0; i < 2; i++) low[i] = _mm512_load_si512(t.low + 64 * i);
    for (int i = 0; i < 2; i++) high[i] = _mm512_load_si512(t.high + 64 * i);
  }
  __attribute__((always_inline)) void decode(const uint8_t* p, __m512i& first, __m512i& second) const {
    __m512i codes = deal(p);
    __m512i l = _mm512_permutex2var_epi8(low[0], codes, low[1]);
    __m512i h = _mm512_permutex2var_epi8(high[0], codes, high[1]);
    h = _mm512_ternarylogic_epi32(h, codes, _mm512_set1_epi8((char)0x80), 0xF8);  // h | (codes & sign)
    first = _mm512_unpacklo_epi8(l, h);
    second = _mm512_unpackhi_epi8(l, h);
  }
};

// Every CPU with AVX512-BF16 and VBMI2 so far has GFNI as well, but nothing promises it.
INGOT_INLINE bool has_gfni() {
  static const bool yes = __builtin_cpu_supports("gfni");
  return yes;
}
// kFlip holds the bits of the high byte that are complements. By inline assembly, since files of this instruction set
// are not compiled for GFNI.
template <int kFlip>
INGOT_INLINE __m512i map_bits(__m512i codes, __m512i map) {
  __m512i out;
  asm("vgf2p8affineqb %3, %2, %1, %0" : "=v"(out) : "v"(codes), "v"(map), "i"(kFlip));
  return out;
}
// The same for codes that are normal numbers.
template <int kFlip>
struct NormalFloat8Decoder {
  __m512i low_map, high_map, first, range;
  __attribute__((always_inline)) explicit NormalFloat8Decoder(const Float8Format& t)
      : low_map(_mm512_set1_epi64((int64_t)t.low_map)),
        high_map(_mm512_set1_epi64((int64_t)t.high_map)),
        first(_mm512_set1_epi8((char)t.first)),
        range(_mm512_set1_epi8((char)t.range)) {}
  // How far each of 64 codes is above the first normal one; the greatest tells whether all are normal.
  __attribute__((always_inline)) __m512i distance(const uint8_t* p) const {
    const __m512i codes = _mm512_loadu_si512(p);
    return _mm512_sub_epi8(_mm512_add_epi8(codes, codes), first);
  }
  __attribute__((always_inline)) bool in_range(__m512i greatest) const {
    return _mm512_cmpgt_epu8_mask(greatest, range) == 0;
  }
  __attribute__((always_inline)) void decode(const uint8_t* p, __m512i& a, __m512i& b) const {
    const __m512i codes = deal(p), l = map_bits<0>(codes, low_map), h = map_bits<kFlip>(codes, high_map);
    a = _mm512_unpacklo_epi8(l, h);
    b = _mm512_unpackhi_epi8(l, h);
  }
};
#endif

// Where the rows of a panel come from and where they go.
struct PanelRows {
  const uint8_t* source;  // the first row, at the first column wanted
  int64_t distance;       // bytes from one row to the next
  int64_t rows, columns;
  uint16_t* out;
  int64_t stride;     // elements
  int64_t ahead = 0;  // bytes from what is decoded to what will be wanted soon
};

// Asks for the lines of the bytes [0, n) that lie p.ahead further on. Into the second-level cache: rows of a power of
// two bytes crowd into a few sets of the first.
INGOT_INLINE void prefetch_ahead(const uint8_t* in, int64_t n, const PanelRows& p) {
  if (p.ahead == 0) return;
  for (int64_t at = 0; at < n; at += 64) __builtin_prefetch(in + p.ahead + at, 0, 2);
}

INGOT_INLINE void float8_to_bf16(const Float8Format& t, const PanelRows& p) {
#if defined(__AVX512VBMI__)
  const Float8Decoder decoder(t);
#endif
  for (int64_t r = 0; r < p.rows; r++) {
    const uint8_t* in = p.source + r * p.distance;
    uint16_t* out = p.out + r * p.stride;
    int64_t k = 0;
#if defined(__AVX512VBMI__)
    for (; k + 64 <= p.columns; k += 64) {
      __m512i a, b;
      if (p.ahead != 0) __builtin_prefetch(in + k + p.ahead, 0, 2);
      decoder.decode(in + k, a, b);
      _mm512_storeu_si512(out + k, a);
      _mm512_storeu_si512(out + k + 32, b);
    }
#endif
    for (; k < p.columns; k++) {
      const int c = in[k] & 0x7F;
      out[k] = (uint16_t)(t.low[c] | t.high[c] << 8 | (in[k] & 0x80) << 8);
    }
  }
}

// Rows of weights without their scales, rounded to bf16 where the format has more bits. Zeros follow up to a multiple
// of 32 columns. The first column is a multiple of the format's block.
INGOT_INLINE void decode_bf16(WeightFormat format, const PanelRows& p) {
  if (format == WeightFormat::kF8E4M3) {
    float8_to_bf16(kE4M3, p);
  } else if (format == WeightFormat::kF8E5M2) {
    float8_to_bf16(kE5M2, p);
  } else if (format == WeightFormat::kBF16) {
    for (int64_t r = 0; r < p.rows; r++) {
      prefetch_ahead(p.source + r * p.distance, 2 * p.columns, p);
      memcpy(p.out + r * p.stride, p.source + r * p.distance, 2 * (size_t)p.columns);
    }
  } else {
    constexpr int64_t kAtOnce = 512;
    float values[kAtOnce];
    const int64_t bytes_of_512 = format_bytes(format, kAtOnce);
    for (int64_t r = 0; r < p.rows; r++) {
      const uint8_t* in = p.source + r * p.distance;
      uint16_t* out = p.out + r * p.stride;
      prefetch_ahead(in, format_bytes(format, p.columns), p);
      for (int64_t k = 0; k < p.columns; k += kAtOnce, in += bytes_of_512) {
        const int64_t count = p.columns - k < kAtOnce ? p.columns - k : kAtOnce;
        const bool direct = visit_direct_format(
            format, [&](auto f) __attribute__((always_inline)) { decode_row<decltype(f)>(in, values, count); });
        if (!direct) dequantize_row(format, in, values, count);
        to_bf16(values, count, out + k);
      }
    }
  }
  if (p.columns % 32 == 0) return;
  for (int64_t r = 0; r < p.rows; r++)
    for (int64_t k = p.columns; k % 32 != 0; k++) p.out[r * p.stride + k] = 0;
}

typedef uint32_t Words16 __attribute__((vector_size(64)));

// Calls f(j, column j of rows) for j < 16.
template <class F>
INGOT_INLINE void transpose16(const Words16 (&rows)[16], F&& f) {
#if defined(__AVX512F__)
  __m512i a[16], b[16];
#pragma GCC unroll 8
  for (int i = 0; i < 16; i += 2) {
    b[i] = _mm512_unpacklo_epi32((__m512i)rows[i], (__m512i)rows[i + 1]);
    b[i + 1] = _mm512_unpackhi_epi32((__m512i)rows[i], (__m512i)rows[i + 1]);
  }
#pragma GCC unroll 4
  for (int i = 0; i < 16; i += 4) {
    a[i] = _mm512_unpacklo_epi64(b[i], b[i + 2]);
    a[i + 1] = _mm512_unpackhi_epi64(b[i], b[i + 2]);
    a[i + 2] = _mm512_unpacklo_epi64(b[i + 1], b[i + 3]);
    a[i + 3] = _mm512_unpackhi_epi64(b[i + 1], b[i + 3]);
  }
  // a[4 g + c] has in lane l column 4 l + c of rows 4 g .. 4 g + 3.
#pragma GCC unroll 4
  for (int c = 0; c < 4; c++) {
    __m512i low01 = _mm512_shuffle_i32x4(a[c], a[4 + c], 0x88), high01 = _mm512_shuffle_i32x4(a[c], a[4 + c], 0xDD);
    __m512i low23 = _mm512_shuffle_i32x4(a[8 + c], a[12 + c], 0x88);
    __m512i high23 = _mm512_shuffle_i32x4(a[8 + c], a[12 + c], 0xDD);
    f(c, (Words16)_mm512_shuffle_i32x4(low01, low23, 0x88));
    f(4 + c, (Words16)_mm512_shuffle_i32x4(high01, high23, 0x88));
    f(8 + c, (Words16)_mm512_shuffle_i32x4(low01, low23, 0xDD));
    f(12 + c, (Words16)_mm512_shuffle_i32x4(high01, high23, 0xDD));
  }
#else
  for (int j = 0; j < 16; j++) {
    Words16 column;
    for (int i = 0; i < 16; i++) column[i] = rows[i][j];
    f(j, column);
  }
#endif
}

}  // namespace ingot::INGOT_ISA
