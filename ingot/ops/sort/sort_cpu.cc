// A row becomes entries (key, index) that are all different, so what is the first, the k first, or the order does not
// depend on how the work is done.
//   few of many   a pass over the keys keeps those below the k-th so far; what is kept is cut back to k whenever it
//   fills up all           radix sort, least digit first, digits that are the same everywhere left out
#include "ingot/ops/sort/sort_cpu.h"

#include <algorithm>
#include <vector>

#include "ingot/device/cpu/thread_pool.h"
#include "ingot/ops/copy/axis_rows.h"
#include "ingot/ops/sort/sort_keys.h"

namespace ingot {

const SortKernels& sort_simd_kernels() {
  static const SortKernels& k = simd_pick(INGOT_SIMD_LEVELS(sort_kernels));
  return k;
}

namespace {

constexpr int64_t kGrain = 16384;

// By key alone; stable, so entries that came in the order of their indices leave in the total order.
template <class Entry>
void radix_sort(std::vector<Entry>& entries, std::vector<Entry>& spare) {
  constexpr int kDigits = sizeof(typename Entry::Key);
  if (entries.size() < 256) {
    std::sort(entries.begin(), entries.end());
    return;
  }
  std::vector<size_t> counts(kDigits * 256);
  for (const Entry& e : entries)
    for (int d = 0; d < kDigits; d++) counts[size_t(d * 256) + (e.key() >> (8 * d) & 255)]++;
  spare.resize(entries.size());
  for (int d = 0; d < kDigits; d++) {
    size_t* count = &counts[size_t(d * 256)];
    if (count[entries[0].key() >> (8 * d) & 255] == entries.size()) continue;
    size_t at = 0;
    for (int b = 0; b < 256; b++) {
      size_t here = count[b];
      count[b] = at;
      at += here;
    }
    for (const Entry& e : entries) spare[count[e.key() >> (8 * d) & 255]++] = e;
    entries.swap(spare);
  }
}

template <class T, class Entry>
class Sorter {
 public:
  using Key = typename Entry::Key;
  Sorter(DType dtype, bool descending)
      : conversion_(row_conversion(dtype, dtype_of<T>)), is_t_(dtype == dtype_of<T>), descending_(descending) {}

  // The k first entries of a dense row, in order.
  std::vector<Entry> first(const char* row, int64_t n, int64_t k, bool inside) const {
    std::vector<Entry> entries, spare;
    if (k * 8 > n || n < 256) {
      append_all(row, 0, n, entries);
      if (k * 4 < n) {
        cut(entries, k);
        std::sort(entries.begin(), entries.end());
      } else {
        radix_sort(entries, spare);
        entries.resize(size_t(k));
      }
      return entries;
    }
    int64_t parts = inside ? std::min<int64_t>(num_threads(), n / std::max<int64_t>(kGrain, 8 * k)) : 1;
    if (parts <= 1) {
      entries = select(row, 0, n, k);
    } else {
      std::vector<std::vector<Entry>> found(static_cast<size_t>(parts));
      parallel_region(static_cast<int>(parts),
                      [&](int p) { found[size_t(p)] = select(row, n * p / parts, n * (p + 1) / parts, k); });
      for (const auto& f : found) entries.insert(entries.end(), f.begin(), f.end());
      cut(entries, k);
    }
    std::sort(entries.begin(), entries.end());
    return entries;
  }

 private:
  // f(keys, first index, n) over pieces of [begin, end).
  template <class F>
  void for_keys(const char* row, int64_t begin, int64_t end, F&& f) const {
    alignas(64) Key keys[kKeyPiece];
    for (int64_t i = begin; i < end; i += kKeyPiece) {
      int64_t n = std::min(kKeyPiece, end - i);
      make_keys<T>(conversion_, is_t_, row + i * conversion_.from_item, n, descending_, keys);
      f(keys, i, n);
    }
  }
  void append_all(const char* row, int64_t begin, int64_t end, std::vector<Entry>& out) const {
    out.reserve(out.size() + size_t(end - begin));
    for_keys(row, begin, end, [&](const Key* keys, int64_t at, int64_t n) {
      for (int64_t i = 0; i < n; i++) out.push_back(Entry::of(keys[i], at + i));
    });
  }
  static void cut(std::vector<Entry>& entries, int64_t k) {
    if (int64_t(entries.size()) <= k) return;
    std::nth_element(entries.begin(), entries.begin() + k, entries.end());
    entries.resize(size_t(k));
  }
  static int64_t below(const uint32_t* keys, int64_t n, uint32_t limit, int32_t* out) {
    return sort_simd_kernels().below(keys, n, limit, out);
  }
  static int64_t below(const uint64_t* keys, int64_t n, uint64_t limit, int32_t* out) {
    int64_t count = 0;
    for (int64_t i = 0; i < n; i++)
      if (keys[i] < limit) out[count++] = int32_t(i);
    return count;
  }

