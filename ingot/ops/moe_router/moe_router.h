// Choosing the experts of each token.
#pragma once
#include "ingot/tensor/tensor.h"

namespace ingot {

enum class RouterScore : uint8_t {
  kSoftmax,  // over all experts, in f32
  kSigmoid,
};

struct Routing {
  Tensor ids;      // i32 [T, k]
  Tensor weights;  // f32 [T, k]
};

// logits f32 [T, E], contiguous. s = score(logits); the top_k experts by s + bias (bias f32 [E] or undefined; it
// chooses and does not weigh), best first, ties to the lowest index; weights = s at the chosen, divided by their sum +
// renorm_epsilon if `renormalise`, times `scale`. 1 <= top_k <= E. A NaN score counts as the greatest; its weight is
// NaN, and so are the row's others under renormalise. Qwen3-MoE: softmax, renormalise by the config, epsilon 0.
// LFM2-MoE: sigmoid, bias, epsilon 1e-6. A row depends on nothing but itself.
INGOT_API Routing moe_router(const Tensor& logits, int64_t top_k, RouterScore score, const Tensor& bias = {},
                             bool renormalise = true, double renorm_epsilon = 0, double scale = 1);

}  // namespace ingot
