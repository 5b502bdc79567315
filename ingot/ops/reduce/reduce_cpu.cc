// Work is cut into chunks whose size depends on the shapes alone; each chunk gives one state per output, and the states
// of an output's chunks are joined in order. So the result is the same for every number of threads, and a reduction to
// one element still uses all of them.
#include "ingot/ops/reduce/reduce_cpu.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "ingot/ops/copy/copy_cpu.h"
#include "ingot/ops/copy/strided_pieces.h"

namespace ingot {

namespace {

constexpr int64_t kGrain = 16384;  // elements a thread takes at least
constexpr int64_t kChunk = 65536;  // elements of one output that make a chunk
constexpr int64_t kPiece = 1024;   // elements gathered and converted at a time
constexpr int64_t kBlock = 512;    // neighbouring outputs done together

template <class T>
auto& kernels() {
  if constexpr (std::is_same_v<T, float>) {
    static const ReduceKernels<float, double>& k = simd_pick(INGOT_SIMD_LEVELS(reduce_kernels));
    return k;
  } else if constexpr (std::is_same_v<T, double>) {
    return reduce_f64_kernels();
  } else {
    return reduce_i64_kernels();
  }
}

template <class State>
State start_of(Reduction op) {
  using Limits = std::numeric_limits<State>;
  switch (op) {
    case Reduction::kProd:
      return 1;
    case Reduction::kMax:
      return Limits::has_infinity ? -Limits::infinity() : Limits::min();
    case Reduction::kMin:
      return Limits::has_infinity ? Limits::infinity() : Limits::max();
    default:
      return 0;
  }
}
template <class State>
State join(Reduction op, State a, State b) {
  switch (op) {
    case Reduction::kProd:
      if constexpr (std::is_integral_v<State>) return State(uint64_t(a) * uint64_t(b));
      return a * b;
    case Reduction::kMax:
      return b > a || b != b ? b : a;
    case Reduction::kMin:
      return b < a || b != b ? b : a;
    default:
      if constexpr (std::is_integral_v<State>) return State(uint64_t(a) + uint64_t(b));
      return a + b;
  }
}

// One reduction of x along some axes, in elements of T.
template <class T>
class Work {
 public:
  using State = std::conditional_t<std::is_same_v<T, float>, double, T>;

  Work(const Tensor& x, unsigned axes)
      : base_(static_cast<const char*>(x.raw_data())),
        conversion_(row_conversion(x.dtype(), dtype_of<T>)),
        is_t_(x.dtype() == dtype_of<T>) {
    Dims kept, kept_strides, reduced, reduced_strides;
    for (int d = 0; d < x.dim(); d++) {
      bool is_reduced = axes >> d & 1u;
      (is_reduced ? reduced : kept).push_back(x.sizes()[d]);
      (is_reduced ? reduced_strides : kept_strides).push_back(x.strides()[d]);
    }
    outputs_ = numel(kept);
    length_ = numel(reduced);
    kept_ = make_strided_loop(kept, {kept_strides}, /*keep_order=*/true);
    reduced_ = make_strided_loop(reduced, {reduced_strides});
  }
  int64_t outputs() const { return outputs_; }
  int64_t length() const { return length_; }

  // A state per output; c: a constant per output, or empty.
  std::vector<State> run(Reduction op, const std::vector<T>& c) const {
    if (length_ == 0) return std::vector<State>(size_t(outputs_), start_of<State>(op));
    bool by_columns = reduced_.inner_stride(0) != 1 && kept_.inner_stride(0) == 1 && kept_.inner >= 4;
    return by_columns ? run_columns(op, c) : run_rows(op, c);
  }

 private:
  static int64_t offset_of(const StridedLoop& loop, int64_t i) {
    int64_t offset = 0;
    for (int d = loop.sizes.size() - 1; d > 0; d--) {
      offset += i % loop.sizes[d] * loop.strides[0][d];
      i /= loop.sizes[d];
    }
    return offset + i * loop.strides[0][0];
  }

  // Elements of the reduced axes in [begin, end), as runs: f(offset, n) at the inner stride.
  template <class F>
  void for_runs(int64_t begin, int64_t end, F&& f) const {
    int64_t inner = reduced_.inner, at = begin % inner, left = end - begin;
    reduced_.for_rows(begin / inner, (end + inner - 1) / inner, [&](const auto& offset) {
      int64_t n = std::min(inner - at, left);
      f(offset[0] + at * reduced_.inner_stride(0), n);
      at = 0;
      left -= n;
    });
  }

  std::vector<State> run_rows(Reduction op, const std::vector<T>& c) const {
    auto kernel = kernels<T>().row[int(op)];
    int64_t chunks = (length_ + kChunk - 1) / kChunk, stride = reduced_.inner_stride(0);
    std::vector<State> states(size_t(outputs_ * chunks));
    parallel_for(outputs_ * chunks, std::max<int64_t>(kGrain / std::min(length_, kChunk), 1),
                 [&](int64_t begin, int64_t end) {
                   for (int64_t i = begin; i < end; i++) {
                     int64_t output = i / chunks, first = i % chunks * kChunk;
                     int64_t from = offset_of(kept_, output);
                     T constant = c.empty() ? T(0) : c[size_t(output)];
                     State state = start_of<State>(op);
                     for_runs(first, std::min(first + kChunk, length_), [&](int64_t offset, int64_t n) {
                       for_dense(from + offset, stride, n,
                                 [&](const T* x, int64_t m) { state = join(op, state, kernel(x, m, constant)); });
                     });
                     states[size_t(i)] = state;
                   }
                 });
    return joined(op, std::move(states), chunks);
  }

