// The rows of a tensor along one axis, for operators that work on a whole axis at a time (softmax, sort, scans). A row
// is named by its place in the logical order of the other axes, so rows of several tensors of one shape correspond.
#pragma once
#include <cstdint>

#include "ingot/base/strided_loop.h"
#include "ingot/tensor/tensor.h"

namespace ingot {

// Rows that are gathered or scattered together where the axis is not dense: neighbours share cache lines.
inline constexpr int64_t kRowGroup = 16;

class AxisRows {
 public:
  // dim in [0, rank); a scalar counts as one row of one element. Holds no reference to the tensor: keep it alive.
  AxisRows(const Tensor& t, int dim);

  int64_t rows() const { return rows_; }
  int64_t length() const { return length_; }
  int64_t stride() const { return stride_; }  // between elements of a row
  bool dense() const { return stride_ == 1 || length_ <= 1; }
  char* row(int64_t r) const;  // its first element
  // `count` rows from `first` on, to or from a dense buffer of count x length elements.
  void gather(int64_t first, int64_t count, void* buffer) const;
  void scatter(int64_t first, int64_t count, const void* buffer) const;

 private:
  StridedLoop others_;
  char* base_;
  int64_t item_, rows_, length_, stride_;
};

}  // namespace ingot
