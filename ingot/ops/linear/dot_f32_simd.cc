// Weights times f32 activations: R rows of W by C rows of x, both read along K, a vector accumulator for each pair.
// Each pair adds its products in the same order whatever R and C are, so a result never depends on its neighbours.
#include "ingot/ops/linear/matmul_rows.h"
#include "ingot/ops/linear/weight_vectors.h"

namespace ingot::INGOT_ISA {

namespace {

#if defined(__AVX512F__) || defined(__aarch64__)
constexpr int kColumns = 4;  // 32 registers hold 16 accumulators
#else
constexpr int kColumns = 2;
#endif
constexpr int kRows = 4;
// Eight strips with a prefetch serve Intel's cores; the smallest vectors do not keep up with memory in any case.
constexpr bool kMayPrefetch = kLanes >= 8;

INGOT_INLINE int64_t padded(int64_t cols) { return (cols + 15) / 16 * 16; }
INGOT_INLINE const float* x_row(const MatmulJob& job, int64_t i) {
  return job.x + (job.x_rows ? job.x_rows[i] : i) * job.x_stride;
}
INGOT_INLINE bool aligned(const void* p, int64_t stride) { return (uintptr_t)p % 64 == 0 && stride % 64 == 0; }

// R rows of bytes and C of floats.
template <int R, int C>
struct Operands {
  const uint8_t* w[R];
  const float* x[C];
};

// The four sums of lanes, added in the order of sum_lanes.
INGOT_INLINE void sum_lanes4(const vf* v, float* out) {
#if defined(__AVX512F__)
  auto halves = [](vf a, vf b) __attribute__((always_inline)) {
    return __builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23) +
           __builtin_shufflevector(a, b, 8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31);
  };
  vf ab = halves(v[0], v[1]), cd = halves(v[2], v[3]);
  vf q = __builtin_shufflevector(ab, cd, 0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27) +
         __builtin_shufflevector(ab, cd, 4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31);
  q += __builtin_shufflevector(q, q, 2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13);
  q += __builtin_shufflevector(q, q, 1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14);
  for (int i = 0; i < 4; i++) out[i] = q[4 * i];
#else
  for (int i = 0; i < 4; i++) out[i] = sum_lanes(v[i]);
#endif
}

struct Scaling {
  const float* block[8];  // for each row its scales of 128 columns each, or all null
};

template <class Format, int R, int C, bool kPrefetch>
INGOT_INLINE void add_products(const Operands<R, C>& o, int64_t from, int64_t to, vf (&acc)[R][C]) {
  int64_t k = from, at = from / Format::kElements * Format::kBytes;
  for (; k + Format::kElements <= to; k += Format::kElements, at += Format::kBytes) {
#pragma GCC unroll 8
    for (int r = 0; r < R; r++) {
      const uint8_t* w = o.w[r] + at;
      if constexpr (kPrefetch) {
#pragma GCC unroll 4
        for (int line = 0; line < Format::kBytes; line += 64) __builtin_prefetch(w + kMatmulPrefetchBytes + line);
      }
      Format::block(
          w, [&](int i, vf v) __attribute__((always_inline)) {
#pragma GCC unroll 4
            for (int c = 0; c < C; c++) acc[r][c] = multiply_add(v, load(o.x[c] + k + i), acc[r][c]);
          });
    }
  }
  if constexpr (Format::kSize > 0) {
    if (k < to) {  // both sides padded with zeros
      const size_t left = (size_t)(to - k);
      float x[C][kLanes] = {};
      for (int c = 0; c < C; c++) memcpy(x[c], o.x[c] + k, left * sizeof(float));
      for (int r = 0; r < R; r++) {
        uint8_t padded[Format::kBytes] = {};
        memcpy(padded, o.w[r] + at, left * Format::kSize);
        Format::block(
            padded, [&](int i, vf v) __attribute__((always_inline)) {
              for (int c = 0; c < C; c++) acc[r][c] = multiply_add(v, load(x[c]), acc[r][c]);
            });
      }
    }
  }
}

// out[r * C + c] = row r of W times row c of x, without scales of rows.
template <class Format, int R, int C, bool kPrefetch>
__attribute__((noinline)) void products(const Operands<R, C>& o, int64_t cols, const Scaling& scaling, float* out) {
  vf sum[R][C], part[R][C];
  const bool scaled = scaling.block[0];
  const int64_t segment = scaled ? 128 : cols;
  for (int64_t from = 0, b = 0; from < cols; from += segment, b++) {
    for (int r = 0; r < R; r++)
      for (int c = 0; c < C; c++) part[r][c] = splat(0.0f);
    add_products<Format, R, C, kPrefetch>(o, from, smaller(from + segment, cols), part);
    for (int r = 0; r < R; r++) {
      for (int c = 0; c < C; c++) {
        if (scaled) {
          sum[r][c] = multiply_add(part[r][c], splat(scaling.block[r][b]), from == 0 ? splat(0.0f) : sum[r][c]);
        } else {
          sum[r][c] = part[r][c];
        }
      }
    }
  }
  static_assert(R * C % 4 == 0);
  const vf* flat = &sum[0][0];
  for (int i = 0; i < R * C; i += 4) sum_lanes4(flat + i, out + i);
}

// One slice with what its loops need at hand.
struct Rows {
  const MatmulJob& job;
  const WeightRows& w;
  const float* packed;

