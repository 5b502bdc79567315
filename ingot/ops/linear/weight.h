// A weight matrix [rows, cols] as it lies in a file: plain elements, scaled FP8 or GGUF blocks. It is not a tensor:
// linear, embedding and moe take it as it is and decode it while they use it. Its bytes are on any device.
#pragma once
#include <cstdint>

#include "ingot/ops/linear/weight_matmul.h"
#include "ingot/tensor/tensor.h"

namespace ingot {

struct INGOT_API Weight {
  WeightFormat format = WeightFormat::kF32;
  int64_t rows = 0, cols = 0;
  Tensor bytes;   // u8, contiguous: row after row, row_bytes(format, cols) each, at any byte address
  Tensor scales;  // f32, contiguous, decoding scales (they multiply), where the bytes are; undefined without
  ScaleLayout scale_layout = ScaleLayout::kNone;

  bool defined() const { return bytes.defined(); }
  Device device() const { return bytes.device(); }
  int64_t nbytes() const { return rows * row_bytes(format, cols) + (scales.defined() ? scales.nbytes() : 0); }
  WeightRows view() const;                               // on the CPU
  Weight row_range(int64_t begin, int64_t count) const;  // Error outside, or where it would cut a 128-row scale block
  void dequantize_row(int64_t row, float* out) const;    // scales applied; on the CPU
  Weight to(Device device) const;                        // itself where it is there already
};

// A contiguous 2-D tensor of a floating dtype as a weight (copied first if it is not contiguous). With scales: see
// ScaleLayout.
INGOT_API Weight weight_from(const Tensor& t, const Tensor& scales = {}, ScaleLayout layout = ScaleLayout::kNone);

}  // namespace ingot
