// Padding along the last axes, as torch.nn.functional.pad.
#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

#include "ingot/tensor/tensor.h"

namespace ingot {

enum class PadMode : uint8_t {
  kConstant,
  kReflect,    // mirrored about the first and the last element, which are not repeated
  kReplicate,  // the first and the last element, again and again
  kCircular,   // as if the axis began anew
};
// "constant", "reflect", "replicate", "circular". Error naming these otherwise.
INGOT_API PadMode pad_mode_from_name(std::string_view name);

// pad: {before, after} of the last axis, then of the one before it, and so on: an even number of counts, for at most
// all axes. Negative counts cut off. Any dtype and any strides; the result is contiguous. `value`, of the constant mode
// alone, is converted to x's dtype (floats round, f8e4m3 saturates; Error where an integer cannot hold it). Errors: an
// axis whose size would become negative; reflect with a count not below the axis' size; replicate or circular padding
// of an empty axis; circular with a count above the axis' size.
INGOT_API Tensor pad(const Tensor& x, const std::vector<int64_t>& pad, PadMode mode = PadMode::kConstant,
                     double value = 0);

}  // namespace ingot
