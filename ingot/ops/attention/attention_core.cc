#include "ingot/ops/attention/attention_core.h"

#include <algorithm>
#include <atomic>
#include <limits>

#include "ingot/device/cpu/memory.h"

namespace ingot {

namespace {

// Keys are taken in chunks at fixed places. Each chunk's state starts afresh and chunks are combined in order, so that
// it makes no difference whether one thread walks them all or many share them.
constexpr int64_t kChunk = 512;
constexpr int64_t kTileRows = 96;
constexpr float kNone = -std::numeric_limits<float>::infinity();

struct FreeCpu {
  void operator()(float* p) const { cpu_free(p); }
};
using Floats = std::unique_ptr<float, FreeCpu>;
Floats allocate_floats(int64_t n) { return Floats(static_cast<float*>(cpu_allocate(size_t(n) * sizeof(float)))); }

class Walk {
 public:
  explicit Walk(const AttentionWork& work)
      : w_(work), kernels_(attention_table()), dv_padded_((work.dv + 15) / 16 * 16) {
    rows_ = w_.queries * w_.heads;
    chunks_ = (w_.keys + kChunk - 1) / kChunk;
    double fma = double(w_.groups) * double(rows_) * double(w_.keys) * double(w_.dk + w_.dv) * (w_.causal ? 0.7 : 1.0);
    threads_ = int(std::clamp<double>(fma / 131072, 1, num_threads()));
    // A few tiles a thread, so that they end together; small tiles when rows are few.
    int64_t share = (rows_ * w_.groups + threads_ * 3 - 1) / (threads_ * 3);
    share = (share + kRowBlock - 1) / kRowBlock * kRowBlock;
    tile_rows_ = threads_ == 1 ? kTileRows : std::clamp<int64_t>(share, 2 * kRowBlock, kTileRows);
    tiles_ = (rows_ + tile_rows_ - 1) / tile_rows_;
  }

  void run() {
    int64_t units = tiles_ * w_.groups;
    if (threads_ > 1 && chunks_ > 1 && units < 2 * threads_) return run_split(units);
    share_out(units, [&](int64_t u, float* scratch) { whole_unit(tile_of(u), scratch); });
  }

 private:
  struct Tile {
    int64_t group, row;
    int rows;
  };
  struct Scratch {
    float *k, *v, *q, *bias;
    AttentionState part, total;
  };

  // Unit u; late rows, which see the most keys, come first.
  Tile tile_of(int64_t u) const {
    int64_t row = (tiles_ - 1 - u / w_.groups) * tile_rows_;
    return {u % w_.groups, row, int(std::min(tile_rows_, rows_ - row))};
  }

  int64_t state_floats(int64_t rows) const { return rows * (dv_padded_ + 2); }
  AttentionState state_at(float* p, int64_t rows) const {
    return {p + rows * dv_padded_, p + rows * (dv_padded_ + 1), p};
  }
  int64_t scratch_floats() const {
    int64_t rows = std::min(tile_rows_, rows_);
    return int64_t(w_.dk) * kKeyBlock + int64_t(dv_padded_) * kKeyBlock + rows * w_.dk +
           (w_.masked ? rows * kKeyBlock : 0) + 2 * state_floats(rows) + 64;
  }
  Scratch carve(float* p, int rows) const {
    Scratch s{};
    auto take = [&](int64_t n) {
      float* at = p;
      p += n;
      return at;
    };
    s.k = take(int64_t(w_.dk) * kKeyBlock);
    s.v = take(int64_t(dv_padded_) * kKeyBlock);
    s.part = state_at(take(state_floats(rows)), rows);
    s.total = state_at(take(state_floats(rows)), rows);
    s.bias = take(w_.masked ? int64_t(rows) * kKeyBlock : 0);
    s.q = take(0);
    return s;
  }

  void clear(const AttentionState& s, int rows) const {
    std::fill(s.m, s.m + rows, kNone);
    std::fill(s.l, s.l + rows, 0.0f);
    std::fill(s.o, s.o + int64_t(rows) * dv_padded_, 0.0f);
  }

