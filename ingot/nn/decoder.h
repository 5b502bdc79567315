// A decoder-only language model put together from its parts: every layer is  x += mixer(norm(x)); x += ffn(norm(x))
// with a mixer that is attention or a short convolution and a feed-forward part that is dense or a mixture of experts.
// A model family (ingot/models/) only says which parts and which weights. Activations are f32; weights stay in their
// file's format. Everything runs where the weights are.
#pragma once
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "ingot/nn/kv_cache.h"
#include "ingot/ops/linear/linear.h"
#include "ingot/ops/moe/moe.h"
#include "ingot/ops/moe_router/moe_router.h"
#include "ingot/ops/rope/rope.h"

namespace ingot {

struct LinearLayer {
  Weight weight;
  Tensor bias;  // f32 or undefined
};

struct NormLayer {
  Tensor weight;  // f32 [H]
  double eps = 1e-6;
};

struct AttentionLayer {
  LinearLayer q, k, v, o;
  NormLayer q_norm, k_norm;  // over each head; weight undefined: none
};

// y = out(C * conv(B * X)),  [B, C, X] = in(x); depthwise causal convolution of `kernel` taps.
struct ShortConvLayer {
  LinearLayer in, out;
  Tensor conv;       // f32 [H, kernel]
  Tensor conv_bias;  // f32 [H] or undefined
};

struct DenseFfn {
  LinearLayer gate, up, down;
};

struct MoeFfn {
  Weight router;
  Tensor choice_bias;  // f32 [E] or undefined: added to the scores for choosing only
  RouterScore score = RouterScore::kSoftmax;
  int64_t top_k = 0;
  bool renormalise = true;
  double renorm_epsilon = 0, scale = 1;
  Experts experts;
};

struct DecoderLayer {
  NormLayer mixer_norm, ffn_norm;
  std::optional<AttentionLayer> attention;  // exactly one of these two
  std::optional<ShortConvLayer> conv;
  std::optional<DenseFfn> dense;  // and one of these
  std::optional<MoeFfn> moe;
};

struct DecoderShape {
  int64_t vocab = 0, hidden = 0, heads = 0, kv_heads = 0, head_dim = 0, max_position = 0;
  RopeStyle rope_style = RopeStyle::kHalf;
  Tensor inv_freq;             // f32 [rotated / 2]
  double rope_scale = 1;       // multiplies cos and sin (yarn)
  double attention_scale = 0;  // 1 / sqrt(head_dim)
  DType kv_dtype = DType::kF32;
};

// What a sequence has left behind so far: tokens [0, length) are in the caches.
class INGOT_API SequenceState {
 public:
  SequenceState(const DecoderShape& shape, const std::vector<DecoderLayer>& layers);
  int64_t length() const { return length_; }
  int64_t bytes_per_token() const { return kv_.bytes_per_token(); }
  // Forgets all tokens from `length` on. Only where no layer has a running state (attention caches alone can be cut):
  // Error otherwise, except to 0, which always works.
  void truncate(int64_t length);

 private:
  friend class Decoder;
  KvCache kv_;
  std::vector<Tensor> conv_;  // [kernel - 1, H] of each conv layer, by layer
  int64_t length_ = 0;
};

enum class LogitsOf { kLast, kAll };

class INGOT_API Decoder {
 public:
  DecoderShape shape;
  Weight embedding;  // [V, H]
  NormLayer final_norm;
  Weight head;  // [V, H]; the embedding where tied
  std::vector<DecoderLayer> layers;

  // Moves all weights; states made before stay where they are and no longer fit.
  void to(Device device);
  Device device() const { return embedding.device(); }

  std::unique_ptr<SequenceState> new_state() const { return std::make_unique<SequenceState>(shape, layers); }

  // Feeds tokens behind what the state holds, and returns logits f32 [1 or n, V] on the device. Error kIndex for an id
  // outside the vocabulary, Error kArgument for no tokens or beyond max_position. Tokens go through in chunks of at
  // most kChunk.
  Tensor forward(std::span<const int32_t> ids, SequenceState& state, LogitsOf which = LogitsOf::kLast) const;
  static constexpr int64_t kChunk = 512;

  int64_t weight_bytes() const;  // of all weights
  // Bytes of weights that one token needs: everything but the embedding table (one row of it) and the experts not
  // chosen.
  int64_t bytes_per_token() const;

 private:
  Tensor chunk(std::span<const int32_t> ids, SequenceState& state, bool all_logits, bool want_logits) const;
  Tensor attend(const AttentionLayer& layer, int64_t kv_index, const Tensor& x, SequenceState& state) const;
};

}  // namespace ingot
