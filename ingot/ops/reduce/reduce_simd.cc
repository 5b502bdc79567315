#include "ingot/device/cpu/simd.h"
#include "ingot/ops/reduce/reduce_kernels.h"

namespace ingot::INGOT_ISA {

namespace {

constexpr float kInfinity = __builtin_inff();

// A run in four vectors of accumulators, which are folded in a fixed order; f(accumulator, x) is applied to vectors.
// The run's last, partial vector is filled up with `padding`, which must not change the result.
template <class F>
INGOT_INLINE vf fold(const float* x, int64_t n, float start, float padding, F f, vf (&acc)[4]) {
  constexpr int64_t kStep = 4 * kLanes;
  for (int k = 0; k < 4; k++) acc[k] = splat(start);
  int64_t i = 0;
  for (; i + kStep <= n; i += kStep)
    for (int k = 0; k < 4; k++) acc[k] = f(acc[k], load(x + i + k * kLanes));
  for (; i + kLanes <= n; i += kLanes) acc[0] = f(acc[0], load(x + i));
  if (i < n) {
    float tail[kLanes];
    for (int k = 0; k < kLanes; k++) tail[k] = i + k < n ? x[i + k] : padding;
    acc[1] = f(acc[1], load(tail));
  }
  return acc[0];
}

// Runs are cut so that no f32 accumulator takes more than 64 terms; the pieces' sums are added in f64.
constexpr int64_t kSumPiece = 4 * 64 * kLanes;
template <class F>
INGOT_INLINE double sum_of(const float* x, int64_t n, float padding, F f) {
  double total = 0;
  for (int64_t i = 0; i < n; i += kSumPiece) {
    vf acc[4];
    fold(x + i, n - i < kSumPiece ? n - i : kSumPiece, 0.0f, padding, f, acc);
    total += double(sum_lanes((acc[0] + acc[1]) + (acc[2] + acc[3])));
  }
  return total;
}

typedef float half_vf __attribute__((vector_size(kLanes * 2)));
typedef double vd __attribute__((vector_size(kLanes * 4)));
constexpr int kDoubles = kLanes / 2;

// In f64 throughout: memory is the limit, and the variance needs a mean that is good to the last bit.
double row_sum(const float* x, int64_t n, float) {
  vd acc[4] = {};
  int64_t i = 0;
  for (; i + 4 * kDoubles <= n; i += 4 * kDoubles)
    for (int k = 0; k < 4; k++) {
      half_vf v;
      memcpy(&v, x + i + k * kDoubles, sizeof v);
      acc[k] += __builtin_convertvector(v, vd);
    }
  double lanes[kDoubles], total = 0;
  vd all = (acc[0] + acc[1]) + (acc[2] + acc[3]);
  memcpy(lanes, &all, sizeof lanes);
  for (int k = 0; k < kDoubles; k++) total += lanes[k];
  for (; i < n; i++) total += double(x[i]);
  return total;
}
double row_deviations(const float* x, int64_t n, float c) {
  return sum_of(x, n, c, [c](vf acc, vf v) {
    vf d = v - c;
    return acc + d * d;
  });
}
double row_exp_sum(const float* x, int64_t n, float c) {
  return sum_of(x, n, -kInfinity, [c](vf acc, vf v) { return acc + vexp(v - c); });
}
double row_product(const float* x, int64_t n, float) {
  double p[4] = {1, 1, 1, 1};
  int64_t i = 0;
  for (; i + 4 <= n; i += 4)
    for (int k = 0; k < 4; k++) p[k] *= double(x[i + k]);
  for (; i < n; i++) p[0] *= double(x[i]);
  return (p[0] * p[1]) * (p[2] * p[3]);
}

// Once NaN, an accumulator stays so: nothing compares with it.
INGOT_INLINE vf max_or_nan(vf acc, vf v) { return ((v > acc) | (v != v)) ? v : acc; }
INGOT_INLINE vf min_or_nan(vf acc, vf v) { return ((v < acc) | (v != v)) ? v : acc; }

double row_max(const float* x, int64_t n, float) {
  vf acc[4];
  fold(
      x, n, -kInfinity, -kInfinity, [](vf a, vf v) { return max_or_nan(a, v); }, acc);
  float lanes[kLanes], best = -kInfinity;
  store(lanes, max_or_nan(max_or_nan(acc[0], acc[1]), max_or_nan(acc[2], acc[3])));
  for (int k = 0; k < kLanes; k++) best = lanes[k] > best || lanes[k] != lanes[k] ? lanes[k] : best;
  return best;
}
double row_min(const float* x, int64_t n, float) {
  vf acc[4];
  fold(
      x, n, kInfinity, kInfinity, [](vf a, vf v) { return min_or_nan(a, v); }, acc);
  float lanes[kLanes], best = kInfinity;
  store(lanes, min_or_nan(min_or_nan(acc[0], acc[1]), min_or_nan(acc[2], acc[3])));
  for (int k = 0; k < kLanes; k++) best = lanes[k] < best || lanes[k] != lanes[k] ? lanes[k] : best;
  return best;
}

void columns_sum(const float* x, int64_t n, double* s, const float*) {
  for (int64_t i = 0; i < n; i++) s[i] += double(x[i]);
}
void columns_product(const float* x, int64_t n, double* s, const float*) {
  for (int64_t i = 0; i < n; i++) s[i] *= double(x[i]);
}
void columns_max(const float* x, int64_t n, double* s, const float*) {
  for (int64_t i = 0; i < n; i++) {
    double v = double(x[i]);
    s[i] = ((v > s[i]) | (v != v)) ? v : s[i];
  }
}
void columns_min(const float* x, int64_t n, double* s, const float*) {
  for (int64_t i = 0; i < n; i++) {
    double v = double(x[i]);
    s[i] = ((v < s[i]) | (v != v)) ? v : s[i];
  }
}
void columns_deviations(const float* x, int64_t n, double* s, const float* c) {
  for (int64_t i = 0; i < n; i++) {
    double d = double(x[i] - c[i]);
    s[i] += d * d;
  }
}
void columns_exp_sum(const float* x, int64_t n, double* s, const float* c) {
  for (int64_t i = 0; i < n; i += kLanes) {
    int64_t m = n - i < kLanes ? n - i : kLanes;
    float e[kLanes] = {};
    for (int64_t k = 0; k < m; k++) e[k] = x[i + k] - c[i + k];
    store(e, vexp(load(e)));
    for (int64_t k = 0; k < m; k++) s[i + k] += double(e[k]);
  }
}

constexpr ReduceKernels<float, double> kKernels = {
    {row_sum, row_product, row_max, row_min, row_deviations, row_exp_sum},
    {columns_sum, columns_product, columns_max, columns_min, columns_deviations, columns_exp_sum}};

}  // namespace

const ReduceF32Kernels& reduce_kernels() { return kKernels; }

}  // namespace ingot::INGOT_ISA
