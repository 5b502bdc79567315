// What kernels over strided operands of one shape are given. Read by C++ and by kernels: their side is
// ingot/ops/elementwise_kernel.h, the host's elementwise_gpu.h.
#pragma once
#ifndef __METAL_VERSION__
#include <cstdint>
#endif

// The numbers of DType (ingot/base/dtype.h), as function constants hold them.
enum ElementType {
  kElementNumber = -1,  // no tensor: a number of the launch
  kElementBool,
  kElementU8,
  kElementI8,
  kElementI16,
  kElementI32,
  kElementI64,
  kElementF8E4M3,
  kElementF8E5M2,
  kElementF8E8M0,
  kElementF16,
  kElementBF16,
  kElementF32
};

// Threads of a group, and elements that each takes, a group's width apart.
enum { kElementwiseThreads = 256, kElementsPerThread = 4 };

struct ElementwiseParams {
  int64_t count;
  int64_t sizes[8];
  int64_t strides[32];  // in elements: 8 of the output, then 8 of each input
  int64_t int_a, int_b;
  int rank;
  int reserved;
  float a, b;  // the operator's own parameters; int_a and int_b where it computes in integers
};
