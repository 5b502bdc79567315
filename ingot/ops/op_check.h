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

// On a GPU the inputs, with the poison around them, lie in its memory. A case that the device refuses with an Error
// kUnsupported is told apart from one that fails.
enum class Outcome : uint8_t { kHolds, kUnsupported, kFails };
struct CaseResult {
  Outcome outcome;
  std::string text;  // what went wrong, or the refusal
};
INGOT_API CaseResult run_case(const OpEntry& entry, const OpCase& c, DType dtype, Layout layout, Device device);
// Empty if the case holds, else what went wrong.
INGOT_API std::string check_case(const OpEntry& entry, const OpCase& c, DType dtype, Layout layout,
                                 Device device = kCpu);

// All cases of an operator in all dtypes and layouts, or every n-th of them. Those that ask for f64 on a GPU are left
// out.
struct OperatorReport {
  int64_t held = 0, left_out = 0;
  std::string unsupported;  // the first refusal, if the operator is not done on the device at all
  std::vector<std::string> failures;
};
INGOT_API OperatorReport check_operator(const OpEntry& entry, Device device, int every = 1);

}  // namespace ingot
