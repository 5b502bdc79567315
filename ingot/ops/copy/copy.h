// Moving and converting elements.
#pragma once
#include "ingot/tensor/tensor.h"

namespace ingot {

// dst[...] = src[...], src broadcast to dst's sizes and converted to its dtype as `to` does; they may be on different
// devices. dst may be any view whose elements are distinct; Error if it repeats elements (a stride of 0) or if the two
// overlap in memory.
INGOT_API void copy_(const Tensor& dst, const Tensor& src);
// A fresh contiguous copy.
INGOT_API Tensor clone(const Tensor& x);
// x itself if it is contiguous already, else a copy.
INGOT_API Tensor contiguous(const Tensor& x);
// Conversion; x itself if it has the dtype already. Floats round to nearest even, in one step from float or double (f64
// rounds through f32 for the float8 types and halves); to an integer they truncate toward zero, and NaN or values out
// of range give 0 or the nearest end (PyTorch leaves those undefined). To bool: x != 0, NaN true. f8e4m3 saturates,
// f8e5m2 overflows to infinity.
INGOT_API Tensor to(const Tensor& x, DType dtype);
// On that device; x itself if it is there already, else a contiguous copy. To the CPU it waits.
INGOT_API Tensor to(const Tensor& x, Device device);
enum class Float8Overflow {
  kDefault,
  kSaturate,
  kNonSaturating
};  // f8e4m3: saturate by default; f8e5m2: non-saturating by default
INGOT_API Tensor to(const Tensor& x, DType dtype, Float8Overflow overflow);
// x seen with other sizes: a view where the strides allow it, else a copy. One size may be -1.
INGOT_API Tensor reshape(const Tensor& x, const Dims& sizes);

}  // namespace ingot
