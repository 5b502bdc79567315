// Rotary position embedding, and the frequencies that checkpoints ask for.
#pragma once
#include <cstdint>
#include <string>

#include "ingot/tensor/tensor.h"

namespace ingot {

enum class RopeStyle {
  kHalf,         // pairs (i, i + R/2): NeoX, Hugging Face
  kInterleaved,  // pairs (2i, 2i + 1): GPT-J, GGUF's llama
};

// Rotates the first R = 2 * len(inv_freq) elements of each head by angle_i = position * inv_freq[i] (rounded to f32, as
// checkpoints were trained): (a, b) -> (a cos - b sin, b cos + a sin), cos and sin multiplied by `scale`; the other D -
// R elements are copied. x [..., T, H, D]: f16, bf16, f32 or f64, any strides; positions [T] i64 or i32, any order and
// sign; inv_freq [R/2] f32, R <= D. The result is contiguous, of x's dtype, computed in f32 (f64: in f64) and rounded
// once; cos and sin are correct to f32 at any angle. A row's result depends on nothing but its own elements and
// position.
INGOT_API Tensor rope(const Tensor& x, const Tensor& positions, const Tensor& inv_freq, RopeStyle style,
                      double scale = 1);

// What a checkpoint's config says of its frequencies.
struct RopeConfig {
  std::string type = "default";  // default, linear, dynamic, llama3 or yarn
  double theta = 10000;
  int64_t dim = 0;                                   // R: the rotated elements of a head; even
  double factor = 1;                                 // all types but default; >= 1
  double low_freq_factor = 1, high_freq_factor = 4;  // llama3
  double attention_factor = 0;                       // yarn: multiplies cos and sin; 0: 0.1 ln(factor) + 1
  double beta_fast = 32, beta_slow = 1;              // yarn
  int64_t original_max_position = 0;  // llama3, yarn: context length of the training before the extension
  int64_t max_position = 0;           // dynamic: the model's max_position_embeddings
};

// inv_freq [dim/2] f32. `length` matters to type dynamic only: the tokens in the context; up to max_position it is the
// default. Error for an unknown type, naming it, and for values outside their range.
INGOT_API Tensor rope_inv_freq(const RopeConfig& config, int64_t length = 0);
// The `scale` that goes with them: 1 but for yarn.
INGOT_API double rope_attention_scale(const RopeConfig& config);

}  // namespace ingot
