// Matrix products on AMX tiles. Rows of W are tile A as they lie in memory (16 rows of 32 columns); activations are
// packed once as tile B (16 pairs of columns by up to 16 rows of x); the result comes out as [row of W][row of x] and
// is transposed on its way to y. Weights that are not bf16 pass through a panel in the cache.
//
// Every sum runs over its steps of 32 columns in order, in a tile element of its own, whatever stands in the rows and
// columns beside it: that is why results do not depend on their company.
#pragma once
#include "ingot/ops/linear/amx_tile.h"
#include "ingot/ops/linear/bf16_panel.h"
#include "ingot/ops/linear/matmul_rows.h"

namespace ingot::INGOT_ISA {

template <class Tiles>
class AmxMatmul {
 public:
  static int64_t packed_bytes(const MatmulJob& job) { return (job.m + 15) / 16 * group_bytes(job.m, job.w.cols); }

  static void pack(const MatmulJob& job, void* packed, int64_t first, int64_t last) {
    const int width = width_of(job.m);
    for (int64_t i = first; i < last; i += 16) {
      uint8_t* out = (uint8_t*)packed + i / 16 * group_bytes(job.m, job.w.cols);
      const int count = (int)smaller(16, last - i);
      const float* x[16];
      for (int c = 0; c < count; c++) x[c] = job.x + (job.x_rows ? job.x_rows[i + c] : i + c) * job.x_stride;
      pack_group(x, count, width, job.w.cols, out);
    }
  }

  static int64_t scratch_bytes(const MatmulJob& job) {
    return kPanelBytes +
           smaller((job.m + 31) / 32 * 32, columns_at_once(job.w.cols)) * kStoreRows * (int64_t)sizeof(float);
  }

  static void run(const MatmulSlice& slice) {
    AmxMatmul a(slice);
    a.job_.m <= kFew ? a.few() : a.many();
    Tiles::release();
  }

 private:
  static constexpr int kFew = 16;
  // How far ahead in a strip of rows the next weights are asked for: measured.
  static constexpr int64_t kPrefetchBytes = 256, kDecodeAheadBytes = 2048;
  static constexpr int64_t kChunk = 512;     // columns of W in a panel
  static constexpr int64_t kStoreRows = 64;  // rows of W whose sums go to y together
  static constexpr int64_t kPanelBytes = 32 * kChunk * 2;

  static int64_t steps_of(int64_t cols) { return (cols + 31) / 32; }
  static int width_of(int64_t m) { return m <= kFew ? (int)m : 16; }
  static int64_t group_bytes(int64_t m, int64_t cols) { return steps_of(cols) * 64 * width_of(m); }
  // Rows of x that stay in the second-level cache while the weights pass by.
  static int64_t columns_at_once(int64_t cols) {
    const int64_t n = (1 << 20) / (steps_of(cols) * 64) / 32 * 32;
    return n < 32 ? 32 : smaller(n, 256);
  }

  explicit AmxMatmul(const MatmulSlice& s)
      : slice_(s),
        job_(*s.job),
        w_(s.job->w),
        steps_(steps_of(s.job->w.cols)),
        bytes_of_256_columns_(256 / block_elements(s.job->w.format) * block_bytes(s.job->w.format)),
        block_scaled_(s.job->w.scale_layout == ScaleLayout::kBlock128),
        panel_((uint16_t*)s.scratch),
        sums_((float*)((uint8_t*)s.scratch + kPanelBytes)) {}

  const uint8_t* row(int64_t n) const { return (const uint8_t*)w_.data + n * w_.row_stride; }
  int64_t bytes_before(int64_t column) const { return column * bytes_of_256_columns_ / 256; }
  float block_scale(int64_t n, int64_t block) const { return w_.scales[n / 128 * ((w_.cols + 127) / 128) + block]; }

  static void pack_group(const float* const* x, int count, int width, int64_t cols, uint8_t* out) {
    Words16 t[16] = {};
    for (int64_t k = 0; k < cols; k += 32, out += 64 * width) {
      const int64_t n = smaller(32, cols - k);
      for (int c = 0; c < count; c++) {
        uint16_t pairs[32] = {};
        to_bf16(x[c] + k, n, pairs);
        memcpy(&t[c], pairs, 64);
      }
      if (width == 1) {
        memcpy(out, &t[0], 64);
      } else if (width == 16) {
        transpose16(
            t, [&](int p, Words16 v) __attribute__((always_inline)) { memcpy(out + 64 * p, &v, 64); });
      } else {
        transpose16(
            t, [&](int p, Words16 v) __attribute__((always_inline)) { store_first(out + 4 * width * p, v, width); });
      }
    }
  }

