#include "ingot/nn/kv_cache.h"

namespace ingot {

KvCache::KvCache(int64_t layers, int64_t kv_heads, int64_t head_dim, DType dtype)
    : layers_(layers),
      heads_(kv_heads),
      head_dim_(head_dim),
      dtype_(dtype),
      page_bytes_(layers * 2 * kv_heads * kPageTokens * head_dim * int64_t(itemsize(dtype))) {}

void KvCache::reserve(int64_t length) {
  while (capacity() < length) {
    pages_.push_back(empty({page_bytes_}, DType::kU8));
    pointers_.push_back(pages_.back().raw_data());
  }
}

void KvCache::truncate(int64_t length) {
  size_t keep = size_t((length + kPageTokens - 1) / kPageTokens);
  if (keep < pages_.size()) {
    pages_.resize(keep);
    pointers_.resize(keep);
  }
}

PagedKv KvCache::layer(int64_t index) const {
  int64_t half = page_bytes_ / layers_ / 2;
  return {pointers_, index * 2 * half, (index * 2 + 1) * half, kPageTokens, int(heads_), int(head_dim_), dtype_};
}

}  // namespace ingot
