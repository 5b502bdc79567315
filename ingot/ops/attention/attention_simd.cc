#include "ingot/ops/attention/attention_simd.h"

#include "ingot/device/cpu/simd.h"
#include "ingot/ops/attention/attention_vectors.h"

namespace ingot::INGOT_ISA {

namespace {

constexpr float kInf = __builtin_inff();
constexpr int kKeyVectors = kKeyBlock / kLanes;
// Vectors of a row that the register block spans; with kRowBlock rows, these fill the registers.
#if defined(__AVX512F__) || defined(__aarch64__)
constexpr int kWide = 4;
#else
constexpr int kWide = 2;
#endif

// k_scratch[d][key] = k[key][d] in f32, zero beyond b.keys.
template <class T>
void pack_keys(const AttentionBlock& b) {
  for (int key = 0; key < b.keys; key += kLanes) {
    int d = 0;
    for (; d < b.dk; d += kLanes) {
      int width = b.dk - d < kLanes ? b.dk - d : kLanes;
      vf rows[kLanes];
#pragma GCC unroll 16
      for (int i = 0; i < kLanes; i++) {
        if (key + i >= b.keys) {
          rows[i] = vf{};
        } else {
          const T* row = static_cast<const T*>(b.k[key + i]) + d;
          rows[i] = width == kLanes ? load(row) : load_part(row, width);
        }
      }
      transpose(rows);
      float* to = b.k_scratch + d * kKeyBlock + key;
      if (width == kLanes) {
#pragma GCC unroll 16
        for (int i = 0; i < kLanes; i++) store(to + i * kKeyBlock, rows[i]);
      } else {
        for (int i = 0; i < width; i++) store(to + i * kKeyBlock, rows[i]);
      }
    }
  }
}

// v_scratch[key][d] = v[key][d] in f32, zero up to dv_padded; `pointers` are set to its rows. Are all finite?
template <class T>
bool pack_values(const AttentionBlock& b, const void** pointers) {
  vf zero_or_nan = {};
  for (int key = 0; key < b.keys; key++) {
    const T* row = static_cast<const T*>(b.v[key]);
    float* to = b.v_scratch + int64_t(key) * b.dv_padded;
    pointers[key] = to;
    for (int d = 0; d < b.dv_padded; d += kLanes) {
      int width = b.dv - d;
      vf x = width >= kLanes ? load(row + d) : width > 0 ? load_part(row + d, width) : vf{};
      zero_or_nan += x * 0.0f;
      store(to + d, x);
    }
  }
  return sum_lanes(zero_or_nan) == 0;
}

// s[r][key] = q[r] . k[key] for R rows.
template <int R>
void scores(const float* q, int dk, const float* kt, int keys, float* s) {
  for (int key = 0; key < keys; key += kWide * kLanes) {
    vf acc[R][kWide] = {};
    for (int d = 0; d < dk; d++) {
      vf k[kWide];
#pragma GCC unroll 16
      for (int i = 0; i < kWide; i++) k[i] = load(kt + d * kKeyBlock + key + i * kLanes);
#pragma GCC unroll 16
      for (int r = 0; r < R; r++) {
        vf x = broadcast(q + r * dk + d);
#pragma GCC unroll 16
        for (int i = 0; i < kWide; i++) acc[r][i] += x * k[i];
      }
    }
#pragma GCC unroll 16
    for (int r = 0; r < R; r++)
#pragma GCC unroll 16
      for (int i = 0; i < kWide; i++) store(s + r * kKeyBlock + key + i * kLanes, acc[r][i]);
  }
}

// o[r][d0 ..] += sum over keys [begin, end) of p[r][key] * v[key][d0 ..], for R rows and N vectors.
template <class T, int R, int N>
INGOT_INLINE void add_values_at(const float* p, int begin, int end, const void* const* v, int d, float* o, int pitch) {
  vf acc[R][N];
#pragma GCC unroll 16
  for (int r = 0; r < R; r++)
#pragma GCC unroll 16
    for (int i = 0; i < N; i++) acc[r][i] = load(o + r * pitch + d + i * kLanes);
  for (int key = begin; key < end; key++) {
    const T* row = static_cast<const T*>(v[key]) + d;
    vf x[N];
#pragma GCC unroll 16
    for (int i = 0; i < N; i++) x[i] = load(row + i * kLanes);
#pragma GCC unroll 16
    for (int r = 0; r < R; r++) {
      vf weight = broadcast(p + r * kKeyBlock + key);
#pragma GCC unroll 16
      for (int i = 0; i < N; i++) acc[r][i] += weight * x[i];
    }
  }
#pragma GCC unroll 16
  for (int r = 0; r < R; r++)
#pragma GCC unroll 16
    for (int i = 0; i < N; i++) store(o + r * pitch + d + i * kLanes, acc[r][i]);
}
template <class T, int R>
void add_values(const float* p, int begin, int end, const void* const* v, int width, float* o, int pitch) {
  if (begin >= end) return;
  int d = 0;
  for (; d + kWide * kLanes <= width; d += kWide * kLanes) add_values_at<T, R, kWide>(p, begin, end, v, d, o, pitch);
  for (; d < width; d += kLanes) add_values_at<T, R, 1>(p, begin, end, v, d, o, pitch);
}
// The same for one row, leaving out keys of weight 0: for masks with holes over values that are not finite.
void add_values_seen(const float* p, int keys, const void* const* v, int width, float* o) {
  for (int key = 0; key < keys; key++) {
    if (p[key] == 0) continue;
    const float* row = static_cast<const float*>(v[key]);
    for (int d = 0; d < width; d += kLanes) store(o + d, load(o + d) + p[key] * load(row + d));
  }
}

void scale_row(float* o, int width, float factor) {
  for (int d = 0; d < width; d += kLanes) store(o + d, load(o + d) * factor);
}

// Turns a row's scores into weights relative to the new largest score, which m becomes; l and o follow. Is there any
// key to see?
__attribute__((noinline)) bool soften(float* s, int visible, const float* bias, float& m, float& l, float* o,
                                      int width) {
  vf x[kKeyVectors];
  vf largest = splat(-kInf);
#pragma GCC unroll 16
  for (int i = 0; i < kKeyVectors; i++) {
    vf v = load(s + i * kLanes);
    vi seen = lane_index() < visible - i * kLanes;
    if (bias) {
      vf add = load(bias + i * kLanes);
      seen &= (add != -kInf);
      v += add;
    }
    x[i] = select(seen, v, splat(-kInf));
    largest = max_or_nan(largest, x[i]);
  }
  float block = reduce_max_or_nan(largest);
  float next = block > m || block != block ? block : m;
  if (next == -kInf) return false;
  vf sum = {};
#pragma GCC unroll 16
  for (int i = 0; i < kKeyVectors; i++) {
    vf p = exp_nonpositive(x[i] - next);
    store(s + i * kLanes, p);
    sum += p;
  }
  float total = reduce_sum(sum);
  if (m == -kInf) {
    l = total;  // o is zero
  } else {
    float factor = next == m ? 1.0f : exp_nonpositive(splat(m - next))[0];
    l = l * factor + total;
    if (factor != 1.0f) scale_row(o, width, factor);
  }
  m = next;
  return true;
}

template <class T, int R>
void some_rows(const AttentionBlock& b, int first, const void* const* v, int width, bool careful) {
  float s[R * kKeyBlock];
  scores<R>(b.q + int64_t(first) * b.dk, b.dk, b.k_scratch, b.keys, s);
  int count[R], common = b.keys;
  float* o = b.state.o + int64_t(first) * b.dv_padded;
#pragma GCC unroll 16
  for (int r = 0; r < R; r++) {
    int n = b.visible[first + r];
    const float* bias = b.bias ? b.bias + int64_t(first + r) * kKeyBlock : nullptr;
    bool any = n > 0 && soften(s + r * kKeyBlock, n, bias, b.state.m[first + r], b.state.l[first + r],
                               o + r * b.dv_padded, b.dv_padded);
    count[r] = any ? n : 0;
    if (count[r] < common) common = count[r];
  }
  if (careful) {
#pragma GCC unroll 16
    for (int r = 0; r < R; r++) add_values_seen(s + r * kKeyBlock, count[r], v, width, o + r * b.dv_padded);
    return;
  }
  // What all rows see together, then the rest of each: no row ever touches a value past its last.
  add_values<T, R>(s, 0, common, v, width, o, b.dv_padded);
#pragma GCC unroll 16
  for (int r = 0; r < R; r++)
    add_values<T, 1>(s + r * kKeyBlock, common, count[r], v, width, o + r * b.dv_padded, b.dv_padded);
}

template <class T>
void all_rows(const AttentionBlock& b, const void* const* v, int width, bool careful) {
  int r = 0;
  for (; r + kRowBlock <= b.rows; r += kRowBlock) some_rows<T, kRowBlock>(b, r, v, width, careful);
  switch (b.rows - r) {
    case 1:
      return some_rows<T, 1>(b, r, v, width, careful);
    case 2:
      return some_rows<T, 2>(b, r, v, width, careful);
    case 3:
      return some_rows<T, 3>(b, r, v, width, careful);
    case 4:
      return some_rows<T, 4>(b, r, v, width, careful);
    case 5:
      return some_rows<T, 5>(b, r, v, width, careful);
    default:
      return;
  }
}

template <class T>
void block(const AttentionBlock& b) {
  static_assert(kRowBlock == 6);
  // Lanes past the last key are computed from whatever the scratch holds, and not looked at.
  pack_keys<T>(b);
  if constexpr (!kIsFloat8<T>) {
    // Few rows: values are converted on the way. Many: once, before.
    if (!b.bias && b.dv % kLanes == 0 && (kIsFloat<T> || b.rows <= 2 * kRowBlock))
      return all_rows<T>(b, b.v, b.dv, false);
  }
  const void* rows[kKeyBlock];
  bool finite = pack_values<T>(b, rows);
  all_rows<float>(b, rows, b.dv_padded, b.bias && !finite);
}

void combine(const AttentionState& part, const AttentionState& total, int rows, int width) {
  for (int r = 0; r < rows; r++) {
    float m = part.m[r], &sum_m = total.m[r];
    if (m == -kInf) continue;
    float* o = total.o + int64_t(r) * width;
    const float* from = part.o + int64_t(r) * width;
    if (sum_m == -kInf) {
      sum_m = m;
      total.l[r] = part.l[r];
      for (int d = 0; d < width; d += kLanes) store(o + d, load(from + d));
      continue;
    }
    float next = m > sum_m || m != m ? m : sum_m;
    float a = exp_nonpositive(splat(sum_m - next))[0], b = exp_nonpositive(splat(m - next))[0];
    sum_m = next;
    total.l[r] = total.l[r] * a + part.l[r] * b;
    for (int d = 0; d < width; d += kLanes) store(o + d, load(o + d) * a + load(from + d) * b);
  }
}

void finish(const AttentionState& total, int rows, int width) {
  for (int r = 0; r < rows; r++) {
    float* o = total.o + int64_t(r) * width;
    bool none = total.m[r] == -kInf;
    float factor = none ? 0.0f : 1.0f / total.l[r];
    for (int d = 0; d < width; d += kLanes) store(o + d, none ? vf{} : load(o + d) * factor);
  }
}

template <class T>
void read(const void* from, int64_t n, float scale, float* to) {
  const T* p = static_cast<const T*>(from);
  int64_t i = 0;
  for (; i + kLanes <= n; i += kLanes) store(to + i, load(p + i) * scale);
  for (; i < n; i++) to[i] = float(p[i]) * scale;
}

template <class T>
void write(const float* from, int64_t n, void* to) {
  T* p = static_cast<T*>(to);
  int64_t i = 0;
  if constexpr (!kIsFloat8<T>)
    for (; i + kLanes <= n; i += kLanes) store(p + i, load(from + i));
  for (; i < n; i++) p[i] = T(from[i]);
}

}  // namespace

const AttentionKernels& attention_kernels() {
  static const AttentionKernels kernels = {
      {block<float>, block<half>, block<bfloat>, block<f8e4m3>},
      combine,
      finish,
      {read<float>, read<half>, read<bfloat>, read<f8e4m3>},
      {write<float>, write<half>, write<bfloat>, write<f8e4m3>},
  };
  return kernels;
}

}  // namespace ingot::INGOT_ISA
