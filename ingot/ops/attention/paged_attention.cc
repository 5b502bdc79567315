#include "ingot/ops/attention/paged_attention.h"

#include <algorithm>

#include "ingot/base/error.h"
#include "ingot/ops/attention/attention_core.h"
#include "ingot/tensor/stream.h"

namespace ingot {

namespace {

KvType kv_type(const char* op, DType t) {
  switch (t) {
    case DType::kF32:
      return kKvF32;
    case DType::kF16:
      return kKvF16;
    case DType::kBF16:
      return kKvBF16;
    case DType::kF8E4M3:
      return kKvF8;
    default:
      fail_argument(op, "kv dtype", "f32, f16, bf16 or f8e4m3", cat(t));
  }
}

// These two read pages and positions of the moment, which a recorded call would not see change.
void refuse_capture(const char* op) {
  if (cpu_stream().capturing()) fail(ErrorKind::kState, op, "cannot be captured");
}

void check_range(const char* op, const PagedKv& kv, int64_t position, int64_t tokens) {
  if (kv.page_tokens < 1 || kv.heads < 1 || kv.head_dim < 1)
    fail_argument(op, "kv", "positive page_tokens, heads and head_dim",
                  cat(kv.page_tokens, ", ", kv.heads, ", ", kv.head_dim));
  int64_t room = static_cast<int64_t>(kv.pages.size()) * kv.page_tokens;
  if (position < 0 || tokens < 0 || position > room - tokens)
    fail(ErrorKind::kIndex, op,
         cat(tokens, " tokens from position ", position, " do not lie in ", kv.pages.size(), " pages of ",
             kv.page_tokens));
}

}  // namespace

void kv_write(const PagedKv& kv, int64_t position, const float* k, const float* v, int64_t tokens, int64_t row_stride) {
  constexpr const char* op = "kv_write";
  refuse_capture(op);
  auto write = attention_table().write[kv_type(op, kv.dtype)];
  check_range(op, kv, position, tokens);
  int64_t row_bytes = int64_t(kv.head_dim) * int64_t(itemsize(kv.dtype));
  int64_t grain = std::max<int64_t>(1, 32768 / (int64_t(kv.heads) * kv.head_dim));
  parallel_for(tokens, grain, [&](int64_t begin, int64_t end) {
    for (int64_t t = begin; t < end; t++) {
      char* page = static_cast<char*>(kv.pages[size_t((position + t) / kv.page_tokens)]);
      int64_t slot = (position + t) % kv.page_tokens;
      for (int64_t h = 0; h < kv.heads; h++) {
        int64_t at = (h * kv.page_tokens + slot) * row_bytes;
        write(k + t * row_stride + h * kv.head_dim, kv.head_dim, page + kv.k_offset + at);
        write(v + t * row_stride + h * kv.head_dim, kv.head_dim, page + kv.v_offset + at);
      }
    }
  });
}

void paged_attention(const float* q, int64_t q_row_stride, int q_heads, const PagedKv& kv, int64_t position,
                     int64_t tokens, float scale, float* out, int64_t out_row_stride) {
  constexpr const char* op = "paged_attention";
  refuse_capture(op);
  KvType type = kv_type(op, kv.dtype);
  check_range(op, kv, position, tokens);
  if (q_heads < 1 || q_heads % kv.heads != 0)
    fail_argument(op, "q_heads", cat("a multiple of the kv heads, ", kv.heads), cat(q_heads));
  int heads = q_heads / kv.heads, dim = kv.head_dim;
  const AttentionKernels& kernels = attention_table();
  int64_t row_bytes = int64_t(dim) * int64_t(itemsize(kv.dtype));
  auto key_rows = [&](int64_t head, int64_t key, int n, const void** k, const void** v) {
    for (int i = 0; i < n;) {
      int64_t slot = (key + i) % kv.page_tokens;
      const char* page = static_cast<const char*>(kv.pages[size_t((key + i) / kv.page_tokens)]) +
                         (head * kv.page_tokens + slot) * row_bytes;
      for (; i < n && slot < kv.page_tokens; i++, slot++, page += row_bytes) {
        k[i] = page + kv.k_offset;
        v[i] = page + kv.v_offset;
      }
    }
  };
  auto load_queries = [&](int64_t head, int64_t row, int rows, float* to) {
    for (int r = 0; r < rows; r++)
      kernels.read[kKvF32](q + (row + r) / heads * q_row_stride + (head * heads + (row + r) % heads) * dim, dim, scale,
                           to + int64_t(r) * dim);
  };
  auto store = [&](int64_t head, int64_t row, int rows, const float* o, int pitch) {
    for (int r = 0; r < rows; r++)
      kernels.write[kKvF32](o + int64_t(r) * pitch, dim,
                            out + (row + r) / heads * out_row_stride + (head * heads + (row + r) % heads) * dim);
  };
  run_attention({kv.heads, tokens, heads, position + tokens, dim, dim, type, true, position + 1, false, key_rows,
                 load_queries, [](int64_t, int64_t, int, int64_t, int, float*) {}, store});
}

}  // namespace ingot
