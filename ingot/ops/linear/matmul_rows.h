// What the kernels of this room that read weights row by row have in common.
#pragma once
#include "ingot/device/cpu/simd.h"
#include "ingot/ops/linear/matmul_kernels.h"

namespace ingot::INGOT_ISA {

INGOT_INLINE int64_t smaller(int64_t a, int64_t b) { return a < b ? a : b; }

// What a row's sums are multiplied by.
INGOT_INLINE float scale_of_row(const WeightRows& w, int64_t n) {
  if (w.scale_layout == ScaleLayout::kRow) return w.scales[n];
  return w.scale_layout == ScaleLayout::kTensor ? w.scales[0] : 1.0f;
}
// The scales of a row's blocks of 128 columns, or null.
INGOT_INLINE const float* block_scales_of_row(const WeightRows& w, int64_t n) {
  return w.scale_layout == ScaleLayout::kBlock128 ? w.scales + n / 128 * ((w.cols + 127) / 128) : nullptr;
}

// f(rows, used) for all rows of a slice, R at a time, each from its own strip of the slice; where fewer are left, the
// last ones repeat and `used` of them count.
template <int R, class F>
INGOT_INLINE void for_far_rows(const MatmulSlice& s, F&& f) {
  const int64_t length = (s.end - s.begin) / R, left = s.begin + length * R;
  int64_t n[R];
  for (int64_t q = 0; q < length; q++) {
    for (int r = 0; r < R; r++) n[r] = s.begin + q + r * length;
    f(n, R);
  }
  if (left == s.end) return;
  for (int r = 0; r < R; r++) n[r] = smaller(left + r, s.end - 1);
  f(n, (int)(s.end - left));
}

}  // namespace ingot::INGOT_ISA
