// Scaled dot-product attention, as torch.nn.functional.scaled_dot_product_attention.
#pragma once
#include <optional>

#include "ingot/tensor/tensor.h"

namespace ingot {

enum class CausalMode {
  kNone,
  kTopLeft,      // query i sees keys 0 .. i: torch's is_causal
  kBottomRight,  // query i sees keys 0 .. i + S - L: the queries are the last ones of the sequence, as when decoding
                 // from a cache
};

// y = softmax(scale * q k^T + mask) v, scale 1/sqrt(E) unless given. q [.., Hq, L, E], k [.., Hkv, S, E], v [.., Hkv,
// S, Ev] give
// [.., Hq, L, Ev], contiguous; leading sizes are equal (a [L, E] tensor is one head). Hkv = Hq, or with enable_gqa a
// divisor: query head h uses kv head h / (Hq / Hkv). f16, bf16, f32 (computed in f32, rounded once) or f64, one dtype
// for the three; any strides. attn_mask, broadcast to [.., Hq, L, S]: bool, true = attend; or any floating dtype but
// float8, added to the scores, where -inf means masked. With a causal mode both must allow a key. The [L, S] scores are
// never held: memory beyond the result is a few blocks a thread. Edges: a row whose every key is masked (or S = 0) is
// 0. A masked key or value never reaches the result, NaN and infinities included. A visible NaN does. A key whose
// weight underflows to 0 may count as masked. A row does not depend on how many others there are.
INGOT_API Tensor scaled_dot_product_attention(const Tensor& q, const Tensor& k, const Tensor& v,
                                              const Tensor& attn_mask = {}, CausalMode causal = CausalMode::kNone,
                                              std::optional<double> scale = {}, bool enable_gqa = false);

}  // namespace ingot
