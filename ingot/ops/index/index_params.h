// What the kernels of indexing are given. Read by C++ and by kernels.
#pragma once
#ifndef __METAL_VERSION__
#include <cstdint>
namespace ingot {
#endif

struct IndexParams {
  int64_t count;                    // threads with work: elements of y, or columns
  int64_t sizes[8];                 // of the axes that number them
  int64_t strides[32];              // in elements: 8 of y, 8 of x (or what is added), 8 of the index
  int64_t limit;                    // size of the axis that is indexed
  int64_t step;                     // of that axis: in x where elements are picked, in y where they are added
  int64_t length;                   // of a column
  int64_t source_step, index_step;  // along a column
  int64_t int_alpha;
  int rank;
  float alpha;
};

#ifndef __METAL_VERSION__
}  // namespace ingot
#endif
