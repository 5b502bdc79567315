#include "ingot/ops/norm/norm_simd.h"

#include "ingot/device/cpu/simd.h"

namespace ingot::INGOT_ISA {

namespace {

constexpr int64_t kBlock = 4096;  // elements added up in f32 before they join a double: long rows keep their accuracy

INGOT_INLINE float get(const float* p) { return *p; }
INGOT_INLINE float get(const half* p) { return half_to_float(p->bits); }
INGOT_INLINE float get(const bfloat* p) { return bfloat_to_float(p->bits); }
INGOT_INLINE void put(float* p, float v) { *p = v; }
INGOT_INLINE void put(half* p, float v) { p->bits = float_to_half(v); }
INGOT_INLINE void put(bfloat* p, float v) { p->bits = float_to_bfloat(v); }

// Sum of f(x[i]) over the row, in an order that depends on n only.
template <class T, class F>
INGOT_INLINE double sum_of(const T* x, int64_t n, F f) {
  double total = 0;
  for (int64_t start = 0; start < n; start += kBlock) {
    int64_t end = n - start < kBlock ? n : start + kBlock;
    vf a = {}, b = {}, c = {}, d = {};
    int64_t i = start;
    for (; i + 4 * kLanes <= end; i += 4 * kLanes) {
      a += f(load(x + i));
      b += f(load(x + i + kLanes));
      c += f(load(x + i + 2 * kLanes));
      d += f(load(x + i + 3 * kLanes));
    }
    for (; i + kLanes <= end; i += kLanes) a += f(load(x + i));
    float tail = 0;
    for (; i < end; i++) tail += f(splat(get(x + i)))[0];
    total += double(sum_lanes((a + b) + (c + d))) + tail;
  }
  return total;
}

// y = (x - shift) * scale * weight + bias
template <class T, class W>
INGOT_INLINE void apply(const T* x, float shift, float scale, const W* weight, const W* bias, T* y, int64_t n) {
  int64_t i = 0;
  for (; i + kLanes <= n; i += kLanes) {
    vf v = (load(x + i) - shift) * scale;
    if (weight) v *= load(weight + i);
    if (bias) v += load(bias + i);
    store(y + i, v);
  }
  for (; i < n; i++) {
    float v = (get(x + i) - shift) * scale;
    if (weight) v *= get(weight + i);
    if (bias) v += get(bias + i);
    put(y + i, v);
  }
}

template <class T, class W>
void rms(const void* x, const void* weight, void* y, int64_t n, float eps) {
  const T* p = static_cast<const T*>(x);
  double mean_square = sum_of(
                           p, n, [](vf v) __attribute__((always_inline)) { return v * v; }) /
                       double(n);
  float scale = float(1.0 / __builtin_sqrt(mean_square + double(eps)));
  apply(p, 0.0f, scale, static_cast<const W*>(weight), static_cast<const W*>(nullptr), static_cast<T*>(y), n);
}

template <class T, class W>
void layer(const void* x, const void* weight, const void* bias, void* y, int64_t n, float eps) {
  const T* p = static_cast<const T*>(x);
  float mean = float(sum_of(
                         p, n, [](vf v) __attribute__((always_inline)) { return v; }) /
                     double(n));
  double variance = sum_of(
                        p, n, [mean](vf v) __attribute__((always_inline)) { return (v - mean) * (v - mean); }) /
                    double(n);
  float scale = float(1.0 / __builtin_sqrt(variance + double(eps)));
  apply(p, mean, scale, static_cast<const W*>(weight), static_cast<const W*>(bias), static_cast<T*>(y), n);
}

template <class T>
void add(const void* a, const void* b, void* sum, int64_t n) {
  const T *p = static_cast<const T*>(a), *q = static_cast<const T*>(b);
  T* s = static_cast<T*>(sum);
  int64_t i = 0;
  for (; i + kLanes <= n; i += kLanes) store(s + i, load(p + i) + load(q + i));
  for (; i < n; i++) put(s + i, get(p + i) + get(q + i));
}

}  // namespace

const NormKernels& norm_kernels() {
  static const NormKernels kernels = {
      {{rms<float, float>, rms<float, half>, rms<float, bfloat>},
       {rms<half, float>, rms<half, half>, rms<half, bfloat>},
       {rms<bfloat, float>, rms<bfloat, half>, rms<bfloat, bfloat>}},
      {{layer<float, float>, layer<float, half>, layer<float, bfloat>},
       {layer<half, float>, layer<half, half>, layer<half, bfloat>},
       {layer<bfloat, float>, layer<bfloat, half>, layer<bfloat, bfloat>}},
      {add<float>, add<half>, add<bfloat>},
  };
  return kernels;
}

}  // namespace ingot::INGOT_ISA