  static __attribute__((always_inline)) void store_first(void* out, Words16 v, int words) {
#if defined(__AVX512F__)
    _mm512_mask_storeu_epi32(out, (__mmask16)((1u << words) - 1), (__m512i)v);
#else
    memcpy(out, &v, 4 * (size_t)words);
#endif
  }

  // Up to 16 activations: one tile of sums, 16 rows at a time from as many strips of the slice. The length of a strip
  // is odd, since rows of a power of two bytes an even number of rows apart fall into the same sets of the caches.
  void few() {
    TileConfig c;
    const int width = (int)job_.m;
    c.set(0, 16, 4 * width);
    c.set(4, 16, 64);
    c.set(6, 16, 4 * width);
    Tiles::configure(c);
    const bool direct = w_.format == WeightFormat::kBF16 && !block_scaled_;
    int64_t begin = slice_.begin;
    while (slice_.end - begin >= 16) {
      const int64_t fit = (slice_.end - begin) / 16, length = fit - (fit > 1 && fit % 2 == 0);
      if (direct) {
        for (int64_t q = 0; q < length; q++) few_direct(begin + q, length);
      } else {
        few_decoded(begin, length, 16);
      }
      begin += 16 * length;
    }
    if (begin < slice_.end) few_decoded(begin, 1, (int)(slice_.end - begin));
  }

  // Rows first, first + distance, ... as they lie.
  void few_direct(int64_t first, int64_t distance) {
    const uint8_t* a = row(first);
    const int64_t stride = distance * w_.row_stride, b_step = 64 * job_.m, whole = w_.cols / 32;
    const uint8_t* b = (const uint8_t*)slice_.packed;
    Tiles::template zero<0>();
    for (int64_t s = 0; s < whole; s++) {
      prefetch(a + 64 * s + kPrefetchBytes, stride);
      Tiles::template load<4>(a + 64 * s, stride);
      Tiles::template load<6>(b + b_step * s, 4 * job_.m);
      Tiles::template dot_bf16<0, 4, 6>();
    }
    if (whole < steps_) {
      decode_bf16(w_.format, {a + 64 * whole, stride, 16, w_.cols % 32, panel_, 32});
      Tiles::template load<4>(panel_, 64);
      Tiles::template load<6>(b + b_step * whole, 4 * job_.m);
      Tiles::template dot_bf16<0, 4, 6>();
    }
    Tiles::template store<0>(sums_, 4 * job_.m);
    store_few(first, distance, 16);
  }

  // The same for weights that are decoded to a panel, `groups` times 16 rows (or one group of `used` rows). While the
  // tiles multiply one panel, the vector units decode the next.
  void few_decoded(int64_t first, int64_t groups, int used) {
    Chunk now = {first, 0, smaller(few_chunk(), w_.cols)};
    uint16_t *panel = panel_, *other = panel_ + kFewPanel;
    decode_few(now, groups, 0, used, panel);
    Tiles::template zero<0>();
    while (now.row < first + groups) {
      Chunk next = {now.row, now.from + now.columns, 0};
      if (next.from == w_.cols) next = {now.row + 1, 0, 0};
      next.columns = smaller(few_chunk(), w_.cols - next.from);
      const int steps = (int)steps_of(now.columns), rows_a_step = (used + steps - 1) / steps;
      int decoded = next.row < first + groups ? 0 : used;
      for (int s = 0; s < steps; s++) {
        if (decoded < used) {
          const int to = (int)smaller(decoded + rows_a_step, used);
          decode_few(next, groups, decoded, to, other);
          decoded = to;
        }
        Tiles::template load<4>(panel + 32 * s, 2 * kFewChunk);
        Tiles::template load<6>((const uint8_t*)slice_.packed + 64 * job_.m * (now.from / 32 + s), 4 * job_.m);
        Tiles::template dot_bf16<0, 4, 6>();
      }
      finish_few(now, groups, used);
      now = next;
      uint16_t* swap = panel;
      panel = other;
      other = swap;
    }
  }

  struct Chunk {
    int64_t row, from, columns;  // of the first of the rows
  };
  static constexpr int64_t kFewChunk = 256, kFewPanel = 16 * kFewChunk;
  static_assert(2 * kFewPanel * 2 <= kPanelBytes);
  int64_t few_chunk() const { return block_scaled_ ? 128 : kFewChunk; }