  // Neighbouring outputs lie densely: their states take in one row of x after the other.
  std::vector<State> run_columns(Reduction op, const std::vector<T>& c) const {
    auto kernel = kernels<T>().columns[int(op)];
    int64_t inner = kept_.inner, blocks = (inner + kBlock - 1) / kBlock, width = std::min(inner, kBlock);
    bool enough = outputs_ >= 64 * kBlock;
    int64_t rows = enough ? length_ : std::min(length_, std::max<int64_t>(kChunk / width, 64));
    int64_t chunks = (length_ + rows - 1) / rows, items = kept_.rows * blocks * chunks;
    std::vector<State> states(size_t(outputs_ * chunks));
    parallel_for(items, std::max<int64_t>(kGrain / (width * rows), 1), [&](int64_t begin, int64_t end) {
      State state[kBlock];
      alignas(64) T buffer[kBlock];
      for (int64_t i = begin; i < end; i++) {
        int64_t chunk = i % chunks, block = i / chunks % blocks, row = i / chunks / blocks;
        int64_t first = row * inner + block * kBlock, n = std::min(kBlock, inner - block * kBlock);
        int64_t from = offset_of(kept_, first);
        const T* constants = c.empty() ? nullptr : &c[size_t(first)];
        std::fill_n(state, n, start_of<State>(op));
        for_runs(chunk * rows, std::min((chunk + 1) * rows, length_), [&](int64_t offset, int64_t count) {
          for (int64_t k = 0; k < count; k++) {
            const char* at = base_ + (from + offset + k * reduced_.inner_stride(0)) * conversion_.from_item;
            const T* x = reinterpret_cast<const T*>(at);
            if (!is_t_) {
              conversion_.run(at, reinterpret_cast<char*>(buffer), n);
              x = buffer;
            }
            kernel(x, n, state, constants);
          }
        });
        for (int64_t k = 0; k < n; k++) states[size_t((first + k) * chunks + chunk)] = state[k];
      }
    });
    return joined(op, std::move(states), chunks);
  }

  static std::vector<State> joined(Reduction op, std::vector<State> states, int64_t chunks) {
    if (chunks == 1) return states;
    std::vector<State> out(states.size() / size_t(chunks));
    for (size_t i = 0; i < out.size(); i++) {
      out[i] = states[i * size_t(chunks)];
      for (int64_t k = 1; k < chunks; k++) out[i] = join(op, out[i], states[i * size_t(chunks) + size_t(k)]);
    }
    return out;
  }

  template <class F>
  void for_dense(int64_t offset, int64_t stride, int64_t n, F&& f) const {
    const char* from = base_ + offset * conversion_.from_item;
    if (is_t_ && stride == 1) return f(reinterpret_cast<const T*>(from), n);
    alignas(64) char gathered[kPiece * 8];
    alignas(64) T converted[kPiece];
    for (int64_t i = 0; i < n; i += kPiece) {
      int64_t m = std::min(kPiece, n - i);
      const char* x = from + i * stride * conversion_.from_item;
      if (stride != 1) {
        move_row(x, stride, gathered, 1, m, conversion_.from_item);
        x = gathered;
      }
      conversion_.run(x, reinterpret_cast<char*>(converted), m);
      f(converted, m);
    }
  }

  const char* base_;
  RowConversion conversion_;
  bool is_t_;
  int64_t outputs_, length_;
  StridedLoop kept_, reduced_;
};

template <class T>
void reduce_typed(const Tensor& x, unsigned axes, Reduction op, Finish finish, double correction, const Tensor& y) {
  Work<T> work(x, axes);
  using State = typename Work<T>::State;
  std::vector<State> states;
  if constexpr (std::is_same_v<State, double>) {
    double n = double(work.length());
    if (finish == Finish::kNone || finish == Finish::kMean) {
      states = work.run(op, {});
      if (finish == Finish::kMean)
        for (double& s : states) s /= n;
    } else if (finish == Finish::kLogSumExp) {
      std::vector<double> max = work.run(Reduction::kMax, {});
      std::vector<T> c(max.size());
      // Infinities cannot be subtracted from themselves; exp of them is right without.
      for (size_t i = 0; i < c.size(); i++) c[i] = std::isinf(max[i]) ? T(0) : T(max[i]);
      states = work.run(Reduction::kExpSum, c);
      for (size_t i = 0; i < c.size(); i++) states[i] = std::log(states[i]) + double(c[i]);
    } else {
      std::vector<double> mean = work.run(Reduction::kSum, {});
      std::vector<T> c(mean.size());
      for (size_t i = 0; i < c.size(); i++) c[i] = T(mean[i] /= n);
      states = work.run(Reduction::kDeviations, c);
      double by = std::max(0.0, n - correction);
      for (size_t i = 0; i < c.size(); i++) {
        // The rounded mean is a little off the true one.
        double off = mean[i] - double(c[i]);
        double squares = states[i] - n * off * off;
        states[i] = (squares < 0 ? 0 : squares) / by;
        if (finish == Finish::kStd) states[i] = std::sqrt(states[i]);
      }
    }
  } else {
    states = work.run(op, {});
  }
  row_conversion(dtype_of<State>, y.dtype())
      .run(reinterpret_cast<const char*>(states.data()), static_cast<char*>(y.raw_data()), y.numel());
}

}  // namespace

void reduce_cpu(const Tensor& x, unsigned axes, Reduction op, Finish finish, double correction, const Tensor& y) {
  if (y.numel() == 0) return;
  if (!is_floating(x.dtype())) {
    reduce_typed<int64_t>(x, axes, op, finish, correction, y);
  } else if (x.dtype() == DType::kF64) {
    reduce_typed<double>(x, axes, op, finish, correction, y);
  } else {
    reduce_typed<float>(x, axes, op, finish, correction, y);
  }
}

}  // namespace ingot
