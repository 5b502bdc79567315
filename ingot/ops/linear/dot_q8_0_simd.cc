// Q8_0 times up to 16 activations in whole numbers: each block of 32 activations becomes 16-bit numbers under a scale
// of its own, so that a block costs one multiply-add of 16-bit numbers and one of floats instead of a conversion of
// every code. Each pair of rows adds its blocks in order, whatever rows stand beside it.
#include "ingot/ops/linear/matmul_kernels.h"

#if defined(__AVX2__)
#include "ingot/ops/linear/matmul_rows.h"
#include "ingot/ops/linear/weight_vectors.h"

namespace ingot::INGOT_ISA {

namespace {

constexpr int kBlock = 32, kBlockBytes = sizeof(BlockQ8_0), kColumns = 4;

// A packed row of x: 32 numbers of 16 bits for each block, then the blocks' scales.
INGOT_INLINE int64_t numbers_bytes(int64_t cols) { return 2 * cols; }
INGOT_INLINE int64_t packed_row_bytes(int64_t cols) { return (numbers_bytes(cols) + cols / kBlock * 4 + 63) / 64 * 64; }

struct PackedRow {
  const int16_t* numbers;
  const float* scales;
};

// sums of products of 32 codes and 32 numbers, as floats: exact.
#if defined(__AVX512F__)
struct Codes {
  __m512i v;
  __attribute__((always_inline)) explicit Codes(const uint8_t* p)
      : v(_mm512_cvtepi8_epi16(_mm256_loadu_si256((const __m256i*)p))) {}
  __attribute__((always_inline)) vf times(const int16_t* x) const {
    return (vf)_mm512_cvtepi32_ps(_mm512_madd_epi16(v, _mm512_loadu_si512(x)));
  }
};
#else
struct Codes {
  __m256i low, high;
  __attribute__((always_inline)) explicit Codes(const uint8_t* p)
      : low(_mm256_cvtepi8_epi16(_mm_loadu_si128((const __m128i*)p))),
        high(_mm256_cvtepi8_epi16(_mm_loadu_si128((const __m128i*)(p + 16)))) {}
  __attribute__((always_inline)) vf times(const int16_t* x) const {
    const __m256i a = _mm256_madd_epi16(low, _mm256_loadu_si256((const __m256i*)x));
    const __m256i b = _mm256_madd_epi16(high, _mm256_loadu_si256((const __m256i*)(x + 16)));
    return (vf)_mm256_cvtepi32_ps(_mm256_add_epi32(a, b));
  }
};
#endif

// out[r * C + c] = row r of W times row c of x.
template <int R, int C, bool kPrefetch>
__attribute__((noinline)) void products(const uint8_t* const (&w)[R], const PackedRow (&x)[C], int64_t cols,
                                        float* out) {
  vf sum[R][C];
#pragma GCC unroll 32
  for (int i = 0; i < R * C; i++) sum[i / C][i % C] = splat(0.0f);
  for (int64_t b = 0; b < cols / kBlock; b++) {
    // The scales go through memory, from where a multiply-add takes them without a use of the busy shuffle port.
    float scale[R][C];
#pragma GCC unroll 8
    for (int r = 0; r < R; r++) {
      const uint8_t* p = w[r] + b * kBlockBytes;
      if constexpr (kPrefetch) __builtin_prefetch(p + kMatmulPrefetchBytes);
      const float s = _mm_cvtss_f32(half_at(p));
#pragma GCC unroll 4
      for (int c = 0; c < C; c++) scale[r][c] = s * x[c].scales[b];
    }
    asm("" : "+m"(scale));
#pragma GCC unroll 8
    for (int r = 0; r < R; r++) {
      const Codes codes(w[r] + b * kBlockBytes + 2);
#pragma GCC unroll 4
      for (int c = 0; c < C; c++) {
        sum[r][c] = multiply_add(codes.times(x[c].numbers + b * kBlock), splat(scale[r][c]), sum[r][c]);
      }
    }
  }
#pragma GCC unroll 32
  for (int i = 0; i < R * C; i++) out[i] = sum_lanes(sum[i / C][i % C]);
}

struct Rows {
  const MatmulJob& job;
  const WeightRows& w;
  const uint8_t* packed;
  int64_t stride;

