#include "ingot/device/cpu/simd.h"
#include "ingot/ops/linear/bandwidth_kernels.h"

namespace ingot::INGOT_ISA {

namespace {

template <int S, bool kPrefetch>
uint64_t read_streams(const uint8_t* p, int64_t bytes, int64_t prefetch) {
  constexpr int kVectors = 64 / (4 * kLanes);
  const int64_t strip = bytes / S;
  vu sum[S] = {};
  for (int64_t at = 0; at < strip; at += 64) {
#pragma GCC unroll 8
    for (int s = 0; s < S; s++) {
      const uint8_t* q = p + s * strip + at;
      if constexpr (kPrefetch) __builtin_prefetch(q + prefetch);
#pragma GCC unroll 4
      for (int i = 0; i < kVectors; i++) {
        vu v;
        memcpy(&v, q + i * 4 * kLanes, sizeof v);
        sum[s] ^= v;
      }
    }
  }
  for (int s = 1; s < S; s++) sum[0] ^= sum[s];
  uint64_t out = 0;
  for (int i = 0; i < kLanes; i++) out ^= sum[0][i];
  return out;
}

template <int S>
uint64_t read_prefetched(const uint8_t* p, int64_t bytes, int64_t prefetch) {
  return prefetch > 0 ? read_streams<S, true>(p, bytes, prefetch) : read_streams<S, false>(p, bytes, 0);
}

uint64_t read(const uint8_t* p, int64_t bytes, int streams, int64_t prefetch) {
  switch (streams) {
    case 1:
      return read_prefetched<1>(p, bytes, prefetch);
    case 2:
      return read_prefetched<2>(p, bytes, prefetch);
    case 4:
      return read_prefetched<4>(p, bytes, prefetch);
    default:
      return read_prefetched<8>(p, bytes, prefetch);
  }
}

}  // namespace

const BandwidthKernels& bandwidth_kernels() {
  static constexpr BandwidthKernels kernels = {read};
  return kernels;
}

}  // namespace ingot::INGOT_ISA
