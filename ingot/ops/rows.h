// What kernels that work on whole rows (softmax, norms) are given. Read by C++ and by kernels: their side is
// rows_kernel.h, the host's rows_gpu.h.
#pragma once
#ifndef __METAL_VERSION__
#include <cstdint>
#endif

struct RowsParams {
  int64_t count;        // of rows
  int64_t length;       // of a row
  int64_t sizes[8];     // of the axes that number the rows
  int64_t strides[32];  // of these axes, in elements: 8 of the output, then 8 of each input
  int64_t steps[4];     // between the elements of a row
  int64_t split_length;
  int rank;
  int splits;  // groups that share a row
  float a, b;  // the operator's own parameters
};