  // Keys that a row of the tile sees; rows see ever more.
  int64_t limit(int64_t row) const {
    return w_.causal ? std::clamp<int64_t>(w_.first_limit + row / w_.heads, 0, w_.keys) : w_.keys;
  }

  void one_chunk(const Tile& tile, int64_t chunk, const Scratch& s, const AttentionState& state) const {
    clear(state, tile.rows);
    int64_t end = std::min(limit(tile.row + tile.rows - 1), (chunk + 1) * kChunk);
    const void *k[kKeyBlock], *v[kKeyBlock];
    int visible[kTileRows];
    for (int64_t key = chunk * kChunk; key < end; key += kKeyBlock) {
      int n = int(std::min<int64_t>(kKeyBlock, end - key));
      for (int r = 0; r < tile.rows; r++) visible[r] = int(std::clamp<int64_t>(limit(tile.row + r) - key, 0, n));
      w_.key_rows(tile.group, key, n, k, v);
      if (w_.masked) w_.load_bias(tile.group, tile.row, tile.rows, key, n, s.bias);
      kernels_.block[w_.type](
          {k, v, n, s.q, tile.rows, visible, w_.masked ? s.bias : nullptr, w_.dk, w_.dv, dv_padded_, s.k, s.v, state});
    }
  }

  void finish(const Tile& tile, const AttentionState& total) const {
    kernels_.finish(total, tile.rows, dv_padded_);
    w_.store(tile.group, tile.row, tile.rows, total.o, dv_padded_);
  }

  void whole_unit(const Tile& tile, float* scratch) const {
    Scratch s = carve(scratch, tile.rows);
    w_.load_queries(tile.group, tile.row, tile.rows, s.q);
    clear(s.total, tile.rows);
    int64_t end = limit(tile.row + tile.rows - 1);
    for (int64_t chunk = 0; chunk * kChunk < end; chunk++) {
      one_chunk(tile, chunk, s, s.part);
      kernels_.combine(s.part, s.total, tile.rows, dv_padded_);
    }
    finish(tile, s.total);
  }

  // Few rows over many keys: a task is one chunk of one unit; the states are kept and combined afterwards.
  void run_split(int64_t units) {
    int64_t pitch = state_floats(std::min(tile_rows_, rows_));
    Floats parts = allocate_floats(units * chunks_ * pitch);
    share_out(units * chunks_, [&](int64_t task, float* scratch) {
      Tile tile = tile_of(task / chunks_);
      Scratch s = carve(scratch, tile.rows);
      w_.load_queries(tile.group, tile.row, tile.rows, s.q);
      one_chunk(tile, task % chunks_, s, state_at(parts.get() + task * pitch, tile.rows));
    });
    share_out(units, [&](int64_t u, float* scratch) {
      Tile tile = tile_of(u);
      Scratch s = carve(scratch, tile.rows);
      clear(s.total, tile.rows);
      for (int64_t chunk = 0; chunk < chunks_; chunk++)
        kernels_.combine(state_at(parts.get() + (u * chunks_ + chunk) * pitch, tile.rows), s.total, tile.rows,
                         dv_padded_);
      finish(tile, s.total);
    });
  }

  // Runs task(i, scratch) for i in [0, n), each by whichever thread is free.
  template <class F>
  void share_out(int64_t n, F&& task) const {
    std::atomic<int64_t> next{0};
    parallel_region(int(std::min<int64_t>(threads_, n)), [&](int) {
      Floats scratch = allocate_floats(scratch_floats());
      for (int64_t i; (i = next.fetch_add(1, std::memory_order_relaxed)) < n;) task(i, scratch.get());
    });
  }

  const AttentionWork& w_;
  const AttentionKernels& kernels_;
  int dv_padded_;
  int64_t rows_ = 0, chunks_ = 0, tile_rows_ = 0, tiles_ = 0;
  int threads_ = 1;
};

}  // namespace

void run_attention(const AttentionWork& work) {
  if (work.groups == 0 || work.queries == 0 || work.heads == 0) return;
  Walk(work).run();
}

}  // namespace ingot
