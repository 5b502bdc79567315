// The rows of a strided tensor: its last dimensions lie together in memory, the ones before may have any strides.
#pragma once
#include <cstdint>

#include "ingot/tensor/tensor.h"

namespace ingot {

// Do the last `inner` dimensions lie one element after the other?
inline bool inner_contiguous(const Tensor& x, int inner) {
  int64_t expected = 1;
  for (int d = x.dim() - 1; d >= x.dim() - inner; d--) {
    if (x.sizes()[d] != 1 && x.strides()[d] != expected) return false;
    expected *= x.sizes()[d];
  }
  return true;
}

// Where each row of `x` (all dimensions but the last `inner`, in order) starts, in elements. Neighbouring dimensions
// are merged, so that an ordinary tensor costs one multiplication a row.
class RowWalk {
 public:
  RowWalk(const Tensor& x, int inner) {
    for (int d = 0; d < x.dim() - inner; d++) {
      int64_t size = x.sizes()[d], stride = x.strides()[d];
      rows_ *= size;
      if (size == 1) continue;
      int last = sizes_.size() - 1;
      if (last >= 0 && strides_[last] == stride * size) {
        sizes_[last] *= size;
        strides_[last] = stride;
      } else {
        sizes_.push_back(size);
        strides_.push_back(stride);
      }
    }
  }
  int64_t rows() const { return rows_; }
  int64_t offset(int64_t row) const {
    int64_t at = 0;
    int d = sizes_.size() - 1;
    for (; d > 0; d--) {
      at += row % sizes_[d] * strides_[d];
      row /= sizes_[d];
    }
    return d == 0 ? at + row * strides_[0] : 0;
  }

 private:
  Dims sizes_, strides_;
  int64_t rows_ = 1;
};

}  // namespace ingot
