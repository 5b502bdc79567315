#include "ingot/ops/linear/weight_matmul.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "ingot/base/error.h"
#include "ingot/device/cpu/memory.h"
#include "ingot/device/cpu/thread_pool.h"
#include "ingot/ops/linear/matmul_kernels.h"

namespace ingot {

namespace {

constexpr const char* kWhere = "weight_matmul";

void check_size(int64_t value, const char* what) {
  if (value < 0) fail_argument(kWhere, what, "a number >= 0", cat(value));
}
void check_pointer(const void* p, const char* what) {
  if (!p) fail_argument(kWhere, what, "a pointer", "null");
}
// (count - 1) * stride + length units of `size` bytes fit an int64.
void check_span(int64_t count, int64_t stride, int64_t length, int64_t size, const char* what) {
  int64_t bytes;
  if (__builtin_mul_overflow(count, stride, &bytes) || __builtin_add_overflow(bytes, length, &bytes) ||
      __builtin_mul_overflow(bytes, size, &bytes)) {
    fail_argument(kWhere, what, "less than 2^63 bytes", cat(count, " rows of stride ", stride));
  }
}

// Whether there is something to do.
bool check(const MatmulJob& job) {
  const WeightRows& w = job.w;
  check_size(job.m, "m");
  check_size(w.rows, "rows");
  check_size(w.cols, "cols");
  int64_t bytes = row_bytes(w.format, w.cols);
  if (job.m == 0 || w.rows == 0) return false;
  check_pointer(job.y, "y");
  if (job.m > 1 && job.y_stride < w.rows) fail_argument(kWhere, "y_stride", cat(">= ", w.rows), cat(job.y_stride));
  check_span(job.m, job.m > 1 ? job.y_stride : 0, w.rows, sizeof(float), "y");
  if (w.cols == 0) return true;
  check_pointer(w.data, "weight");
  check_pointer(job.x, "x");
  if (w.rows > 1 && w.row_stride < bytes) fail_argument(kWhere, "row_stride", cat(">= ", bytes), cat(w.row_stride));
  check_span(w.rows, w.rows > 1 ? w.row_stride : 0, bytes, 1, "weight");
  if (w.scale_layout != ScaleLayout::kNone) check_pointer(w.scales, "scales");
  if (w.scale_layout == ScaleLayout::kBlock128 && !is_plain(w.format))
    fail_argument(kWhere, "scale_layout", "a plain format under scales of 128x128 blocks", name(w.format));
  int64_t last_row = job.m - 1;
  if (job.x_rows) {
    for (int64_t i = 0; i < job.m; i++) {
      if (job.x_rows[i] < 0) fail_argument(kWhere, "x_rows", "no negative row", cat(job.x_rows[i]));
      last_row = i == 0 ? job.x_rows[0] : std::max<int64_t>(last_row, job.x_rows[i]);
    }
  }
  if (last_row > 0 && job.x_stride < 0) fail_argument(kWhere, "x_stride", "a number >= 0", cat(job.x_stride));
  // The packed form takes up to 64 more columns and 32 more rows.
  check_span(last_row + 32, last_row > 0 ? job.x_stride : 0, w.cols, sizeof(float), "x");
  check_span(job.m + 32, w.cols + 64, 0, sizeof(float), "x");
  return true;
}

// Measured on weights in DRAM: Intel's cores (Sapphire Rapids) reach their ceiling with 8 rows that lie far apart and a
// prefetch 1 KiB ahead, and little more than half of it one row at a time; AMD's (Zen 4) with 4 far rows, where a
// software prefetch costs a quarter.
int far_strips() {
  static const int strips = [] {
    const char* wish = std::getenv("INGOT_MATMUL_STRIPS");
    bool eight = wish && *wish ? std::atoi(wish) >= 8 : !cpu_info().amd;
    return eight ? 8 : 4;
  }();
  return strips;
}

// In bytes read from memory, or what takes as long. Less than a few microseconds of reading is not worth waking another
// thread; below a few more, the start of a piece's streams shows.
constexpr double kWorthAThread = 32 << 10, kSmallestPiece = 32 << 10;

struct Planned {
  const MatmulJob* job;
  const MatmulKernel* kernel;
  int64_t packed = -1;  // offset of the packed activations, -1: none
  bool packs = false;   // false where an earlier job packs the same activations
  int64_t units;
  double unit_cost;
};

bool same_activations(const Planned& a, const Planned& b) {
  return a.kernel == b.kernel && a.job->x == b.job->x && a.job->x_stride == b.job->x_stride &&
         a.job->x_rows == b.job->x_rows && a.job->m == b.job->m && a.job->w.cols == b.job->w.cols;
}

struct Plan {
  std::vector<Planned> jobs;
  int64_t packed_bytes = 0, packed_elements = 0, scratch_bytes = 0;
  double cost = 0;
};

int64_t round_up(int64_t n, int64_t unit) { return (n + unit - 1) / unit * unit; }

Plan make_plan(Isa isa, std::span<const MatmulJob> jobs) {
  Plan plan;
  plan.jobs.reserve(jobs.size());
  for (const MatmulJob& job : jobs) {
    if (!check(job)) continue;
    if (job.w.cols == 0) {
      for (int64_t i = 0; i < job.m; i++) std::fill_n(job.y + i * job.y_stride, job.w.rows, 0.0f);
      continue;
    }
    Planned p;
    p.job = &job;
    p.kernel = &matmul_kernel(isa, job);
    p.units = (job.w.rows + kMatmulRowUnit - 1) / kMatmulRowUnit;
    p.unit_cost = kMatmulRowUnit * (static_cast<double>(row_bytes(job.w.format, job.w.cols)) +
                                    p.kernel->cost * static_cast<double>(job.m) * static_cast<double>(job.w.cols));
    plan.cost += p.unit_cost * static_cast<double>(p.units);
    if (int64_t bytes = p.kernel->packed_bytes(job); bytes > 0) {
      // Jobs with the same activations stand next to each other: the projections of one layer, gates and ups.
      size_t look_back = std::min<size_t>(plan.jobs.size(), 8);
      for (size_t i = 1; i <= look_back && p.packed < 0; i++) {
        const Planned& before = plan.jobs[plan.jobs.size() - i];
        if (same_activations(before, p)) p.packed = before.packed;
      }
      if (p.packed < 0) {
        p.packed = plan.packed_bytes;
        p.packs = true;
        plan.packed_bytes += round_up(bytes, 64);
        plan.packed_elements += job.m * job.w.cols;
      }
    }
    plan.scratch_bytes = std::max(plan.scratch_bytes, round_up(p.kernel->scratch_bytes(job), 64) + 64);
    plan.jobs.push_back(p);
  }
  return plan;
}

struct Buffer {
  explicit Buffer(int64_t bytes) : data(static_cast<std::byte*>(cpu_allocate(static_cast<size_t>(bytes)))) {}
  ~Buffer() { cpu_free(data); }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  std::byte* data;
};

void pack_activations(const Plan& plan, std::byte* packed) {
  constexpr int64_t kWorthARegion = 1 << 16;
  for (const Planned& p : plan.jobs) {
    if (!p.packs) continue;
    int64_t groups = (p.job->m + kMatmulPackUnit - 1) / kMatmulPackUnit;
    auto pack = [&](int64_t begin, int64_t end) {
      p.kernel->pack(*p.job, packed + p.packed, begin * kMatmulPackUnit, std::min(end * kMatmulPackUnit, p.job->m));
    };
    if (p.job->m * p.job->w.cols >= kWorthARegion) {
      parallel_for(groups, 1, pack);
    } else {
      pack(0, groups);
    }
  }
}

// The work in pieces, in the order in which they are begun: units of one job each, large at first and ever smaller, so
// that threads which do not get the same share of the memory bus still end together.
struct Piece {
  const Planned* job;
  int64_t begin, end;  // units
};

std::vector<Piece> cut(const Plan& plan, int threads) {
  std::vector<Piece> pieces;
  double left = plan.cost;
  for (const Planned& p : plan.jobs) {
    for (int64_t begin = 0; begin < p.units;) {
      double wanted = threads == 1 ? left : std::max(left / (2 * threads), kSmallestPiece);
      int64_t units = std::max<int64_t>(static_cast<int64_t>(wanted / p.unit_cost), 1);
      // No crumbs at the end of a matrix: each piece starts its streams anew.
      if (begin + units + units / 2 >= p.units) units = p.units - begin;
      pieces.push_back({&p, begin, begin + units});
      begin += units;
      left -= p.unit_cost * static_cast<double>(units);
    }
  }
  return pieces;
}

void run_piece(const Piece& piece, int strips, std::byte* packed, std::byte* scratch) {
  const Planned& p = *piece.job;
  p.kernel->run({p.job, p.packed < 0 ? nullptr : packed + p.packed, scratch, piece.begin * kMatmulRowUnit,
                 std::min(piece.end * kMatmulRowUnit, p.job->w.rows), strips});
}

}  // namespace

const MatmulKernel& matmul_kernel(Isa isa, const MatmulJob& job) {
#if defined(__x86_64__)
  const WeightFormat f = job.w.format;
  const bool few = job.m <= 16, fp8 = f == WeightFormat::kF8E4M3 || f == WeightFormat::kF8E5M2;
  const bool narrow = f == WeightFormat::kBF16 || fp8 || (!few && !is_plain(f));
  // For few rows the way of float8 into a tile, through memory, costs more than what the tile saves.
  if (isa == Isa::kAmx && narrow && !(few && fp8)) return isa_amx::amx_kernel();
  if (isa >= Isa::kAvx512Bf16 && narrow) return isa_avx512bf16::dot_bf16_kernel();
  const bool q8_0 = f == WeightFormat::kQ8_0 && few;
  if (isa >= Isa::kAvx512) return q8_0 ? isa_avx512::dot_q8_0_kernel() : isa_avx512::dot_f32_kernel();
  if (isa >= Isa::kAvx2) return q8_0 ? isa_avx2::dot_q8_0_kernel() : isa_avx2::dot_f32_kernel();
  return isa_base::dot_f32_kernel();
#else
  return isa_neon::dot_f32_kernel();
#endif
}

void weight_matmul_at(Isa isa, std::span<const MatmulJob> jobs) {
  Plan plan = make_plan(isa, jobs);
  if (plan.jobs.empty()) return;
  int threads = static_cast<int>(std::clamp<double>(plan.cost / kWorthAThread, 1, num_threads()));
  Buffer buffer(plan.packed_bytes + plan.scratch_bytes * threads);
  pack_activations(plan, buffer.data);
  const std::vector<Piece> pieces = cut(plan, threads);
  const int strips = far_strips();
  std::atomic<size_t> next{0};
  parallel_region(threads, [&](int t) {
    std::byte* scratch = buffer.data + plan.packed_bytes + t * plan.scratch_bytes;
    for (size_t i; (i = next.fetch_add(1, std::memory_order_relaxed)) < pieces.size();) {
      run_piece(pieces[i], strips, buffer.data, scratch);
    }
  });
}

void weight_matmul(std::span<const MatmulJob> jobs) { weight_matmul_at(cpu_isa(), jobs); }

}  // namespace ingot
