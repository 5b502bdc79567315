#include "ingot/nn/decoder.h"

#include <algorithm>
#include <tuple>

#include "ingot/base/error.h"
#include "ingot/device/cpu/thread_pool.h"
#include "ingot/ops/causal_conv1d/causal_conv1d.h"
#include "ingot/ops/copy/copy.h"
#include "ingot/ops/norm/norm.h"
#include "ingot/ops/pointwise/pointwise.h"
#include "ingot/tensor/stream.h"

namespace ingot {

namespace {

int64_t attention_layers(const std::vector<DecoderLayer>& layers) {
  int64_t n = 0;
  for (const DecoderLayer& layer : layers) n += layer.attention.has_value();
  return n;
}

Tensor with_bias(const Tensor& y, const LinearLayer& layer) { return layer.bias.defined() ? add(y, layer.bias) : y; }
Tensor apply(const LinearLayer& layer, const Tensor& x) { return with_bias(linear_many(x, {&layer.weight})[0], layer); }
Tensor apply(const NormLayer& norm, const Tensor& x) { return rms_norm(x, {x.size(-1)}, norm.weight, norm.eps); }

Tensor short_conv(const ShortConvLayer& layer, const Tensor& x, const Tensor& state) {
  int64_t h = x.size(1);
  Tensor bcx = apply(layer.in, x);
  Tensor b = bcx.narrow(1, 0, h), c = bcx.narrow(1, h, h), p = mul(b, bcx.narrow(1, 2 * h, h));
  return apply(layer.out, mul(c, causal_conv1d(p, layer.conv, layer.conv_bias, state)));
}

Tensor dense_ffn(const DenseFfn& ffn, const Tensor& x) {
  std::vector<Tensor> y = linear_many(x, {&ffn.gate.weight, &ffn.up.weight});
  return apply(ffn.down, swiglu(with_bias(y[0], ffn.gate), with_bias(y[1], ffn.up)));
}

Tensor moe_ffn(const MoeFfn& ffn, const Tensor& x) {
  Tensor logits = linear_many(x, {&ffn.router})[0];
  Routing r = moe_router(logits, ffn.top_k, ffn.score, ffn.choice_bias, ffn.renormalise, ffn.renorm_epsilon, ffn.scale);
  return moe_experts(x, r.ids, r.weights, ffn.experts);
}

Tensor embed(const Weight& table, std::span<const int32_t> ids) {
  Tensor y = empty({int64_t(ids.size()), table.cols}, DType::kF32);
  for (size_t i = 0; i < ids.size(); i++) {
    if (ids[i] < 0 || ids[i] >= table.rows)
      throw Error(ErrorKind::kIndex, cat("forward: token id ", ids[i], " at position ", i,
                                         " is outside the vocabulary [0, ", table.rows, ")"));
    table.dequantize_row(ids[i], y.data<float>() + int64_t(i) * table.cols);
  }
  return y;
}

}  // namespace

SequenceState::SequenceState(const DecoderShape& shape, const std::vector<DecoderLayer>& layers)
    : kv_(attention_layers(layers), shape.kv_heads, shape.head_dim, shape.kv_dtype) {
  for (const DecoderLayer& layer : layers)
    conv_.push_back(layer.conv ? zeros({layer.conv->conv.size(1) - 1, shape.hidden}, DType::kF32) : Tensor());
}

void SequenceState::truncate(int64_t length) {
  if (length < 0 || length > length_) fail_argument("truncate", "length", cat("in [0, ", length_, "]"), cat(length));
  if (length == length_) return;
  for (Tensor& state : conv_)
    if (state.defined()) {
      if (length > 0)
        fail(ErrorKind::kUnsupported, "truncate",
             "this model has convolution layers, whose state at an earlier token is gone; start anew");
      state = zeros(state.sizes(), state.dtype());
    }
  kv_.truncate(length);
  length_ = length;
}

Tensor Decoder::attend(const AttentionLayer& layer, int64_t kv_index, const Tensor& x, SequenceState& state) const {
  int64_t tokens = x.size(0), d = shape.head_dim;
  std::vector<Tensor> qkv = linear_many(x, {&layer.q.weight, &layer.k.weight, &layer.v.weight});
  Tensor q = with_bias(qkv[0], layer.q).view({tokens, shape.heads, d});
  Tensor k = with_bias(qkv[1], layer.k).view({tokens, shape.kv_heads, d});
  Tensor v = with_bias(qkv[2], layer.v);
  if (layer.q_norm.weight.defined()) q = apply(layer.q_norm, q);
  if (layer.k_norm.weight.defined()) k = apply(layer.k_norm, k);
  Tensor positions = empty({tokens}, DType::kI64);
  for (int64_t t = 0; t < tokens; t++) positions.data<int64_t>()[t] = state.length_ + t;
  q = rope(q, positions, shape.inv_freq, shape.rope_style, shape.rope_scale);
  k = rope(k, positions, shape.inv_freq, shape.rope_style, shape.rope_scale);
  PagedKv kv = state.kv_.layer(kv_index);
  kv_write(kv, state.length_, k.data<float>(), v.data<float>(), tokens, shape.kv_heads * d);
  Tensor y = empty({tokens, shape.heads * d}, DType::kF32);
  paged_attention(q.data<float>(), shape.heads * d, int(shape.heads), kv, state.length_, tokens,
                  float(shape.attention_scale), y.data<float>(), shape.heads * d);
  return apply(layer.o, y);
}

Tensor Decoder::chunk(std::span<const int32_t> ids, SequenceState& state, bool all_logits, bool want_logits) const {
  int64_t tokens = int64_t(ids.size());
  Tensor x = embed(embedding, ids), n;
  state.kv_.reserve(state.length_ + tokens);
  int64_t kv_index = 0;
  Tensor delta;
  for (size_t i = 0; i < layers.size(); i++) {
    const DecoderLayer& layer = layers[i];
    if (delta.defined()) {
      std::tie(x, n) = rms_norm_add(delta, x, layer.mixer_norm.weight, layer.mixer_norm.eps);
    } else {
      n = apply(layer.mixer_norm, x);
    }
    Tensor mixed =
        layer.attention ? attend(*layer.attention, kv_index++, n, state) : short_conv(*layer.conv, n, state.conv_[i]);
    std::tie(x, n) = rms_norm_add(mixed, x, layer.ffn_norm.weight, layer.ffn_norm.eps);
    delta = layer.moe ? moe_ffn(*layer.moe, n) : dense_ffn(*layer.dense, n);
  }
  state.length_ += tokens;
  if (!want_logits) return {};
  if (!all_logits) {
    x = x.narrow(0, tokens - 1, 1);
    delta = delta.narrow(0, tokens - 1, 1);
  }
  return linear_many(rms_norm_add(delta, x, final_norm.weight, final_norm.eps).second, {&head})[0];
}

Tensor Decoder::forward(std::span<const int32_t> ids, SequenceState& state, LogitsOf which) const {
  if (ids.empty()) fail_argument("forward", "ids", "at least one token", "none");
  int64_t tokens = int64_t(ids.size());
  if (shape.max_position > 0 && state.length_ + tokens > shape.max_position)
    fail(ErrorKind::kArgument, "forward",
         cat("the context holds ", shape.max_position, " tokens: ", state.length_, " are there and ", tokens,
             " more do not fit"));
  bool all = which == LogitsOf::kAll;
  Tensor logits = all && tokens > kChunk ? empty({tokens, head.rows}, DType::kF32) : Tensor();
  for (int64_t begin = 0; begin < tokens; begin += kChunk) {
    int64_t count = std::min(kChunk, tokens - begin);
    Tensor part = chunk(ids.subspan(size_t(begin), size_t(count)), state, all, all || begin + count == tokens);
    if (all && tokens > kChunk) {
      copy_(logits.narrow(0, begin, count), part);
    } else {
      logits = part;
    }
  }
  return logits;
}

}  // namespace ingot