  // The k first of [begin, end), unordered; 0 < k < end - begin. An element equal to the k-th so far comes after it,
  // having the larger index.
  std::vector<Entry> select(const char* row, int64_t begin, int64_t end, int64_t k) const {
    int64_t head = std::min(end, begin + std::max<int64_t>(2 * k, kKeyPiece));
    std::vector<Entry> kept;
    kept.reserve(size_t(2 * k + 2 * kKeyPiece));
    append_all(row, begin, head, kept);
    cut(kept, k);
    Key limit = std::max_element(kept.begin(), kept.end())->key();
    int64_t room = 2 * k + kKeyPiece;
    for_keys(row, head, end, [&](const Key* keys, int64_t at, int64_t n) {
      int32_t places[kKeyPiece];
      int64_t count = below(keys, n, limit, places);
      for (int64_t i = 0; i < count; i++) kept.push_back(Entry::of(keys[places[i]], at + places[i]));
      if (int64_t(kept.size()) > room || (count > 0 && int64_t(kept.size()) > k + 64)) {
        cut(kept, k);
        limit = std::max_element(kept.begin(), kept.end())->key();
      }
    });
    cut(kept, k);
    return kept;
  }

  RowConversion conversion_;
  bool is_t_, descending_;
};

void copy_element(const char* from, char* to, int64_t item) {
  switch (item) {
    case 1:
      *to = *from;
      break;
    case 2:
      memcpy(to, from, 2);
      break;
    case 4:
      memcpy(to, from, 4);
      break;
    default:
      memcpy(to, from, 8);
  }
}

template <class T, class Entry>
void top_typed(const Tensor& x, int dim, int64_t k, bool descending, const Tensor& values, const Tensor& indices) {
  AxisRows rows(x, dim), value_rows(values, dim), index_rows(indices, dim);
  int64_t n = rows.length(), count = rows.rows(), item = int64_t(itemsize(x.dtype()));
  Sorter<T, Entry> sorter(x.dtype(), descending);
  bool dense = rows.dense() && value_rows.dense() && index_rows.dense();
  bool inside = count < num_threads() && n > kGrain;
  int64_t group = dense ? 1 : std::clamp<int64_t>((1 << 16) / n, 1, kRowGroup), groups = (count + group - 1) / group;
  parallel_for(
      groups, inside ? groups + 1 : std::max<int64_t>(kGrain / (group * n), 1), [&](int64_t begin, int64_t end) {
        std::vector<char> in(dense ? 0 : size_t(group * n * item)), out(dense ? 0 : size_t(group * k * item));
        std::vector<int64_t> places(dense ? 0 : size_t(group * k));
        for (int64_t g = begin; g < end; g++) {
          int64_t first = g * group, here = std::min(group, count - first);
          if (!dense) rows.gather(first, here, in.data());
          for (int64_t r = 0; r < here; r++) {
            const char* row = dense ? rows.row(first + r) : &in[size_t(r * n * item)];
            char* value = dense ? value_rows.row(first + r) : out.data() + r * k * item;
            int64_t* place = dense ? reinterpret_cast<int64_t*>(index_rows.row(first + r)) : places.data() + r * k;
            std::vector<Entry> entries = sorter.first(row, n, k, inside);
            for (int64_t i = 0; i < k; i++) {
              place[i] = entries[size_t(i)].index();
              copy_element(row + place[i] * item, value + i * item, item);
            }
          }
          if (dense) continue;
          value_rows.scatter(first, here, out.data());
          index_rows.scatter(first, here, places.data());
        }
      });
}

}  // namespace

void top_cpu(const Tensor& x, int dim, int64_t k, bool descending, const Tensor& values, const Tensor& indices) {
  if (values.numel() == 0) return;
  bool packs = x.dim() == 0 || x.sizes()[dim] < (int64_t{1} << 32);
  if (!is_floating(x.dtype())) {
    top_typed<int64_t, WideEntry>(x, dim, k, descending, values, indices);
  } else if (x.dtype() == DType::kF64) {
    top_typed<double, WideEntry>(x, dim, k, descending, values, indices);
  } else if (packs) {
    top_typed<float, PackedEntry>(x, dim, k, descending, values, indices);
  } else {
    top_typed<float, WideEntry>(x, dim, k, descending, values, indices);
  }
}

}  // namespace ingot
