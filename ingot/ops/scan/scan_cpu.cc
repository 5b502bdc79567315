// Rows go to threads. A single long row is cut into chunks of fixed size: their totals first, then each chunk from what
// lies before it, so the result does not depend on the number of threads.
#include "ingot/ops/scan/scan_cpu.h"

#include <algorithm>
#include <vector>

#include "ingot/device/cpu/thread_pool.h"
#include "ingot/ops/copy/axis_rows.h"
#include "ingot/ops/copy/copy_cpu.h"

namespace ingot {

namespace {

constexpr int64_t kGrain = 16384, kPiece = 512, kChunk = 32768;

template <class T, bool product>
T join(T a, T b) {
  if constexpr (std::is_integral_v<T>) return product ? T(uint64_t(a) * uint64_t(b)) : T(uint64_t(a) + uint64_t(b));
  return product ? a * b : a + b;
}

// T is f64 or i64.
template <class T, bool product>
struct Scan {
  RowConversion load, store;
  static constexpr T start() { return product ? T(1) : T(0); }

  // n elements on from `running`; y may be null.
  T run(const char* x, char* y, int64_t n, T running) const {
    T piece[kPiece];
    for (int64_t i = 0; i < n; i += kPiece) {
      int64_t m = std::min(kPiece, n - i);
      load.run(x + i * load.from_item, reinterpret_cast<char*>(piece), m);
      for (int64_t k = 0; k < m; k++) piece[k] = running = join<T, product>(running, piece[k]);
      if (y) store.run(reinterpret_cast<const char*>(piece), y + i * store.to_item, m);
    }
    return running;
  }

  void row(const char* x, char* y, int64_t n) const {
    int64_t chunks = (n + kChunk - 1) / kChunk;
    if (chunks <= 1) {
      run(x, y, n, start());
      return;
    }
    std::vector<T> before(size_t(chunks), start());
    auto chunk = [&](int64_t c, char* to) {
      int64_t at = c * kChunk;
      return run(x + at * load.from_item, to ? to + at * store.to_item : nullptr, std::min(kChunk, n - at),
                 to ? before[size_t(c)] : start());
    };
    parallel_for(chunks - 1, 1, [&](int64_t begin, int64_t end) {
      for (int64_t c = begin; c < end; c++) before[size_t(c + 1)] = chunk(c, nullptr);
    });
    for (size_t c = 1; c < before.size(); c++) before[c] = join<T, product>(before[c - 1], before[c]);
    parallel_for(chunks, 1, [&](int64_t begin, int64_t end) {
      for (int64_t c = begin; c < end; c++) chunk(c, y);
    });
  }
};

template <class T, bool product>
void scan_typed(const Tensor& x, int dim, const Tensor& y) {
  AxisRows from(x, dim), to(y, dim);
  Scan<T, product> scan{row_conversion(x.dtype(), dtype_of<T>), row_conversion(dtype_of<T>, y.dtype())};
  int64_t n = from.length(), rows = from.rows();
  if (from.dense() && to.dense()) {
    // Few long rows are split inside, many are shared out.
    bool inside = rows < num_threads() && n > kChunk;
    parallel_for(rows, inside ? rows + 1 : std::max<int64_t>(kGrain / n, 1), [&](int64_t begin, int64_t end) {
      for (int64_t r = begin; r < end; r++) scan.row(from.row(r), to.row(r), n);
    });
    return;
  }
  int64_t group = std::clamp<int64_t>((1 << 16) / n, 1, kRowGroup), groups = (rows + group - 1) / group;
  int64_t x_row = n * int64_t(itemsize(x.dtype())), y_row = n * int64_t(itemsize(y.dtype()));
  parallel_for(groups, std::max<int64_t>(kGrain / (group * n), 1), [&](int64_t begin, int64_t end) {
    std::vector<char> in(size_t(group * x_row)), out(size_t(group * y_row));
    for (int64_t g = begin; g < end; g++) {
      int64_t first = g * group, count = std::min(group, rows - first);
      from.gather(first, count, in.data());
      for (int64_t r = 0; r < count; r++) scan.row(&in[size_t(r * x_row)], &out[size_t(r * y_row)], n);
      to.scatter(first, count, out.data());
    }
  });
}

}  // namespace

void scan_cpu(const Tensor& x, int dim, bool product, const Tensor& y) {
  if (x.numel() == 0) return;
  if (is_floating(x.dtype())) {
    product ? scan_typed<double, true>(x, dim, y) : scan_typed<double, false>(x, dim, y);
  } else {
    product ? scan_typed<int64_t, true>(x, dim, y) : scan_typed<int64_t, false>(x, dim, y);
  }
}

}  // namespace ingot
