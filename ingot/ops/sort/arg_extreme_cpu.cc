// The largest value of each chunk of a row first, by the kernels of the reductions; then its place in the first chunk
// that has it.
#include <algorithm>
#include <cmath>
#include <vector>

#include "ingot/device/cpu/thread_pool.h"
#include "ingot/ops/copy/axis_rows.h"
#include "ingot/ops/copy/copy_cpu.h"
#include "ingot/ops/reduce/reduce_kernels.h"
#include "ingot/ops/sort/sort_cpu.h"

namespace ingot {

namespace {

constexpr int64_t kChunk = 4096, kGrain = 16384;

template <class T>
const auto& reductions() {
  if constexpr (std::is_same_v<T, float>) {
    static const ReduceKernels<float, double>& k = simd_pick(INGOT_SIMD_LEVELS(reduce_kernels));
    return k;
  } else if constexpr (std::is_same_v<T, double>) {
    return reduce_f64_kernels();
  } else {
    return reduce_i64_kernels();
  }
}

template <class T>
class Search {
 public:
  using State = std::conditional_t<std::is_same_v<T, float>, double, T>;
  Search(DType dtype, bool largest)
      : conversion_(row_conversion(dtype, dtype_of<T>)),
        is_t_(dtype == dtype_of<T>),
        largest_(largest),
        kernel_(reductions<T>().row[int(largest ? Reduction::kMax : Reduction::kMin)]) {}

  int64_t run(const char* row, int64_t n, bool inside) const {
    int64_t chunks = (n + kChunk - 1) / kChunk;
    if (chunks == 1) return find(row, 0, n, extreme(row, 0, n));
    constexpr int64_t kOnStack = 64;
    State few[kOnStack];
    std::vector<State> many(chunks > kOnStack ? size_t(chunks) : 0);
    State* states = chunks > kOnStack ? many.data() : few;
    parallel_for(chunks, inside ? kGrain / kChunk : chunks + 1, [&](int64_t begin, int64_t end) {
      for (int64_t c = begin; c < end; c++) states[c] = extreme(row, c, n);
    });
    int64_t best = 0;
    for (int64_t c = 1; c < chunks && states[best] == states[best]; c++) {
      bool better = largest_ ? states[c] > states[best] : states[c] < states[best];
      if (better || states[c] != states[c]) best = c;
    }
    return find(row, best, n, states[best]);
  }

 private:
  const T* chunk(const char* row, int64_t c, int64_t m, T* buffer) const {
    const char* from = row + c * kChunk * conversion_.from_item;
    if (is_t_) return reinterpret_cast<const T*>(from);
    conversion_.run(from, reinterpret_cast<char*>(buffer), m);
    return buffer;
  }
  State extreme(const char* row, int64_t c, int64_t n) const {
    alignas(64) T buffer[kChunk];
    int64_t m = std::min(kChunk, n - c * kChunk);
    return kernel_(chunk(row, c, m, buffer), m, T(0));
  }
  int64_t find(const char* row, int64_t c, int64_t n, State value) const {
    alignas(64) T buffer[kChunk];
    int64_t m = std::min(kChunk, n - c * kChunk);
    const T* x = chunk(row, c, m, buffer);
    for (int64_t i = 0; i < m; i++)
      if (State(x[i]) == value || (value != value && x[i] != x[i])) return c * kChunk + i;
    return c * kChunk;
  }

  RowConversion conversion_;
  bool is_t_, largest_;
  State (*kernel_)(const T*, int64_t, T);
};

template <class T>
void search_rows(const Tensor& x, int dim, bool largest, int64_t* out) {
  AxisRows rows(x, dim);
  int64_t n = rows.length(), count = rows.rows();
  Search<T> search(x.dtype(), largest);
  if (rows.dense()) {
    // Few long rows are split inside, many are shared out.
    bool inside = count < num_threads() && n > 2 * kChunk;
    parallel_for(count, inside ? count + 1 : std::max<int64_t>(kGrain / n, 1), [&](int64_t begin, int64_t end) {
      for (int64_t r = begin; r < end; r++) out[r] = search.run(rows.row(r), n, inside);
    });
    return;
  }
  int64_t group = std::clamp<int64_t>((1 << 16) / n, 1, kRowGroup), groups = (count + group - 1) / group;
  int64_t bytes = n * int64_t(itemsize(x.dtype()));
  parallel_for(groups, std::max<int64_t>(kGrain / (group * n), 1), [&](int64_t begin, int64_t end) {
    std::vector<char> in(size_t(group * bytes));
    for (int64_t g = begin; g < end; g++) {
      int64_t first = g * group, here = std::min(group, count - first);
      rows.gather(first, here, in.data());
      for (int64_t r = 0; r < here; r++) out[first + r] = search.run(&in[size_t(r * bytes)], n, false);
    }
  });
}

}  // namespace

void arg_extreme_cpu(const Tensor& x, int dim, bool largest, const Tensor& y) {
  if (y.numel() == 0) return;
  int64_t* out = y.data<int64_t>();
  if (!is_floating(x.dtype())) {
    search_rows<int64_t>(x, dim, largest, out);
  } else if (x.dtype() == DType::kF64) {
    search_rows<double>(x, dim, largest, out);
  } else {
    search_rows<float>(x, dim, largest, out);
  }
}

}  // namespace ingot
