// What the kernel of rope is given. Read by C++ and by kernels.
#pragma once
#ifndef __METAL_VERSION__
#include <cstdint>
namespace ingot {
#endif

struct RopeParams {
  int64_t count;  // pairs and copied elements of all rows
  int64_t tokens, heads;
  int64_t dim, pairs;   // of a row, which is one head of one token
  int64_t sizes[8];     // of the axes that number the rows
  int64_t strides[32];  // in elements: 8 of y, 8 of x
  int rank;
  float scale;
};

#ifndef __METAL_VERSION__
}  // namespace ingot
#endif
