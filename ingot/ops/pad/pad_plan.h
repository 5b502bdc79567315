// What padding comes down to: axes of the result, each of which reads an axis of x at a distance.
#pragma once
#include <vector>

#include "ingot/ops/pad/pad.h"

namespace ingot {

struct PadAxis {
  int64_t in, out;  // sizes
  int64_t before;   // result index o stands for x's index o - before
  int64_t stride;   // of x, in elements
};

// x's axes with the counts that `pad` gives them; neighbours that can be walked as one are joined. At least one axis.
// Error as pad() says.
std::vector<PadAxis> pad_axes(const Tensor& x, const std::vector<int64_t>& pad, PadMode mode);

// The index of x that stands for i = o - before outside [0, n), or -1 where the constant does.
inline int64_t pad_source(PadMode mode, int64_t i, int64_t n) {
  if (i >= 0 && i < n) return i;
  switch (mode) {
    case PadMode::kReflect:
      return i < 0 ? -i : 2 * (n - 1) - i;
    case PadMode::kReplicate:
      return i < 0 ? 0 : n - 1;
    case PadMode::kCircular:
      return i < 0 ? i + n : i - n;
    default:
      return -1;
  }
}

// y is contiguous, of the padded sizes; `fill` is one element's bytes.
void pad_cpu(const Tensor& x, const std::vector<PadAxis>& axes, PadMode mode, const void* fill, const Tensor& y);
void pad_gpu(const Tensor& x, const std::vector<PadAxis>& axes, PadMode mode, const void* fill, const Tensor& y);

}  // namespace ingot
