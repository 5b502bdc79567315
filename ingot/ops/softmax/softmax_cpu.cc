// A row is cut into chunks of fixed size, whatever the number of threads: each gives its largest value and its sum of
// exponentials; they are combined in order, and a second pass over the chunks writes the result. So a row's result
// depends on nothing but the row, and one long row (a vocabulary of logits) spreads over all threads.
#include "ingot/ops/softmax/softmax_cpu.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "ingot/device/cpu/thread_pool.h"
#include "ingot/ops/copy/axis_rows.h"
#include "ingot/ops/copy/copy_cpu.h"
#include "ingot/ops/softmax/softmax_simd.h"

namespace ingot {

namespace {

constexpr int64_t kChunk = 4096;
constexpr int64_t kGrain = 16384;  // elements a thread takes at least

SoftmaxStats<double> stats_f64(const double* x, int64_t n, double* e) {
  double max = -INFINITY;
  for (int64_t i = 0; i < n; i++) max = x[i] > max ? x[i] : max;
  double bias = max == -INFINITY ? 0 : max, sum = 0;
  for (int64_t i = 0; i < n; i++) {
    double v = std::exp(x[i] - bias);
    sum += v;
    if (e) e[i] = v;
  }
  return {max, sum};
}
constexpr SoftmaxKernels<double> kF64Kernels = {stats_f64,
                                                [](const double* x, double max, double scale, double* y, int64_t n) {
                                                  for (int64_t i = 0; i < n; i++) y[i] = std::exp(x[i] - max) * scale;
                                                },
                                                [](const double* x, double factor, double* y, int64_t n) {
                                                  for (int64_t i = 0; i < n; i++) y[i] = x[i] * factor;
                                                },
                                                [](const double* x, double max, double log_sum, double* y, int64_t n) {
                                                  for (int64_t i = 0; i < n; i++) y[i] = (x[i] - max) - log_sum;
                                                }};

template <class T>
const SoftmaxKernels<T>& kernels() {
  if constexpr (std::is_same_v<T, double>) {
    return kF64Kernels;
  } else {
    static const SoftmaxKernels<float>& k = simd_pick(INGOT_SIMD_LEVELS(softmax_kernels));
    return k;
  }
}

// Rows along a dense axis, computed in T and converted chunk by chunk where x or y has another dtype.
template <class T>
class Rows {
 public:
  Rows(DType from, DType to, bool log)
      : load_(row_conversion(from, dtype_of<T>)),
        store_(row_conversion(dtype_of<T>, to)),
        from_item_(int64_t(itemsize(from))),
        to_item_(int64_t(itemsize(to))),
        x_is_t_(from == dtype_of<T>),
        y_is_t_(to == dtype_of<T>),
        log_(log) {}

  void short_row(const char* x, char* y, int64_t n) const {  // n <= kChunk
    T buffer[kChunk];
    const T* in = loaded(x, n, buffer);
    T* out = y_is_t_ ? reinterpret_cast<T*>(y) : buffer;
    if (log_) {
      SoftmaxStats<T> s = k_.stats(in, n, nullptr);
      k_.subtract(in, s.max, T(std::log(total(s.max, &s, 1))), out, n);
    } else {
      SoftmaxStats<T> s = k_.stats(in, n, out);
      k_.scale(out, T(1 / total(s.max, &s, 1)), out, n);
    }
    if (!y_is_t_) store_.run(reinterpret_cast<const char*>(out), y, n);
  }

  SoftmaxStats<T> first_pass(const char* x, char* y, int64_t n, int64_t chunk) const {
    T buffer[kChunk];
    int64_t at = chunk * kChunk, m = std::min(kChunk, n - at);
    T* keep = keeps_exponentials() ? reinterpret_cast<T*>(y) + at : nullptr;
    return k_.stats(loaded(x + at * from_item_, m, buffer), m, keep);
  }
  void second_pass(const char* x, char* y, int64_t n, int64_t chunk, T own_max, T max, double sum) const {
    T buffer[kChunk];
    int64_t at = chunk * kChunk, m = std::min(kChunk, n - at);
    y += at * to_item_;
    T* out = y_is_t_ ? reinterpret_cast<T*>(y) : buffer;
    if (keeps_exponentials()) {
      k_.scale(out, T(std::exp(double(own_max) - double(max)) / sum), out, m);
      return;
    }
    const T* in = loaded(x + at * from_item_, m, buffer);
    if (log_) {
      k_.subtract(in, max, T(std::log(sum)), out, m);
    } else {
      k_.exp_scale(in, max, T(1 / sum), out, m);
    }
    if (!y_is_t_) store_.run(reinterpret_cast<const char*>(out), y, m);
  }

