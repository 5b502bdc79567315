#include "ingot/ops/attention/attention_cpu.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "ingot/ops/attention/attention_core.h"
#include "ingot/ops/row_walk.h"

namespace ingot {

namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

// Query heads and kv heads as flat lists of matrices.
struct Matrices {
  const char* data;
  RowWalk walk;
  int64_t row_bytes, item;
  explicit Matrices(const Tensor& t)
      : data(static_cast<const char*>(t.raw_data())),
        walk(t, 2),
        row_bytes(t.stride(-2) * int64_t(itemsize(t.dtype()))),
        item(int64_t(itemsize(t.dtype()))) {}
  const char* row(int64_t matrix, int64_t r) const { return data + walk.offset(matrix) * item + r * row_bytes; }
};

// What the mask adds to a score: -infinity where it forbids.
struct Mask {
  Matrices rows;
  int64_t step;
  DType dtype;
  explicit Mask(const Tensor& t) : rows(t), step(t.stride(-1)), dtype(t.dtype()) {}
  template <class Out>
  void read(int64_t head, int64_t query, int64_t key, int64_t n, Out* to) const {
    const char* p = rows.row(head, query);
    auto copy = [&](auto zero) {
      using T = decltype(zero);
      const T* from = reinterpret_cast<const T*>(p) + key * step;
      for (int64_t i = 0; i < n; i++) to[i] = static_cast<Out>(from[i * step]);
    };
    switch (dtype) {
      case DType::kBool: {
        const uint8_t* from = reinterpret_cast<const uint8_t*>(p) + key * step;
        for (int64_t i = 0; i < n; i++) to[i] = from[i * step] ? Out(0) : -std::numeric_limits<Out>::infinity();
        return;
      }
      case DType::kF16:
        return copy(half{});
      case DType::kBF16:
        return copy(bfloat{});
      case DType::kF64:
        return copy(double{});
      default:
        return copy(float{});
    }
  }
};

KvType kv_type(DType t) { return t == DType::kF16 ? kKvF16 : t == DType::kBF16 ? kKvBF16 : kKvF32; }

int64_t matrices(const Tensor& t) {
  int64_t n = 1;
  for (int d = 0; d < t.dim() - 2; d++) n *= t.sizes()[d];
  return n;
}

struct Shape {
  int64_t groups, heads, queries, keys, dk, dv;
  bool causal;
  int64_t first_limit;
  Shape(const Tensor& q, const Tensor& k, const Tensor& v, CausalMode mode)
      : groups(matrices(k)),
        heads(matrices(q) / groups),
        queries(q.size(-2)),
        keys(k.size(-2)),
        dk(q.size(-1)),
        dv(v.size(-1)),
        causal(mode != CausalMode::kNone),
        first_limit(mode == CausalMode::kBottomRight ? keys - queries + 1 : 1) {}
};

// In double, a row at a time: once for the largest score, once for the sums.
void attention_f64(const Shape& s, const Matrices& q, const Matrices& k, const Matrices& v, const Mask* mask,
                   double scale, double* y) {
  parallel_for(s.groups * s.heads * s.queries, 1, [&](int64_t begin, int64_t end) {
    std::vector<double> bias(size_t(s.keys), 0.0);
    for (int64_t row = begin; row < end; row++) {
      int64_t head = row / s.queries, query = row % s.queries, group = head / s.heads;
      int64_t limit = s.causal ? std::clamp<int64_t>(s.first_limit + query, 0, s.keys) : s.keys;
      if (mask) mask->read(head, query, 0, limit, bias.data());
      const double* a = reinterpret_cast<const double*>(q.row(head, query));
      auto score = [&](int64_t key) {
        const double* b = reinterpret_cast<const double*>(k.row(group, key));
        double dot = 0;
        for (int64_t d = 0; d < s.dk; d++) dot += a[d] * b[d];
        return dot * scale + bias[size_t(key)];
      };
      double largest = -kInf, sum = 0;
      for (int64_t key = 0; key < limit; key++)
        if (bias[size_t(key)] != -kInf) {
          double x = score(key);
          if (x > largest || std::isnan(x)) largest = x;
        }
      double* out = y + row * s.dv;
      std::fill(out, out + s.dv, 0.0);
      if (largest == -kInf) continue;
      for (int64_t key = 0; key < limit; key++) {
        if (bias[size_t(key)] == -kInf) continue;
        double weight = std::exp(score(key) - largest);
        const double* b = reinterpret_cast<const double*>(v.row(group, key));
        sum += weight;
        for (int64_t d = 0; d < s.dv; d++) out[d] += weight * b[d];
      }
      for (int64_t d = 0; d < s.dv; d++) out[d] /= sum;
    }
  });
}

}  // namespace

void attention_cpu(const Tensor& q, const Tensor& k, const Tensor& v, const Tensor& mask, CausalMode causal,
                   double scale, const Tensor& y) {
  Shape s(q, k, v, causal);
  Matrices qs(q), ks(k), vs(v);
  std::optional<Mask> mask_rows;
  if (mask.defined()) mask_rows.emplace(mask);
  if (q.dtype() == DType::kF64)
    return attention_f64(s, qs, ks, vs, mask_rows ? &*mask_rows : nullptr, scale, static_cast<double*>(y.raw_data()));
  const AttentionKernels& kernels = attention_table();
  KvType type = kv_type(q.dtype());
  int64_t item = qs.item;
  char* out = static_cast<char*>(y.raw_data());
  auto key_rows = [&](int64_t group, int64_t key, int n, const void** kp, const void** vp) {
    const char *a = ks.row(group, key), *b = vs.row(group, key);
    for (int i = 0; i < n; i++, a += ks.row_bytes, b += vs.row_bytes) {
      kp[i] = a;
      vp[i] = b;
    }
  };
  auto load_queries = [&](int64_t group, int64_t row, int rows, float* to) {
    for (int r = 0; r < rows; r++)
      kernels.read[type](qs.row(group * s.heads + (row + r) % s.heads, (row + r) / s.heads), s.dk,
                         static_cast<float>(scale), to + r * s.dk);
  };
  auto load_bias = [&](int64_t group, int64_t row, int rows, int64_t key, int n, float* to) {
    for (int r = 0; r < rows; r++) {
      float* bias = to + int64_t(r) * kKeyBlock;
      mask_rows->read(group * s.heads + (row + r) % s.heads, (row + r) / s.heads, key, n, bias);
      std::fill(bias + n, bias + kKeyBlock, 0.0f);
    }
  };
  auto store = [&](int64_t group, int64_t row, int rows, const float* o, int pitch) {
    for (int r = 0; r < rows; r++) {
      int64_t at = (group * s.heads + (row + r) % s.heads) * s.queries + (row + r) / s.heads;
      kernels.write[type](o + int64_t(r) * pitch, s.dv, out + at * s.dv * item);
    }
  };
  run_attention({s.groups, s.queries, static_cast<int>(s.heads), s.keys, static_cast<int>(s.dk), static_cast<int>(s.dv),
                 type, s.causal, s.first_limit, mask.defined(), key_rows, load_queries, load_bias, store});
}

}  // namespace ingot
