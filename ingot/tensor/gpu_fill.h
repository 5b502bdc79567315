// A tensor on a GPU filled with one value.
#pragma once
#include "ingot/tensor/tensor.h"

namespace ingot::gpu {

// t, contiguous, becomes `element` (itemsize bytes) throughout.
void fill_pattern(const Tensor& t, const void* element);

}  // namespace ingot::gpu
