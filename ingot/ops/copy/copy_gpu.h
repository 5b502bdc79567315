// The GPU body of the copying operators.
#pragma once
#include "ingot/ops/copy/copy.h"

namespace ingot {

// As copy_cpu: both on one GPU, both of dst's sizes or broadcast to them, not overlapping, dst without repeated
// elements.
void copy_gpu(const char* op, const Tensor& src, const Tensor& dst, Float8Overflow overflow);

}  // namespace ingot
