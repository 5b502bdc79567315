// Vector kernels of rotary embedding.
#pragma once
#include <cstdint>

#include "ingot/device/cpu/isa.h"

namespace ingot {

enum RopeType { kRopeF32, kRopeF16, kRopeBF16, kRopeTypes };

struct RopeKernels {
  // cos[i] and sin[i] of angle[i] = position * inv_freq[i], times scale. |position * inv_freq[i]| <= kRopeFastAngle.
  void (*angles)(float position, const float* inv_freq, int64_t n, double scale, float* cos, float* sin);
  // Rotates `half` pairs of x into y.
  void (*halves[kRopeTypes])(const void* x, const float* cos, const float* sin, int64_t half, void* y);
  void (*interleaved[kRopeTypes])(const void* x, const float* cos, const float* sin, int64_t half, void* y);
};
INGOT_SIMD_TABLE(RopeKernels, rope_kernels)

inline constexpr double kRopeFastAngle = 1e8;

}  // namespace ingot
