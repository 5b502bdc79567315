#include "ingot/ops/rope/rope_cpu.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>

#include "ingot/device/cpu/thread_pool.h"
#include "ingot/ops/rope/rope_simd.h"
#include "ingot/ops/row_walk.h"

namespace ingot {

namespace {

int64_t position_at(const Tensor& positions, int64_t t) {
  return positions.dtype() == DType::kI64 ? static_cast<const int64_t*>(positions.raw_data())[t]
                                          : static_cast<const int32_t*>(positions.raw_data())[t];
}

// cos and sin of one token, [half] each. Angles beyond the vector kernel's range go through libm.
void token_angles(const RopeKernels& kernels, float position, const float* inv_freq, int64_t half, double scale,
                  float* cosine, float* sine) {
  bool fast = true;
  for (int64_t i = 0; i < half; i++) fast = fast && std::fabs(double(position * inv_freq[i])) <= kRopeFastAngle;
  if (fast) return kernels.angles(position, inv_freq, half, scale, cosine, sine);
  for (int64_t i = 0; i < half; i++) {
    double angle = double(position * inv_freq[i]);
    cosine[i] = static_cast<float>(std::cos(angle) * scale);
    sine[i] = static_cast<float>(std::sin(angle) * scale);
  }
}

void rotate_f64(const double* x, float position, const float* inv_freq, int64_t half, RopeStyle style, double scale,
                double* y) {
  for (int64_t i = 0; i < half; i++) {
    double angle = double(position * inv_freq[i]), c = std::cos(angle) * scale, s = std::sin(angle) * scale;
    int64_t p = style == RopeStyle::kHalf ? i : 2 * i, q = style == RopeStyle::kHalf ? i + half : 2 * i + 1;
    y[p] = x[p] * c - x[q] * s;
    y[q] = x[q] * c + x[p] * s;
  }
}

}  // namespace

void rope_cpu(const Tensor& x, const Tensor& positions, const Tensor& inv_freq, RopeStyle style, double scale,
              const Tensor& y) {
  const RopeKernels& kernels = simd_pick(INGOT_SIMD_LEVELS(rope_kernels));
  int rank = x.dim();
  int64_t tokens = x.size(-3), heads = x.size(-2), dim = x.size(-1), half = inv_freq.numel(),
          item = int64_t(itemsize(x.dtype()));
  int64_t batch = x.numel() / (tokens * heads * dim);
  RowWalk walk(x, 1);
  const char* from = static_cast<const char*>(x.raw_data());
  char* to = static_cast<char*>(y.raw_data());
  const float* freq = static_cast<const float*>(inv_freq.raw_data());
  DType t = x.dtype();
  RopeType type = t == DType::kF16 ? kRopeF16 : t == DType::kBF16 ? kRopeBF16 : kRopeF32;
  auto rotate = style == RopeStyle::kHalf ? kernels.halves[type] : kernels.interleaved[type];
  int64_t head_stride = x.strides()[rank - 2];
  int64_t work = batch * heads * dim;
  parallel_for(tokens, std::max<int64_t>(1, 32768 / work), [&](int64_t begin, int64_t end) {
    float table[2 * 256];
    std::unique_ptr<float[]> large;
    if (half > 256) large.reset(new float[size_t(2 * half)]);
    float *cosine = large ? large.get() : table, *sine = cosine + half;
    for (int64_t token = begin; token < end; token++) {
      float position = static_cast<float>(position_at(positions, token));
      if (t != DType::kF64) token_angles(kernels, position, freq, half, scale, cosine, sine);
      for (int64_t b = 0; b < batch; b++) {
        int64_t row = (b * tokens + token) * heads;
        const char* head = from + walk.offset(row) * item;
        char* out = to + row * dim * item;
        for (int64_t h = 0; h < heads; h++, head += head_stride * item, out += dim * item) {
          if (t == DType::kF64)
            rotate_f64(reinterpret_cast<const double*>(head), position, freq, half, style, scale,
                       reinterpret_cast<double*>(out));
          else
            rotate(head, cosine, sine, half, out);
          if (dim > 2 * half) memcpy(out + 2 * half * item, head + 2 * half * item, size_t((dim - 2 * half) * item));
        }
      }
    }
  });
}

}  // namespace ingot
