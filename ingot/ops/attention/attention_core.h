// The walk of attention over tiles of query rows and chunks of keys, shared by the tensor operator and the paged form.
#pragma once
#include <cstdint>

#include "ingot/device/cpu/thread_pool.h"
#include "ingot/ops/attention/attention_simd.h"

namespace ingot {

// A group is one kv head of one sequence with its query heads. Its rows are (query, head of the group), the head
// fastest.
struct AttentionWork {
  int64_t groups, queries;
  int heads;  // query heads of a group
  int64_t keys;
  int dk, dv;
  KvType type;  // of keys and values in memory
  bool causal;  // query t sees keys [0, first_limit + t), within [0, keys)
  int64_t first_limit;
  bool masked;  // load_bias is called
  // k[i], v[i]: rows of keys key .. key + n - 1.
  FunctionRef<void(int64_t group, int64_t key, int n, const void** k, const void** v)> key_rows;
  FunctionRef<void(int64_t group, int64_t row, int rows, float* q)> load_queries;  // [rows][dk] in f32, scaled
  FunctionRef<void(int64_t group, int64_t row, int rows, int64_t key, int n, float* bias)>
      load_bias;  // [rows][kKeyBlock]
  FunctionRef<void(int64_t group, int64_t row, int rows, const float* o, int pitch)>
      store;  // [rows][pitch], dv of them meant
};

void run_attention(const AttentionWork& work);

inline const AttentionKernels& attention_table() { return simd_pick(INGOT_SIMD_LEVELS(attention_kernels)); }

}  // namespace ingot