  explicit Rows(const MatmulSlice& s)
      : job(*s.job), w(s.job->w), packed((const uint8_t*)s.packed), stride(packed_row_bytes(s.job->w.cols)) {}
  PackedRow x(int64_t i) const {
    const uint8_t* p = packed + i * stride;
    return {(const int16_t*)p, (const float*)(p + numbers_bytes(w.cols))};
  }
};

// Rows n[0], ... of W, of which `used` count, by all rows of x.
template <int R, int C, bool kPrefetch>
INGOT_INLINE void row_group(const Rows& g, const int64_t (&n)[R], int used) {
  const uint8_t* w[R];
  for (int r = 0; r < R; r++) w[r] = (const uint8_t*)g.w.data + n[r] * g.w.row_stride;
  for (int64_t i = 0; i < g.job.m; i += C) {
    PackedRow x[C];
    for (int c = 0; c < C; c++) x[c] = g.x(smaller(i + c, g.job.m - 1));
    float out[R * C];
    products<R, C, kPrefetch>(w, x, g.w.cols, out);
    for (int r = 0; r < used; r++) {
      const float scale = scale_of_row(g.w, n[r]);
      for (int c = 0; c < C && i + c < g.job.m; c++) {
        g.job.y[(i + c) * g.job.y_stride + n[r]] = out[r * C + c] * scale;
      }
    }
  }
}

template <int R, int C, bool kPrefetch>
void strips(const MatmulSlice& s) {
  const Rows g(s);
  for_far_rows<R>(s, [&](const int64_t(&n)[R], int used) { row_group<R, C, kPrefetch>(g, n, used); });
}

void run(const MatmulSlice& s) {
  if (s.job->m > 1) return s.far_strips == 8 ? strips<4, kColumns, true>(s) : strips<4, kColumns, false>(s);
  s.far_strips == 8 ? strips<8, 1, true>(s) : strips<4, 1, false>(s);
}

int64_t packed_bytes(const MatmulJob& job) { return job.m * packed_row_bytes(job.w.cols); }
int64_t scratch_bytes(const MatmulJob&) { return 0; }

// The largest magnitude becomes 32767. A block with an infinity keeps its infinities alone; NaN fills its block.
void pack_block(const float* x, int16_t* numbers, float* scale) {
  float largest = 0;
  bool nan = false;
  for (int i = 0; i < kBlock; i++) {
    const float magnitude = __builtin_fabsf(x[i]);
    largest = magnitude > largest ? magnitude : largest;
    nan |= magnitude != magnitude;
  }
  const float per_unit = 32767.0f / largest;
  if (nan || largest > 3.4028234e38f || !(per_unit < 3.4028234e38f)) {
    *scale = nan ? __builtin_nanf("") : largest > 3.4028234e38f ? largest : 0.0f;
    for (int i = 0; i < kBlock; i++) {
      numbers[i] = (int16_t)(x[i] > 3.4028234e38f ? 1 : x[i] < -3.4028234e38f ? -1 : 0);
    }
    return;
  }
  *scale = largest / 32767.0f;
  // Adding and taking away 3 * 2^22 rounds to the nearest whole number; fused on purpose, so that it always is.
  for (int i = 0; i < kBlock; i++) {
    numbers[i] = (int16_t)(__builtin_fmaf(x[i], per_unit, 0x1.8p23f) - 0x1.8p23f);
  }
}

void pack(const MatmulJob& job, void* packed, int64_t first, int64_t last) {
  for (int64_t i = first; i < last; i++) {
    uint8_t* out = (uint8_t*)packed + i * packed_row_bytes(job.w.cols);
    const float* x = job.x + (job.x_rows ? job.x_rows[i] : i) * job.x_stride;
    float* scales = (float*)(out + numbers_bytes(job.w.cols));
    for (int64_t k = 0; k < job.w.cols; k += kBlock) pack_block(x + k, (int16_t*)out + k, scales + k / kBlock);
  }
}

}  // namespace

const MatmulKernel& dot_q8_0_kernel() {
  static constexpr MatmulKernel kernel = {5.0 / (4 * kLanes), packed_bytes, pack, scratch_bytes, run};
  return kernel;
}

}  // namespace ingot::INGOT_ISA
#endif
