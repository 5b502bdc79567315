// Weights times activations rounded to bf16 by the dot-product instruction of AVX512-BF16: R rows of W by C rows of x,
// both read along K, a vector accumulator for each pair. Each pair takes its steps of 32 columns in the same order
// whatever R and C are.
#include "ingot/ops/linear/bf16_panel.h"
#include "ingot/ops/linear/matmul_rows.h"

namespace ingot::INGOT_ISA {

namespace {

constexpr int kRows = 4, kColumns = 4;
constexpr int64_t kStep = 64;  // columns read at a time; packed rows are padded to it with zeros

INGOT_INLINE int64_t padded(int64_t cols) { return (cols + kStep - 1) / kStep * kStep; }

// 64 columns of a row of weights as two vectors of bf16.
struct SourceBF16 {
  static constexpr int kBytes = 128;
  __attribute__((always_inline)) void load(const uint8_t* p, __m512i& a, __m512i& b) const {
    a = _mm512_loadu_si512(p);
    b = _mm512_loadu_si512(p + 64);
  }
};
template <class Decoder>
struct SourceF8 {
  static constexpr int kBytes = 64;
  Decoder decoder;
  __attribute__((always_inline)) void load(const uint8_t* p, __m512i& a, __m512i& b) const { decoder.decode(p, a, b); }
};
using SourceAnyF8 = SourceF8<Float8Decoder>;
// Of float8 whose numbers are known to be normal.
template <int kFlip>
using SourceNormalF8 = SourceF8<NormalFloat8Decoder<kFlip>>;

// 64 columns of R rows.
template <bool kPrefetch, class Source, int R, int C>
INGOT_INLINE void add_step(const Source& source, const uint8_t* const (&w)[R], int64_t at,
                           const uint16_t* const (&x)[C], int64_t k, __m512 (&acc)[R][C]) {
#pragma GCC unroll 8
  for (int r = 0; r < R; r++) {
    if constexpr (kPrefetch) {
#pragma GCC unroll 2
      for (int line = 0; line < Source::kBytes; line += 64) __builtin_prefetch(w[r] + at + kMatmulPrefetchBytes + line);
    }
    __m512i a, b;
    source.load(w[r] + at, a, b);
#pragma GCC unroll 4
    for (int c = 0; c < C; c++)
      acc[r][c] = _mm512_dpbf16_ps(acc[r][c], (__m512bh)a, (__m512bh)_mm512_loadu_si512(x[c] + k));
#pragma GCC unroll 4
    for (int c = 0; c < C; c++)
      acc[r][c] = _mm512_dpbf16_ps(acc[r][c], (__m512bh)b, (__m512bh)_mm512_loadu_si512(x[c] + k + 32));
  }
}

template <bool kPrefetch, class Source, int R, int C>
INGOT_INLINE void add_products(const Source& source, const uint8_t* const (&w)[R], const uint16_t* const (&x)[C],
                               int64_t from, int64_t to, __m512 (&acc)[R][C]) {
  int64_t k = from;
  for (; k + kStep <= to; k += kStep) add_step<kPrefetch>(source, w, k / kStep * Source::kBytes, x, k, acc);
  if (k == to) return;
  alignas(64) uint8_t tails[R][Source::kBytes] = {};
  const uint8_t* tail[R];
  for (int r = 0; r < R; r++) {
    memcpy(tails[r], w[r] + k / kStep * Source::kBytes, (size_t)((to - k) * Source::kBytes / kStep));
    tail[r] = tails[r];
  }
  add_step<false>(source, tail, 0, x, k, acc);
}

// Float8: 128 columns at a time by the quick decoder where their numbers are normal in all R rows, as almost all are.
// Both decoders are exact, so which one is taken does not show in the result.
template <int kFlip>
struct SourceQuickF8 {
  SourceAnyF8 any;
  SourceNormalF8<kFlip> normal;
};
template <bool kPrefetch, int kFlip, int R, int C>
INGOT_INLINE void add_products(const SourceQuickF8<kFlip>& source, const uint8_t* const (&w)[R],
                               const uint16_t* const (&x)[C], int64_t from, int64_t to, __m512 (&acc)[R][C]) {
  constexpr int64_t kChunk = 2 * kStep;
  int64_t k = from;
  for (; k + kChunk <= to; k += kChunk) {
    __m512i most = _mm512_setzero_si512();
#pragma GCC unroll 8
    for (int r = 0; r < R; r++) {
      most = _mm512_max_epu8(most, source.normal.decoder.distance(w[r] + k));
      most = _mm512_max_epu8(most, source.normal.decoder.distance(w[r] + k + kStep));
    }
    if (source.normal.decoder.in_range(most)) {
      add_step<kPrefetch>(source.normal, w, k, x, k, acc);
      add_step<kPrefetch>(source.normal, w, k + kStep, x, k + kStep, acc);
    } else {
      add_products<kPrefetch>(source.any, w, x, k, k + kChunk, acc);
    }
  }
  add_products<kPrefetch>(source.any, w, x, k, to, acc);
}

// sum_lanes of sixteen vectors at once, halves added to halves in the same order, so to the same bits.
INGOT_INLINE __m512 sum_lanes_of_16(const vf (&v)[16]) {
  __m512 eighths[8], quarters[4], pairs[2];
#pragma GCC unroll 8
  for (int i = 0; i < 8; i++) {
    const __m512 a = (__m512)v[i % 4 + i / 4 * 8], b = (__m512)v[i % 4 + i / 4 * 8 + 4];
    eighths[i] = _mm512_shuffle_f32x4(a, b, 0x44) + _mm512_shuffle_f32x4(a, b, 0xEE);
  }
#pragma GCC unroll 4
  for (int i = 0; i < 4; i++) {
    const __m512 a = eighths[i], b = eighths[i + 4];
    quarters[i] = _mm512_shuffle_f32x4(a, b, 0x88) + _mm512_shuffle_f32x4(a, b, 0xDD);
  }
#pragma GCC unroll 2
  for (int i = 0; i < 2; i++) {
    const __m512d a = (__m512d)quarters[2 * i], b = (__m512d)quarters[2 * i + 1];
    pairs[i] = (__m512)_mm512_shuffle_pd(a, b, 0x00) + (__m512)_mm512_shuffle_pd(a, b, 0xFF);
  }
  return _mm512_shuffle_ps(pairs[0], pairs[1], 0x88) + _mm512_shuffle_ps(pairs[0], pairs[1], 0xDD);
}

template <class Source, int R, int C, bool kPrefetch>
__attribute__((noinline)) void products(const Source& source, const uint8_t* const (&w)[R],
                                        const float* const (&scales)[R], const uint16_t* const (&x)[C], int64_t cols,
                                        float* out) {
  vf sum[R][C];
  __m512 part[R][C];
  const bool scaled = scales[0];
  const int64_t segment = scaled ? 128 : cols;
  for (int64_t from = 0, b = 0; from < cols; from += segment, b++) {
#pragma GCC unroll 32
    for (int i = 0; i < R * C; i++) part[i / C][i % C] = _mm512_setzero_ps();
    add_products<kPrefetch>(source, w, x, from, smaller(from + segment, cols), part);
#pragma GCC unroll 8
    for (int r = 0; r < R; r++) {
#pragma GCC unroll 4
      for (int c = 0; c < C; c++) {
        if (scaled) {
          sum[r][c] = multiply_add((vf)part[r][c], splat(scales[r][b]), from == 0 ? splat(0.0f) : sum[r][c]);
        } else {
          sum[r][c] = (vf)part[r][c];
        }
      }
    }
  }
  if constexpr (R * C == 16) {
    _mm512_storeu_ps(out, sum_lanes_of_16((const vf(&)[16])sum));
  } else {
#pragma GCC unroll 32
    for (int i = 0; i < R * C; i++) out[i] = sum_lanes(sum[i / C][i % C]);
  }
}

struct Rows {
  const MatmulJob& job;
  const WeightRows& w;
  const uint16_t* packed;
  int64_t stride;  // of packed