  void decode_few(const Chunk& c, int64_t distance, int from_row, int to_row, uint16_t* panel) const {
    const uint8_t* source = row(c.row + from_row * distance) + bytes_before(c.from);
    decode_bf16(w_.format, {source, distance * w_.row_stride, to_row - from_row, c.columns,
                            panel + from_row * kFewChunk, kFewChunk, kDecodeAheadBytes});
  }

  // Takes the sums out of the tile at the end of a row or of a block that has its own scale.
  void finish_few(const Chunk& c, int64_t distance, int used) {
    const bool end_of_row = c.from + c.columns == w_.cols;
    if (!block_scaled_ && !end_of_row) return;
    float part[16 * kFew];
    Tiles::template store<0>(block_scaled_ ? part : sums_, 4 * job_.m);
    Tiles::template zero<0>();
    if (block_scaled_) {
      for (int r = 0; r < used; r++) {
        const float scale = block_scale(c.row + r * distance, c.from / 128);
        for (int64_t i = r * job_.m; i < (r + 1) * job_.m; i++) {
          sums_[i] = __builtin_fmaf(scale, part[i], c.from == 0 ? 0.0f : sums_[i]);
        }
      }
    }
    if (end_of_row) store_few(c.row, distance, used);
  }

  void store_few(int64_t first, int64_t distance, int used) const {
    for (int r = 0; r < used; r++) {
      const int64_t n = first + r * distance;
      const float scale = scale_of_row(w_, n);
      for (int64_t i = 0; i < job_.m; i++) job_.y[i * job_.y_stride + n] = sums_[r * job_.m + i] * scale;
    }
  }

  static __attribute__((always_inline)) void prefetch(const uint8_t* p, int64_t stride) {
    for (int r = 0; r < 16; r++) __builtin_prefetch(p + r * stride);
  }

  // 32 rows by 32 (or 16) rows of x, `steps` steps. c holds four tiles of sums. The first block of a chunk of rows asks
  // for the same columns of the 32 rows that follow.
  template <bool kTwoColumns, bool kPrefetch>
  static void tile_block(const uint8_t* a, int64_t stride, const uint8_t* b, int64_t b_group, int64_t steps, float* c,
                         bool from_zero) {
    if (from_zero) {
      Tiles::template zero<0>();
      Tiles::template zero<1>();
      if constexpr (kTwoColumns) Tiles::template zero<2>();
      if constexpr (kTwoColumns) Tiles::template zero<3>();
    } else {
      Tiles::template load<0>(c, 64);
      Tiles::template load<1>(c + 256, 64);
      if constexpr (kTwoColumns) Tiles::template load<2>(c + 512, 64);
      if constexpr (kTwoColumns) Tiles::template load<3>(c + 768, 64);
    }
    for (int64_t s = 0; s < steps; s++) {
      if constexpr (kPrefetch) {
        const uint8_t* next = a + 32 * stride + 64 * s;
        for (int r = 0; r < 32; r++, next += stride) __builtin_prefetch(next, 0, 2);
      }
      Tiles::template load<6>(b + 1024 * s, 64);
      Tiles::template load<4>(a + 64 * s, stride);
      Tiles::template dot_bf16<0, 4, 6>();
      Tiles::template load<5>(a + 16 * stride + 64 * s, stride);
      Tiles::template dot_bf16<1, 5, 6>();
      if constexpr (kTwoColumns) {
        Tiles::template load<7>(b + b_group + 1024 * s, 64);
        Tiles::template dot_bf16<2, 4, 7>();
        Tiles::template dot_bf16<3, 5, 7>();
      }
    }
    Tiles::template store<0>(c, 64);
    Tiles::template store<1>(c + 256, 64);
    if constexpr (kTwoColumns) Tiles::template store<2>(c + 512, 64);
    if constexpr (kTwoColumns) Tiles::template store<3>(c + 768, 64);
  }

  // More activations: blocks of 32 rows by 32 rows of x in four tiles. A chunk of the rows stays in the first-level
  // cache while it meets all rows of x, whose packed form stays in the second.
  void many() {
    TileConfig c;
    for (int t = 0; t < 8; t++) c.set(t, 16, 64);
    Tiles::configure(c);
    const int64_t at_once = columns_at_once(w_.cols), chunk = block_scaled_ ? 128 : kChunk;
    for (int64_t first = 0; first < job_.m; first += at_once) {
      const int64_t columns = smaller(at_once, job_.m - first);
      for (int64_t n = slice_.begin; n < slice_.end; n += kStoreRows) {
        const int64_t end = smaller(n + kStoreRows, slice_.end);
        prefetch_y(n, end, first, columns);
        float* sums = sums_;
        for (int64_t r = n; r < end; r += 32, sums += (columns + 31) / 32 * 1024) {
          for (int64_t k = 0; k < w_.cols; k += chunk) {
            rows_by_chunk(r, (int)smaller(32, end - r), k, smaller(chunk, w_.cols - k), first, columns, sums);
          }
        }
        store_many(n, end, first, columns);
      }
    }
  }