  explicit Rows(const MatmulSlice& s) : job(*s.job), w(s.job->w), packed((const float*)s.packed) {}
  const uint8_t* row(int64_t n) const { return (const uint8_t*)w.data + n * w.row_stride; }
  const float* x(int64_t i) const { return packed ? packed + i * padded(w.cols) : x_row(job, i); }
};

// R rows (the last ones repeated where fewer are left) by columns [first, first + count), C at a time.
template <class Format, int R, int C, bool kPrefetch>
INGOT_INLINE void row_group(const Rows& g, const int64_t (&n)[R], int used, const uint8_t* const (&w)[R], int64_t first,
                            int64_t last) {
  Operands<R, C> o;
  Scaling scaling;
  for (int r = 0; r < R; r++) {
    o.w[r] = w[r];
    scaling.block[r] = block_scales_of_row(g.w, n[r]);
  }
  for (int64_t i = first; i < last; i += C) {
    for (int c = 0; c < C; c++) o.x[c] = g.x(smaller(i + c, last - 1));
    float out[R * C];
    products<Format, R, C, kPrefetch>(o, g.w.cols, scaling, out);
    for (int r = 0; r < used; r++) {
      const float scale = scale_of_row(g.w, n[r]);
      for (int c = 0; c < C && i + c < last; c++) g.job.y[(i + c) * g.job.y_stride + n[r]] = out[r * C + c] * scale;
    }
  }
}

// Few activations, weights from memory.
template <class Format, int R, int C, bool kPrefetch>
void stream_strips(const MatmulSlice& s) {
  const Rows g(s);
  for_far_rows<R>(s, [&](const int64_t(&n)[R], int used) {
    const uint8_t* w[R];
    for (int r = 0; r < R; r++) w[r] = g.row(n[r]);
    row_group<Format, R, C, kPrefetch>(g, n, used, w, 0, g.job.m);
  });
}

// Rows of x that stay in the second-level cache while the weights pass by.
int64_t columns_at_once(int64_t cols) {
  int64_t n = (1 << 20) / (int64_t)sizeof(float) / (cols + 1) / kColumns * kColumns;
  return n < kColumns ? kColumns : n;
}

// Vectors that straddle cache lines cost half the speed where the operands come from the cache.
bool weights_in_place(const MatmulJob& job) {
  return job.w.format == WeightFormat::kF32 && (job.m <= 8 || aligned(job.w.data, job.w.row_stride));
}

// More activations: a few rows are decoded to floats once and meet all rows of x.
void reuse_rows(const MatmulSlice& s) {
  const Rows g(s);
  const bool in_place = weights_in_place(g.job);
  const int64_t stride = padded(g.w.cols), at_once = columns_at_once(g.w.cols);
  float* decoded = (float*)s.scratch;
  for (int64_t first = 0; first < g.job.m; first += at_once) {
    for (int64_t row = s.begin; row < s.end; row += kRows) {
      const int used = (int)smaller(kRows, s.end - row);
      int64_t n[kRows];
      const uint8_t* w[kRows];
      for (int r = 0; r < kRows; r++) {
        n[r] = smaller(row + r, s.end - 1);
        w[r] = in_place || r >= used ? g.row(n[r]) : (const uint8_t*)(decoded + r * stride);
        if (in_place || r >= used) continue;
        const uint8_t* source = g.row(n[r]);
        float* out = decoded + r * stride;
        bool direct =
            visit_direct_format(g.w.format, [&](auto format) { decode_row<decltype(format)>(source, out, g.w.cols); });
        if (!direct) dequantize_row(g.w.format, source, out, g.w.cols);
      }
      for (int r = used; r < kRows; r++) w[r] = w[used - 1];
      row_group<PlainF32, kRows, kColumns, false>(g, n, used, w, first, smaller(first + at_once, g.job.m));
    }
  }
}

bool streams(const MatmulJob& job) {
  return job.m <= 4 && visit_direct_format(job.w.format, [](auto) {});
}

int64_t scratch_bytes(const MatmulJob& job) {
  if (streams(job) || weights_in_place(job)) return 0;
  return kRows * (int64_t)sizeof(float) * padded(job.w.cols);
}

void run(const MatmulSlice& s) {
  if (!streams(*s.job)) return reuse_rows(s);
  visit_direct_format(s.job->w.format, [&](auto format) {
    using Format = decltype(format);
    if constexpr (kMayPrefetch) {
      if (s.far_strips == 8) {
        return s.job->m > 1 ? stream_strips<Format, 4, kColumns, true>(s) : stream_strips<Format, 8, 1, true>(s);
      }
    }
    s.job->m > 1 ? stream_strips<Format, 4, kColumns, false>(s) : stream_strips<Format, 4, 1, false>(s);
  });
}

// Activations stay where they are unless they are many and straddle cache lines.
int64_t packed_bytes(const MatmulJob& job) {
  if (job.m <= 8 || aligned(job.x, job.x_stride * (int64_t)sizeof(float))) return 0;
  return job.m * padded(job.w.cols) * (int64_t)sizeof(float);
}
void pack(const MatmulJob& job, void* packed, int64_t first, int64_t last) {
  for (int64_t i = first; i < last; i++) {
    memcpy((float*)packed + i * padded(job.w.cols), x_row(job, i), (size_t)job.w.cols * sizeof(float));
  }
}

}  // namespace

const MatmulKernel& dot_f32_kernel() {
  // A multiply-add takes 1 / (2 kLanes) cycles; memory gives about 5 bytes a cycle and core.
  static constexpr MatmulKernel kernel = {5.0 / (2 * kLanes), packed_bytes, pack, scratch_bytes, run};
  return kernel;
}

}  // namespace ingot::INGOT_ISA
