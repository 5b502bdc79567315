// Launches of kernels over strided operands of one shape (ingot/ops/elementwise.h).
#pragma once
#include <initializer_list>

#include "ingot/base/strided_loop.h"
#include "ingot/device/gpu/driver.h"
#include "ingot/ops/elementwise.h"
#include "ingot/tensor/tensor.h"

namespace ingot {

struct ElementwiseLaunch {
  ElementwiseParams params;
  DType index;  // what offsets are computed in: i32 where they and the count fit, else i64
  gpu::Size groups, threads;
};

// Strides of the output first; neighbouring axes are merged. sizes must have elements.
ElementwiseLaunch elementwise_launch(const Dims& sizes, std::initializer_list<Dims> strides);

// A dtype as a function constant. Error kUnsupported for f64, which GPUs do not have.
double element_type(const char* op, DType dtype);

// The integers that elements are moved as, bit for bit.
DType moved_as(DType dtype);

}  // namespace ingot
