// Vector kernels of attention: some rows of queries against one block of keys, with the softmax kept online.
//
// The arithmetic of a row is the same whatever rows are beside it: scores add up over the head dimension element by
// element, weighted values key by key, each in one lane; only rows are blocked. That is what makes prefill, decode and
// any batching bit-equal.
#pragma once
#include <cstdint>

#include "ingot/device/cpu/isa.h"

namespace ingot {

inline constexpr int kKeyBlock = 64;
inline constexpr int kRowBlock = 6;  // rows that share one load of keys and values in registers

enum KvType { kKvF32, kKvF16, kKvBF16, kKvF8, kKvTypes };

// Softmax state of rows: the largest score so far, the sum of weights relative to it, and the weighted sum of values.
struct AttentionState {
  float* m;  // [rows]; -infinity: no key seen yet
  float* l;  // [rows]
  float* o;  // [rows][dv_padded]
};

struct AttentionBlock {
  const void* const* k;  // [keys] pointers to rows of dk
  const void* const* v;  // [keys] pointers to rows of dv
  int keys;              // <= kKeyBlock
  const float* q;        // [rows][dk], scaled
  int rows;
  const int* visible;     // [rows]: a row sees the first so many keys of the block
  const float* bias;      // [rows][kKeyBlock] added to the scores, -infinity: masked; or null
  int dk, dv, dv_padded;  // dv_padded: multiple of 16
  float* k_scratch;       // [dk][kKeyBlock]
  float* v_scratch;       // [kKeyBlock][dv_padded]
  AttentionState state;
};

struct AttentionKernels {
  void (*block[kKvTypes])(const AttentionBlock& b);
  // Adds the state `part`, of later keys, into `total`.
  void (*combine)(const AttentionState& part, const AttentionState& total, int rows, int dv_padded);
  void (*finish)(const AttentionState& total, int rows, int dv_padded);  // o /= l; rows without a key: 0
  void (*read[kKvTypes])(const void* from, int64_t n, float scale, float* to);
  void (*write[kKvTypes])(const float* from, int64_t n, void* to);
};
INGOT_SIMD_TABLE(AttentionKernels, attention_kernels)

}  // namespace ingot
