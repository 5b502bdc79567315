#include "ingot/models/config.h"

#include <cmath>

#include "ingot/base/error.h"

namespace ingot {

namespace {

void read_rope(const JsonConfig& json, RopeConfig& rope) {
  // Newer files hold everything in rope_parameters, older ones rope_theta at the root and the rest in rope_scaling.
  std::string at = json.has("rope_parameters") ? "rope_parameters." : "rope_scaling.";
  rope.theta = json.number("rope_parameters.rope_theta", json.number("rope_theta", 10000.0));
  rope.type = json.text(at + "rope_type", json.text(at + "type", "default"));
  rope.factor = json.number(at + "factor", 1.0);
  rope.low_freq_factor = json.number(at + "low_freq_factor", 1.0);
  rope.high_freq_factor = json.number(at + "high_freq_factor", 4.0);
  rope.beta_fast = json.number(at + "beta_fast", 32.0);
  rope.beta_slow = json.number(at + "beta_slow", 1.0);
  rope.attention_factor = json.number(at + "attention_factor", 0.0);
  rope.original_max_position =
      json.integer(at + "original_max_position_embeddings", json.integer("max_position_embeddings", 2048));
  rope.max_position = json.integer("max_position_embeddings", 2048);
}

}  // namespace

DecoderConfig common_config(const JsonConfig& json) {
  DecoderConfig c;
  c.vocab = json.integer("vocab_size");
  c.hidden = json.integer("hidden_size");
  c.layers = json.integer("num_hidden_layers");
  c.heads = json.integer("num_attention_heads");
  c.kv_heads = json.integer("num_key_value_heads", c.heads);
  c.head_dim = json.integer("head_dim", c.heads > 0 ? c.hidden / c.heads : 0);
  c.ffn_width = json.integer("intermediate_size", 0);
  c.max_position = json.integer("max_position_embeddings", 2048);
  c.norm_eps = json.number("rms_norm_eps", json.number("norm_eps", 1e-6));
  c.tied = json.boolean("tie_embedding", json.boolean("tie_word_embeddings", false));
  c.attention_bias = json.boolean("attention_bias", false);
  c.mlp_bias = json.boolean("mlp_bias", false);
  std::string act = json.text("hidden_act", "silu");
  if (act != "silu" && act != "swish")
    fail(ErrorKind::kUnsupported, json.label(), cat("hidden_act ", ingot::quoted(act), "; only silu is known here"));
  read_rope(json, c.rope);
  c.rope.dim = c.head_dim;
  for (int64_t id : json.integers("eos_token_id")) c.eos.push_back(static_cast<int32_t>(id));
  return c;
}

DecoderConfig common_config(const GgufFile& file, const std::string& arch) {
  DecoderConfig c;
  auto key = [&](const char* name) { return arch + "." + name; };
  c.layers = file.get<int64_t>(key("block_count"));
  c.hidden = file.get<int64_t>(key("embedding_length"));
  c.heads = file.get<int64_t>(key("attention.head_count"));
  c.head_dim = file.get_or<int64_t>(key("attention.key_length"), c.heads > 0 ? c.hidden / c.heads : 0);
  // One number, or one a layer with 0 for layers that have no attention.
  const GgufValue* kv = file.find_value(key("attention.head_count_kv"));
  std::vector<int64_t> kv_heads =
      kv ? (kv->is_array() ? kv->as<std::vector<int64_t>>(file.label(), key("attention.head_count_kv"))
                           : std::vector<int64_t>{kv->as<int64_t>(file.label(), key("attention.head_count_kv"))})
         : std::vector<int64_t>{c.heads};
  for (int64_t n : kv_heads) {
    if (n != 0 && c.kv_heads != 0 && n != c.kv_heads)
      fail(ErrorKind::kUnsupported, file.label(), "layers with different numbers of key/value heads");
    if (n != 0) c.kv_heads = n;
  }
  if (kv_heads.size() > 1) {
    if (int64_t(kv_heads.size()) != c.layers)
      fail(ErrorKind::kFormat, file.label(),
           cat(key("attention.head_count_kv"), ": expected ", c.layers, " numbers, got ", kv_heads.size()));
    for (int64_t n : kv_heads) c.is_conv.push_back(n == 0);
  }
  c.ffn_width = file.get_or<int64_t>(key("feed_forward_length"), 0);
  c.max_position = file.get_or<int64_t>(key("context_length"), 2048);
  c.norm_eps = file.get_or<double>(key("attention.layer_norm_rms_epsilon"), 1e-6);
  c.rope.theta = file.get_or<double>(key("rope.freq_base"), 10000.0);
  c.rope.dim = file.get_or<int64_t>(key("rope.dimension_count"), c.head_dim);
  c.rope.type = file.get_or<std::string>(key("rope.scaling.type"), "default");
  if (c.rope.type == "none") c.rope.type = "default";
  c.rope.factor = file.get_or<double>(key("rope.scaling.factor"), 1.0);
  c.rope.beta_fast = 32;
  c.rope.beta_slow = 1;
  c.rope.low_freq_factor = 1;
  c.rope.high_freq_factor = 4;
  c.rope.attention_factor = 0;
  c.rope.original_max_position = file.get_or<int64_t>(key("rope.scaling.original_context_length"), c.max_position);
  c.rope.max_position = c.max_position;
  const GgufTensor& embedding = file.get_tensor("token_embd.weight");
  if (embedding.shape.size() != 2)
    fail(ErrorKind::kFormat, file.label(), "tensor \"token_embd.weight\": expected 2 dimensions");
  c.vocab = embedding.shape[0];
  c.tied = file.find_tensor("output.weight") == nullptr;
  c.attention_bias = file.find_tensor("blk.0.attn_q.bias") != nullptr;
  if (auto eos = file.find<int64_t>("tokenizer.ggml.eos_token_id")) c.eos.push_back(static_cast<int32_t>(*eos));
  c.moe.experts = file.get_or<int64_t>(key("expert_count"), 0);
  c.moe.top_k = file.get_or<int64_t>(key("expert_used_count"), 0);
  c.moe.width = file.get_or<int64_t>(key("expert_feed_forward_length"), c.ffn_width);
  return c;
}

void check_config(const DecoderConfig& c, const std::string& label) {
  auto in_range = [&](const char* what, int64_t v, int64_t low, int64_t high) {
    if (v < low || v > high)
      fail(ErrorKind::kFormat, label, cat(what, ": expected a value in [", low, ", ", high, "], got ", v));
  };
  constexpr int64_t kBig = int64_t{1} << 31;
  in_range("vocabulary size", c.vocab, 1, kBig);
  in_range("hidden size", c.hidden, 1, 1 << 24);
  in_range("number of layers", c.layers, 1, 4096);
  in_range("attention heads", c.heads, 1, 65536);
  in_range("key/value heads", c.kv_heads, 1, c.heads);
  in_range("head dimension", c.head_dim, 1, 65536);
  in_range("context length", c.max_position, 1, kBig);
  if (c.heads % c.kv_heads != 0)
    fail(ErrorKind::kFormat, label,
         cat("attention heads ", c.heads, " are no multiple of key/value heads ", c.kv_heads));
  if (!(c.norm_eps >= 0 && c.norm_eps < 1))
    fail(ErrorKind::kFormat, label, cat("norm epsilon: expected [0, 1), got ", c.norm_eps));
  if (!(c.rope.theta > 0 && std::isfinite(c.rope.theta)))
    fail(ErrorKind::kFormat, label, cat("rope theta: expected above 0, got ", c.rope.theta));
  in_range("rotated dimensions", c.rope.dim, 0, c.head_dim);
  if (c.moe.experts > 0) {
    in_range("number of experts", c.moe.experts, 1, 65536);
    in_range("experts per token", c.moe.top_k, 1, c.moe.experts);
    in_range("expert width", c.moe.width, 1, 1 << 24);
  }
  bool dense = c.is_moe.empty();
  for (bool moe : c.is_moe) dense = dense || !moe;
  if (dense) in_range("feed-forward width", c.ffn_width, 1, 1 << 24);
  in_range("convolution taps", c.conv_kernel, 1, 1024);
}

}  // namespace ingot
