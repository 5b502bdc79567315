// Keys and values of one sequence in fixed-size pages, so that the cache grows without copying what is there. A page
// holds kPageTokens tokens of all layers: for each layer keys then values, each [kv heads][kPageTokens][head_dim].
#pragma once
#include <vector>

#include "ingot/ops/attention/paged_attention.h"
#include "ingot/tensor/tensor.h"

namespace ingot {

class INGOT_API KvCache {
 public:
  static constexpr int kPageTokens = 64;
  KvCache(int64_t layers, int64_t kv_heads, int64_t head_dim, DType dtype);

  // Makes room for tokens [0, length). Existing pages stay where they are.
  void reserve(int64_t length);
  void truncate(int64_t length);  // gives whole pages beyond back
  PagedKv layer(int64_t index) const;
  int64_t bytes_per_token() const { return page_bytes_ / kPageTokens; }
  int64_t capacity() const { return int64_t(pages_.size()) * kPageTokens; }

 private:
  int64_t layers_, heads_, head_dim_;
  DType dtype_;
  int64_t page_bytes_;
  std::vector<Tensor> pages_;
  std::vector<void*> pointers_;
};

}  // namespace ingot
