// The reductions by number, for C++ and for kernels, which hold them in function constants; and what the kernels are
// given.
#pragma once
#ifndef __METAL_VERSION__
#include <cstdint>
namespace ingot {
#endif

enum class Reduction : int {
  kSum,
  kProd,
  kMax,  // NaN if there is one
  kMin,
  kDeviations,  // sum of (x - c)^2
  kExpSum,      // sum of exp(x - c)
};
// What is made of the reduced value in the end.
enum class Finish : int { kNone, kMean, kVar, kStd, kLogSumExp };

// Who takes the elements of one output: a thread (neighbouring threads then read neighbouring elements), a simdgroup or
// a group.
enum class ReduceBy : int { kThread, kSimdgroup, kGroup };

struct ReduceParams {
  int64_t outputs;
  int64_t length;        // elements of an output
  int64_t chunk_length;  // an output is cut into chunks, whose states are joined by a second launch
  int64_t sizes[16];     // 8 of the axes that are kept, 8 of the reduced ones
  int64_t strides[16];   // of x along them, in elements
  int chunks;
  int kept_rank;
  int reduced_rank;
  float correction;
};

#ifndef __METAL_VERSION__
}  // namespace ingot
#endif
