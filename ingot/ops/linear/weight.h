// A weight matrix [rows, cols] as it lies in a file: plain elements, scaled FP8 or GGUF blocks. It is not a tensor:
// linear, embedding and moe take it as it is and decode it while they use it.
#pragma once
#include <cstdint>
#include <memory>

#include "ingot/ops/linear/weight_matmul.h"
#include "ingot/tensor/tensor.h"

namespace ingot {

struct INGOT_API Weight {
  WeightFormat format = WeightFormat::kF32;
  int64_t rows = 0, cols = 0;
  const void* data = nullptr;   // row after row, row_bytes(format, cols) each, at any byte address
  std::shared_ptr<void> owner;  // keeps data alive (a mapping, a storage)
  Tensor scales;                // f32, decoding scales (they multiply); undefined without
  ScaleLayout scale_layout = ScaleLayout::kNone;

  bool defined() const { return data != nullptr; }
  int64_t nbytes() const { return rows * row_bytes(format, cols) + (scales.defined() ? scales.nbytes() : 0); }
  WeightRows view() const;
  Weight row_range(int64_t begin, int64_t count) const;  // Error outside, or where it would cut a 128-row scale block
  void dequantize_row(int64_t row, float* out) const;    // scales applied
};

// A contiguous 2-D tensor of a floating dtype as a weight (copied first if it is not contiguous). With scales: see
// ScaleLayout.
INGOT_API Weight weight_from(const Tensor& t, const Tensor& scales = {}, ScaleLayout layout = ScaleLayout::kNone);

}  // namespace ingot