  void rows_by_chunk(int64_t n, int used, int64_t k, int64_t width, int64_t first, int64_t columns, float* sums) {
    const uint8_t* a = row(n) + bytes_before(k);
    int64_t stride = w_.row_stride;
    const bool in_place = w_.format == WeightFormat::kBF16 && used == 32 && width % 32 == 0;
    if (!in_place) {
      decode_bf16(w_.format, {a, stride, used, width, panel_, kChunk, 32 * w_.row_stride});
      a = (const uint8_t*)panel_;
      stride = 2 * kChunk;
    }
    const int64_t b_group = group_bytes(job_.m, w_.cols), steps = steps_of(width);
    alignas(64) float part[1024];
    for (int64_t i = 0; i < columns; i += 32) {
      const uint8_t* b = (const uint8_t*)slice_.packed + (first + i) / 16 * b_group + k / 32 * 1024;
      float* c = sums + i * 32;
      const bool two = columns - i > 16;
      float* to = block_scaled_ && k > 0 ? part : c;
      const bool from_zero = block_scaled_ || k == 0;
      if (in_place && i == 0) {
        two ? tile_block<true, true>(a, stride, b, b_group, steps, to, from_zero)
            : tile_block<false, true>(a, stride, b, b_group, steps, to, from_zero);
      } else {
        two ? tile_block<true, false>(a, stride, b, b_group, steps, to, from_zero)
            : tile_block<false, false>(a, stride, b, b_group, steps, to, from_zero);
      }
      if (!block_scaled_) continue;
      // 32 rows from a multiple of 32 share their scale.
      const float scale = block_scale(n, k / 128);
      const int floats = two ? 1024 : 512;
      if (k == 0) {
        for (int j = 0; j < floats; j++) c[j] *= scale;
      } else {
        for (int j = 0; j < floats; j++) c[j] += scale * part[j];
      }
    }
  }

  // Rows [n, end) of all columns from sums_ to y: neighbours in y are written one after another.
  void store_many(int64_t n, int64_t end, int64_t first, int64_t columns) const {
    alignas(64) float scales[kStoreRows];
    for (int64_t r = n; r < end; r++) scales[r - n] = scale_of_row(w_, r);
    const int64_t block = (columns + 31) / 32 * 1024;  // floats of 32 rows
    for (int64_t i = 0; i < columns; i += 16) {
      const int count = (int)smaller(16, columns - i);
      for (int64_t r = n; r < end; r += 16) {
        Words16 t[16], scale;
        memcpy(t, sums_ + (r - n) / 32 * block + i / 32 * 1024 + i % 32 / 16 * 512 + (r - n) % 32 * 16, sizeof t);
        memcpy(&scale, scales + (r - n), sizeof scale);
        float* y = job_.y + (first + i) * job_.y_stride + r;
        const int rows = (int)smaller(16, end - r);
        transpose16(
            t, [&](int j, Words16 v) __attribute__((always_inline)) {
              if (j >= count) return;
              Words16 scaled = (Words16)((Floats16)v * (Floats16)scale);
              if (rows == 16) {
                memcpy(y + j * job_.y_stride, &scaled, 64);
              } else {
                store_first(y + j * job_.y_stride, scaled, rows);
              }
            });
      }
    }
  }
  typedef float Floats16 __attribute__((vector_size(64)));

  // The lines of y that store_many will write; asked for before the products, so that they are there after them.
  void prefetch_y(int64_t n, int64_t end, int64_t first, int64_t columns) const {
    for (int64_t i = 0; i < columns; i++) {
      const float* y = job_.y + (first + i) * job_.y_stride;
      for (int64_t r = n; r < end; r += 16) __builtin_prefetch(y + r, 1, 2);
    }
  }

  const MatmulSlice& slice_;
  const MatmulJob& job_;
  const WeightRows& w_;
  const int64_t steps_;
  const int64_t bytes_of_256_columns_;
  const bool block_scaled_;
  uint16_t* const panel_;  // 16 or 32 rows of decoded columns
  float* const sums_;      // the tiles of sums
};

}  // namespace ingot::INGOT_ISA