  explicit Rows(const MatmulSlice& s)
      : job(*s.job), w(s.job->w), packed((const uint16_t*)s.packed), stride(padded(s.job->w.cols)) {}
  const uint8_t* row(int64_t n) const { return (const uint8_t*)w.data + n * w.row_stride; }
};

// R rows, of which `used` count, by the rows [first, last) of x. What comes next, `ahead` bytes from `next`, is asked
// for bit by bit on the way.
template <class Source, int R, int C, bool kPrefetch>
INGOT_INLINE void row_group(const Rows& g, const Source& source, const int64_t (&n)[R], int used,
                            const uint8_t* const (&w)[R], int64_t first, int64_t last, const uint8_t* next = nullptr,
                            int64_t ahead = 0) {
  const float* scales[R];
  for (int r = 0; r < R; r++) scales[r] = block_scales_of_row(g.w, n[r]);
  const int64_t share = (ahead * C / (last - first) + 63) / 64 * 64;
  for (int64_t i = first; i < last; i += C) {
    for (int64_t line = 0; line < smaller(share, ahead); line += 64) __builtin_prefetch(next + line, 0, 2);
    next += share;
    ahead -= share;
    const uint16_t* x[C];
    for (int c = 0; c < C; c++) x[c] = g.packed + smaller(i + c, last - 1) * g.stride;
    float out[R * C];
    products<Source, R, C, kPrefetch>(source, w, scales, x, g.w.cols, out);
    for (int r = 0; r < used; r++) {
      const float scale = scale_of_row(g.w, n[r]);
      for (int c = 0; c < C && i + c < last; c++) g.job.y[(i + c) * g.job.y_stride + n[r]] = out[r * C + c] * scale;
    }
  }
}

// Few activations, weights from memory.
template <class Source, int R, int C, bool kPrefetch>
void stream_strips(const MatmulSlice& s, const Source& source) {
  const Rows g(s);
  for_far_rows<R>(s, [&](const int64_t(&n)[R], int used) {
    const uint8_t* w[R];
    for (int r = 0; r < R; r++) w[r] = g.row(n[r]);
    row_group<Source, R, C, kPrefetch>(g, source, n, used, w, 0, g.job.m);
  });
}

template <class Source>
void stream(const MatmulSlice& s, const Source& source) {
  if (s.far_strips == 8) {
    s.job->m > 1 ? stream_strips<Source, kRows, kColumns, true>(s, source)
                 : stream_strips<Source, 8, 1, true>(s, source);
  } else {
    s.job->m > 1 ? stream_strips<Source, kRows, kColumns, false>(s, source)
                 : stream_strips<Source, 4, 1, false>(s, source);
  }
}

template <int kFlip>
void stream_float8(const MatmulSlice& s, const Float8Format& format) {
  const SourceAnyF8 any{Float8Decoder(format)};
  if (!has_gfni()) return stream(s, any);
  stream(s, SourceQuickF8<kFlip>{any, {NormalFloat8Decoder<kFlip>(format)}});
}

// Rows of x that stay in the second-level cache while the weights pass by.
int64_t columns_at_once(int64_t cols) {
  const int64_t n = (1 << 19) / (2 * padded(cols)) / kColumns * kColumns;
  return n < kColumns ? kColumns : n;
}

// More activations: a few rows, as bf16, meet all rows of x.
void reuse_rows(const MatmulSlice& s) {
  const Rows g(s);
  const bool in_place = g.w.format == WeightFormat::kBF16;
  const int64_t at_once = columns_at_once(g.w.cols);
  uint16_t* decoded = (uint16_t*)s.scratch;
  for (int64_t first = 0; first < g.job.m; first += at_once) {
    for (int64_t row = s.begin; row < s.end; row += kRows) {
      const int used = (int)smaller(kRows, s.end - row);
      int64_t n[kRows];
      const uint8_t* w[kRows];
      for (int r = 0; r < kRows; r++) {
        n[r] = smaller(row + r, s.end - 1);
        w[r] = g.row(n[r]);
        if (in_place) continue;
        if (r < used) decode_bf16(g.w.format, {w[r], 0, 1, g.w.cols, decoded + r * g.stride, 0});
        w[r] = (const uint8_t*)(decoded + smaller(r, used - 1) * g.stride);
      }
      // The next rows lie next to these, but for the padding of a stride.
      const int64_t ahead = first == 0 ? (smaller(s.end, row + 2 * kRows) - n[kRows - 1] - 1) * g.w.row_stride : 0;
      row_group<SourceBF16, kRows, kColumns, false>(g, SourceBF16{}, n, used, w, first,
                                                    smaller(first + at_once, g.job.m), g.row(n[kRows - 1] + 1), ahead);
    }
  }
}

int64_t packed_bytes(const MatmulJob& job) { return 2 * job.m * padded(job.w.cols); }

void pack(const MatmulJob& job, void* packed, int64_t first, int64_t last) {
  const int64_t stride = padded(job.w.cols);
  for (int64_t i = first; i < last; i++) {
    uint16_t* out = (uint16_t*)packed + i * stride;
    to_bf16(job.x + (job.x_rows ? job.x_rows[i] : i) * job.x_stride, job.w.cols, out);
    for (int64_t k = job.w.cols; k < stride; k++) out[k] = 0;
  }
}

int64_t scratch_bytes(const MatmulJob& job) {
  return job.w.format == WeightFormat::kBF16 ? 0 : kRows * 2 * padded(job.w.cols);
}

void run(const MatmulSlice& s) {
  if (s.job->m > kColumns) return reuse_rows(s);
  switch (s.job->w.format) {
    case WeightFormat::kBF16:
      return stream(s, SourceBF16{});
    case WeightFormat::kF8E4M3:
      return stream_float8<0x3C>(s, kE4M3);
    case WeightFormat::kF8E5M2:
      return stream_float8<0x38>(s, kE5M2);
    default:
      return reuse_rows(s);
  }
}

}  // namespace

const MatmulKernel& dot_bf16_kernel() {
  static constexpr MatmulKernel kernel = {5.0 / 50, packed_bytes, pack, scratch_bytes, run};
  return kernel;
}

}  // namespace ingot::INGOT_ISA
