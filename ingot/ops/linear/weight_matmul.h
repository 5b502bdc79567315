// Products of activations with weights that stay as they lie in a file: the core under linear, the language model head
// and mixture-of-experts layers on the CPU. Raw pointers; tensors come in one layer up.
//
// Numbers. Everything accumulates in f32. What is multiplied depends on the instruction set:
//   AMX, AVX512-BF16   bf16 and fp8 weights: exact in bf16, times activations rounded to bf16 (subnormals count as 0);
//                      f32, f16: f32 times f32; blocks: f32 times f32 for m <= 16, above that both rounded to bf16
//   all others         weights decoded to f32, times f32 activations
//   AVX2 and above     Q8_0 with m <= 16: exact codes, times activations that are whole 16-bit numbers under a scale
//   for
//                      each 32 of them (the largest magnitude becomes 32767)
// Scales multiply sums, never single products, so that fp8 weights lose nothing. No product is skipped: 0 * inf and NaN
// reach the result. Activations have the range of bf16, never that of f16.
//
// A row of y has the same bits whatever the other rows hold, whatever m is among 1..16, and for any number of threads
// and any other jobs beside it.
//
// Environment, for experiments: INGOT_MATMUL_STRIPS=4|8 replaces the access pattern of decoding, which otherwise
// follows from the maker of the CPU (weight_matmul.cc says why).
#pragma once
#include <cstdint>
#include <span>

#include "ingot/base/block_formats.h"
#include "ingot/base/export.h"

namespace ingot {

// Decoding scales, which multiply the decoded weight.
enum class ScaleLayout : uint8_t {
  kNone,
  kTensor,    // one value
  kRow,       // [rows]
  kBlock128,  // [ceil(rows / 128), ceil(cols / 128)], C order; plain formats only
};

// A [rows, cols] matrix, each row contiguous in its format. Any byte alignment; read only.
struct WeightRows {
  WeightFormat format;
  const void* data;
  int64_t rows, cols;
  int64_t row_stride;  // bytes, at least row_bytes(format, cols)
  const float* scales = nullptr;
  ScaleLayout scale_layout = ScaleLayout::kNone;
};

// y[i, n] = sum_k x[x_rows ? x_rows[i] : i, k] * W[n, k] for i < m, n < W.rows. Strides in elements. y is overwritten
// and may overlap nothing else.
struct MatmulJob {
  WeightRows w;
  const float* x;
  int64_t x_stride;
  const int32_t* x_rows = nullptr;  // [m], none negative
  int64_t m;
  float* y;
  int64_t y_stride;
};

// All jobs in one parallel region (large activations are packed in one of their own before it), the rows of all weights
// split over the threads by cost. m == 0 and rows == 0 do nothing, cols == 0 gives zeros. Error kArgument for negative
// or overflowing sizes, null pointers, strides that are too short, columns that are no multiple of the block.
INGOT_API void weight_matmul(std::span<const MatmulJob> jobs);

}  // namespace ingot
