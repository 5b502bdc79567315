// Walking several strided operands of one shape together.
#pragma once
#include <array>
#include <cstdint>

#include "ingot/base/dims.h"

namespace ingot {

inline constexpr int kMaxOperands = 4;

// A loop nest over `operands` tensors of one shape, with neighbouring dimensions merged wherever all operands allow it,
// size-1 dimensions dropped, and dimensions ordered so that the last one is the fastest of operand 0 (the output).
// Strides are in elements.
struct StridedLoop {
  int operands = 0;
  Dims sizes;  // never empty: a scalar is one element, no elements are [0]
  std::array<Dims, kMaxOperands> strides;
  int64_t rows = 1;   // product of all sizes but the last
  int64_t inner = 1;  // the last size
  int64_t inner_stride(int operand) const { return strides[operand].back(); }

  // Calls body(offsets) for rows [begin, end) in order; offsets[i] is where operand i's row starts.
  template <class F>
  void for_rows(int64_t begin, int64_t end, F&& body) const {
    if (begin >= end) return;
    int outer = sizes.size() - 1;
    std::array<int64_t, kMaxRank> index{};
    std::array<int64_t, kMaxOperands> offset{};
    for (int64_t rest = begin, d = outer - 1; d >= 0; d--) {
      index[d] = rest % sizes[d];
      rest /= sizes[d];
      for (int i = 0; i < operands; i++) offset[i] += index[d] * strides[i][d];
    }
    for (int64_t row = begin; row < end; row++) {
      body(offset);
      for (int d = outer - 1; d >= 0; d--) {
        bool carry = ++index[d] == sizes[d];
        for (int i = 0; i < operands; i++) offset[i] += carry ? -(sizes[d] - 1) * strides[i][d] : strides[i][d];
        if (!carry) break;
        index[d] = 0;
      }
    }
  }
};

// All strides must have the rank of `sizes`. With keep_order the dimensions are not sorted (index order matters to the
// caller).
INGOT_API StridedLoop make_strided_loop(const Dims& sizes, std::initializer_list<Dims> strides,
                                        bool keep_order = false);

}  // namespace ingot
