// CPU body of scaled_dot_product_attention. The last axes of q, k and v lie together, y is contiguous; mask is expanded
// to [.., Hq, L, S] or undefined.
#pragma once
#include "ingot/ops/attention/attention.h"

namespace ingot {

void attention_cpu(const Tensor& q, const Tensor& k, const Tensor& v, const Tensor& mask, CausalMode causal,
                   double scale, const Tensor& y);

}  // namespace ingot
