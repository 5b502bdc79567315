#include "ingot/ops/softmax/softmax_simd.h"

#include "ingot/device/cpu/simd.h"

namespace ingot::INGOT_ISA {

namespace {

constexpr float kNegativeInfinity = -__builtin_inff();

// e^x for x <= 0, to 1 ulp; 0 where the result would be below the smallest normal float (a masked row is full of such
// values, and subnormal arithmetic costs a hundred cycles an operation); NaN stays NaN.
INGOT_INLINE vf exp_of_nonpositive(vf x) {
  const vf lowest = splat(-87.33f);
  const vf magic = splat(0x1.8p23f);
  vf clamped = x > lowest ? x : lowest;
  vf shifted = clamped * 1.44269504f + magic;  // its low bits hold the exponent
  vf rounded = shifted - magic;
  vf r = clamped - rounded * 0.693145751953125f;
  r = r - rounded * 1.42860682030941723212e-6f;
  vf p = splat(1.9875691500e-4f);
  p = p * r + 1.3981999507e-3f;
  p = p * r + 8.3334519073e-3f;
  p = p * r + 4.1665795894e-2f;
  p = p * r + 1.6666665459e-1f;
  p = p * r + 5.0000001201e-1f;
  vf e = p * (r * r) + r + 1.0f;
  vf y = (vf)((vi)e + ((vi)shifted << 23));
  y = x < lowest ? splat(0.0f) : y;
  return x == x ? y : x;
}

// The last, partial vector of a row, filled up with -inf.
INGOT_INLINE vf load_tail(const float* p, int64_t n) {
  float v[kLanes];
  for (int i = 0; i < kLanes; i++) v[i] = i < n ? p[i] : kNegativeInfinity;
  return load(v);
}
INGOT_INLINE void store_tail(float* p, vf v, int64_t n) {
  float out[kLanes];
  store(out, v);
  for (int64_t i = 0; i < n; i++) p[i] = out[i];
}

SoftmaxStats<float> stats(const float* x, int64_t n, float* e) {
  constexpr int64_t kStep = 4 * kLanes;
  vf m[4] = {splat(kNegativeInfinity), splat(kNegativeInfinity), splat(kNegativeInfinity), splat(kNegativeInfinity)};
  int64_t i = 0;
  for (; i + kStep <= n; i += kStep)
    for (int k = 0; k < 4; k++) m[k] = vmax(load(x + i + k * kLanes), m[k]);
  for (; i + kLanes <= n; i += kLanes) m[0] = vmax(load(x + i), m[0]);
  if (i < n) m[0] = vmax(load_tail(x + i, n - i), m[0]);
  float max = max_lanes(vmax(vmax(m[0], m[1]), vmax(m[2], m[3])));

  vf bias = splat(max == kNegativeInfinity ? 0.0f : max);
  vf s[4] = {};
  i = 0;
  if (e) {
    for (; i + kStep <= n; i += kStep)
      for (int k = 0; k < 4; k++) {
        vf v = exp_of_nonpositive(load(x + i + k * kLanes) - bias);
        store(e + i + k * kLanes, v);
        s[k] += v;
      }
  } else {
    for (; i + kStep <= n; i += kStep)
      for (int k = 0; k < 4; k++) s[k] += exp_of_nonpositive(load(x + i + k * kLanes) - bias);
  }
  for (; i < n; i += kLanes) {
    bool whole = i + kLanes <= n;
    vf v = exp_of_nonpositive((whole ? load(x + i) : load_tail(x + i, n - i)) - bias);
    s[0] += v;
    if (!e) continue;
    whole ? store(e + i, v) : store_tail(e + i, v, n - i);
  }
  return {max, sum_lanes((s[0] + s[1]) + (s[2] + s[3]))};
}

void exp_scale(const float* x, float max, float scale, float* y, int64_t n) {
  int64_t i = 0;
  for (; i + kLanes <= n; i += kLanes) store(y + i, exp_of_nonpositive(load(x + i) - max) * scale);
  if (i < n) store_tail(y + i, exp_of_nonpositive(load_tail(x + i, n - i) - max) * scale, n - i);
}
void scale_row(const float* x, float factor, float* y, int64_t n) {
  for (int64_t i = 0; i < n; i++) y[i] = x[i] * factor;
}
void subtract(const float* x, float max, float log_sum, float* y, int64_t n) {
  for (int64_t i = 0; i < n; i++) y[i] = (x[i] - max) - log_sum;
}

constexpr SoftmaxKernels<float> kKernels = {stats, exp_scale, scale_row, subtract};

}  // namespace

const SoftmaxF32Kernels& softmax_kernels() { return kKernels; }

}  // namespace ingot::INGOT_ISA
