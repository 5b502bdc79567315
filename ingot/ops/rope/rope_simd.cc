#include "ingot/ops/rope/rope_simd.h"

#include "ingot/device/cpu/simd.h"

namespace ingot::INGOT_ISA {

namespace {

INGOT_INLINE float get(const float* p) { return *p; }
INGOT_INLINE float get(const half* p) { return half_to_float(p->bits); }
INGOT_INLINE float get(const bfloat* p) { return bfloat_to_float(p->bits); }
INGOT_INLINE void put(float* p, float v) { *p = v; }
INGOT_INLINE void put(half* p, float v) { p->bits = float_to_half(v); }
INGOT_INLINE void put(bfloat* p, float v) { p->bits = float_to_bfloat(v); }

// Reduction to |r| <= pi/4 with pi/2 in two doubles: r is off by 1e-8 at an angle of 1e8 and by far less below, where
// f32 shows 6e-8. The series are Taylor's, whose first neglected terms are below 1e-13 there. Straight-line code, so
// that the compiler makes vectors of it.
void angles(float position, const float* inv_freq, int64_t n, double scale, float* cosine, float* sine) {
  constexpr double kTwoOverPi = 0.63661977236758134308, kHigh = 0x1.921fb54400000p+0, kLow = 0x1.0b4611a626331p-34;
  constexpr double kRound = 0x1.8p52;
  for (int64_t i = 0; i < n; i++) {
    double a = double(position * inv_freq[i]);
    double shifted = a * kTwoOverPi + kRound;
    double k = shifted - kRound;
    double r = (a - k * kHigh) - k * kLow;
    double r2 = r * r;
    double s = 1.0 / 6227020800.0;
    s = s * r2 - 1.0 / 39916800.0;
    s = s * r2 + 1.0 / 362880.0;
    s = s * r2 - 1.0 / 5040.0;
    s = s * r2 + 1.0 / 120.0;
    s = s * r2 - 1.0 / 6.0;
    s = r + r * r2 * s;
    double c = -1.0 / 87178291200.0;
    c = c * r2 + 1.0 / 479001600.0;
    c = c * r2 - 1.0 / 3628800.0;
    c = c * r2 + 1.0 / 40320.0;
    c = c * r2 - 1.0 / 720.0;
    c = c * r2 + 1.0 / 24.0;
    c = c * r2 - 0.5;
    c = 1.0 + r2 * c;
    // Quadrant k mod 4 in doubles: half = floor(k / 2), odd = k - 2 half.
    double half_k = (k * 0.5 - 0.25 + kRound) - kRound;
    double odd = k - 2 * half_k;
    double quarter = (half_k * 0.5 - 0.25 + kRound) - kRound;
    double sign = 1 - 2 * (half_k - 2 * quarter);
    double out_cos = sign * (c - odd * (c + s));  // odd: -s
    double out_sin = sign * (s + odd * (c - s));  // odd: c
    cosine[i] = float(out_cos * scale);
    sine[i] = float(out_sin * scale);
  }
}

template <class T>
void halves(const void* x, const float* cosine, const float* sine, int64_t half_size, void* y) {
  const T *p = static_cast<const T*>(x), *q = p + half_size;
  T *u = static_cast<T*>(y), *v = u + half_size;
  int64_t i = 0;
  for (; i + kLanes <= half_size; i += kLanes) {
    vf a = load(p + i), b = load(q + i), c = load(cosine + i), s = load(sine + i);
    store(u + i, a * c - b * s);
    store(v + i, b * c + a * s);
  }
  for (; i < half_size; i++) {
    float a = get(p + i), b = get(q + i), c = cosine[i], s = sine[i];
    put(u + i, a * c - b * s);
    put(v + i, b * c + a * s);
  }
}

template <class T>
void interleaved(const void* x, const float* cosine, const float* sine, int64_t half_size, void* y) {
  const T* p = static_cast<const T*>(x);
  T* u = static_cast<T*>(y);
  for (int64_t i = 0; i < half_size; i++) {
    float a = get(p + 2 * i), b = get(p + 2 * i + 1), c = cosine[i], s = sine[i];
    put(u + 2 * i, a * c - b * s);
    put(u + 2 * i + 1, b * c + a * s);
  }
}

}  // namespace

const RopeKernels& rope_kernels() {
  static const RopeKernels kernels = {
      angles,
      {halves<float>, halves<half>, halves<bfloat>},
      {interleaved<float>, interleaved<half>, interleaved<bfloat>},
  };
  return kernels;
}

}  // namespace ingot::INGOT_ISA
