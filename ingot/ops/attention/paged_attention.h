// Attention over a paged cache of keys and values: what the language models use. The composed form and test oracle is
// scaled_dot_product_attention with CausalMode::kBottomRight over the gathered keys.
#pragma once
#include <cstdint>
#include <span>

#include "ingot/base/dtype.h"
#include "ingot/base/export.h"

namespace ingot {

// One layer's keys and values of one sequence. Page p holds tokens [p * page_tokens, (p + 1) * page_tokens).
struct PagedKv {
  std::span<void* const> pages;
  int64_t k_offset,
      v_offset;  // bytes into each page where this layer's keys and values start, each [heads][page_tokens][head_dim]
  int page_tokens, heads, head_dim;  // heads: of keys and values
  DType dtype;                       // f32, f16, bf16 or f8e4m3
};

// Writes the keys and values [tokens][heads][head_dim] of the tokens from `position` on, rounded to kv.dtype (f8e4m3
// saturates). row_stride: elements between tokens, in k and in v. Error kIndex beyond the pages.
INGOT_API void kv_write(const PagedKv& kv, int64_t position, const float* k, const float* v, int64_t tokens,
                        int64_t row_stride);

// out[t][h] = sum over keys j of softmax_j(scale * q[t][h] . k[j]) v[j], keys 0 .. position + t, kv head h / (q_heads /
// kv.heads). q and out: [tokens][q_heads][head_dim]; the strides are elements between tokens. The keys of these tokens
// must be in the cache already. A row's result is bit for bit the same whatever `tokens` and the number of threads are.
// Memory of keys past a row's last is not read into its result, whatever it holds. Error kIndex beyond the pages,
// kArgument if q_heads is no multiple of kv.heads.
INGOT_API void paged_attention(const float* q, int64_t q_row_stride, int q_heads, const PagedKv& kv, int64_t position,
                               int64_t tokens, float scale, float* out, int64_t out_row_stride);

}  // namespace ingot
