#include "ingot/ops/sort/sort_simd.h"

#include "ingot/device/cpu/simd.h"

namespace ingot::INGOT_ISA {

namespace {

void float_keys(const float* x, uint32_t* keys, int64_t n, uint32_t flip) {
  for (int64_t i = 0; i < n; i++) {
    float v = x[i] + 0.0f;  // -0 becomes +0
    uint32_t u;
    memcpy(&u, &v, 4);
    uint32_t key = u ^ (uint32_t(int32_t(u) >> 31) | 0x80000000u);
    key = (u & 0x7FFFFFFFu) > 0x7F800000u ? 0xFFFFFFFFu : key;
    keys[i] = key ^ flip;
  }
}

int64_t below(const uint32_t* keys, int64_t n, uint32_t limit, int32_t* out) {
  constexpr int64_t kGroup = 64;
  int64_t count = 0, i = 0;
  for (; i + kGroup <= n; i += kGroup) {
    uint32_t least = 0xFFFFFFFFu;
    for (int64_t k = 0; k < kGroup; k++) least = keys[i + k] < least ? keys[i + k] : least;
    if (least >= limit) continue;
    for (int64_t k = 0; k < kGroup; k++)
      if (keys[i + k] < limit) out[count++] = int32_t(i + k);
  }
  for (; i < n; i++)
    if (keys[i] < limit) out[count++] = int32_t(i);
  return count;
}

constexpr SortKernels kKernels = {float_keys, below};

}  // namespace

const SortKernels& sort_kernels() { return kKernels; }

}  // namespace ingot::INGOT_ISA