  static T largest(const SoftmaxStats<T>* s, int64_t chunks) {
    T max = s[0].max;
    for (int64_t c = 1; c < chunks; c++) max = std::max(max, s[c].max);
    return max;
  }
  // NaN for a row of nothing but -inf: exp(-inf + inf).
  static double total(T max, const SoftmaxStats<T>* s, int64_t chunks) {
    double sum = 0;
    for (int64_t c = 0; c < chunks; c++) sum += double(s[c].sum) * std::exp(double(s[c].max) - double(max));
    return sum;
  }

 private:
  // Where y can hold the exponentials of the first pass, the second only scales them.
  bool keeps_exponentials() const { return y_is_t_ && !log_; }
  const T* loaded(const char* x, int64_t n, T* buffer) const {
    if (x_is_t_) return reinterpret_cast<const T*>(x);
    load_.run(x, reinterpret_cast<char*>(buffer), n);
    return buffer;
  }
  RowConversion load_, store_;
  int64_t from_item_, to_item_;
  bool x_is_t_, y_is_t_, log_;
  const SoftmaxKernels<T>& k_ = kernels<T>();
};

// `count` rows of n elements; row(r) gives a pair of pointers.
template <class T, class RowAt>
void softmax_rows(const Rows<T>& rows, int64_t count, int64_t n, RowAt&& row) {
  if (n <= kChunk) {
    parallel_for(count, std::max<int64_t>(kGrain / n, 1), [&](int64_t begin, int64_t end) {
      for (int64_t r = begin; r < end; r++) rows.short_row(row(r).first, row(r).second, n);
    });
    return;
  }
  int64_t chunks = (n + kChunk - 1) / kChunk;
  // Rows are taken a few at a time, so that what the first pass left in cache is still there in the second.
  int64_t together = std::max<int64_t>(4 * num_threads() / chunks, 1);
  std::vector<SoftmaxStats<T>> stats(size_t(together * chunks));
  std::vector<double> sums(static_cast<size_t>(together));
  for (int64_t first = 0; first < count; first += together) {
    int64_t here = std::min(together, count - first);
    parallel_for(here * chunks, kGrain / kChunk, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; i++) {
        auto [x, y] = row(first + i / chunks);
        stats[size_t(i)] = rows.first_pass(x, y, n, i % chunks);
      }
    });
    for (int64_t r = 0; r < here; r++) {
      const SoftmaxStats<T>* s = &stats[size_t(r * chunks)];
      sums[size_t(r)] = rows.total(rows.largest(s, chunks), s, chunks);
    }
    parallel_for(here * chunks, kGrain / kChunk, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; i++) {
        auto [x, y] = row(first + i / chunks);
        int64_t r = i / chunks;
        T max = rows.largest(&stats[size_t(r * chunks)], chunks);
        rows.second_pass(x, y, n, i % chunks, stats[size_t(i)].max, max, sums[size_t(r)]);
      }
    });
  }
}

template <class T>
void softmax_typed(const Tensor& x, int dim, const Tensor& y, bool log) {
  AxisRows from(x, dim), to(y, dim);
  int64_t n = from.length(), rows = from.rows();
  Rows<T> work(x.dtype(), y.dtype(), log);
  if (from.dense() && to.dense()) {
    softmax_rows(work, rows, n, [&](int64_t r) { return std::pair<const char*, char*>(from.row(r), to.row(r)); });
    return;
  }
  // Rows that are not dense are gathered in groups, done in dense memory, and scattered.
  int64_t group = std::clamp<int64_t>((1 << 16) / n, 1, kRowGroup);
  int64_t groups = (rows + group - 1) / group;
  int64_t x_row = n * int64_t(itemsize(x.dtype())), y_row = n * int64_t(itemsize(y.dtype()));
  parallel_for(groups, std::max<int64_t>(kGrain / (group * n), 1), [&](int64_t begin, int64_t end) {
    std::vector<char> in(size_t(group * x_row)), out(size_t(group * y_row));
    for (int64_t g = begin; g < end; g++) {
      int64_t first = g * group, count = std::min(group, rows - first);
      from.gather(first, count, in.data());
      softmax_rows(work, count, n, [&](int64_t r) {
        return std::pair<const char*, char*>(&in[size_t(r * x_row)], &out[size_t(r * y_row)]);
      });
      to.scatter(first, count, out.data());
    }
  });
}

}  // namespace

void softmax_cpu(const Tensor& x, int dim, const Tensor& y, bool log) {
  if (y.numel() == 0) return;
  if (x.dtype() == DType::kF64 || y.dtype() == DType::kF64) {
    softmax_typed<double>(x, dim, y, log);
  } else {
    softmax_typed<float>(x, dim, y, log);
  }
}

}  // namespace ingot
