// Holding an operator to its cases on a device: against the double-precision reference, with operands laid out in
// memory in every way, poisoned surroundings, and the same result twice.
#pragma once
#include <string>
#include <vector>

#include "ingot/ops/op_table.h"

namespace ingot {

enum class Layout : uint8_t {
  kContiguous,
  kTransposed,  // dimensions reversed in memory
  kStrided,     // every second element of a larger buffer along the last axis, padded rows
  kOffset,      // contiguous, one element past an aligned address
  kExpanded,    // the first axis has stride 0
};
inline constexpr Layout kLayouts[] = {Layout::kContiguous, Layout::kTransposed, Layout::kStrided, Layout::kOffset,
                                      Layout::kExpanded};
INGOT_API const char* name(Layout layout);

// Values for an input, reproducible from the seed.
INGOT_API Tensor make_input(const InputSpec& spec, DType dtype, uint64_t seed);
// The same values in another layout, inside a buffer whose other bytes are `poison`.
INGOT_API Tensor lay_out(const Tensor& x, Layout layout, uint8_t poison);

// Largest |a - b| relative to the largest finite |b|; infinity where shapes, NaN or infinities differ. `b` is the
// reference (f64 or integer).
INGOT_API double relative_error(const Tensor& a, const Tensor& b);
INGOT_API double tolerance_of(DType dtype);  // that a result of this dtype is held to, before a case's factor

// Empty if the case holds, else what went wrong.
INGOT_API std::string check_case(const OpEntry& entry, const OpCase& c, DType dtype, Layout layout,
                                 Device device = kCpu);

}  // namespace ingot
