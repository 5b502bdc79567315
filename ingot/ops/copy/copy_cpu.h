// The CPU body of the copying operators, and row conversion for other rooms' CPU bodies.
#pragma once
#include "ingot/ops/copy/copy.h"
#include "ingot/ops/copy/copy_simd.h"

namespace ingot {

// dst[...] = converted src[...]; both of dst's sizes already, not overlapping, dst without repeated elements.
void copy_cpu(const Tensor& src, const Tensor& dst, Float8Overflow overflow);

// How a contiguous run of elements is converted: through `wide` (see copy_simd.h). Either step may be null: nothing to
// do.
struct RowConversion {
  ConvertRow load, store;
  int64_t from_item, to_item, wide_item;
  // n elements, either buffer at any address that suits its element type.
  void run(const char* from, char* to, int64_t n) const;
};
RowConversion row_conversion(DType from, DType to, Float8Overflow overflow = Float8Overflow::kDefault);

}  // namespace ingot
