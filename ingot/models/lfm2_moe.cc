// LFM2-MoE (LFM2.5-8B-A1B): short convolutions beside a few attention layers, sigmoid router with a bias for choosing.
// model_type "lfm2_moe", GGUF arch "lfm2moe".
#include "ingot/base/error.h"
#include "ingot/models/family.h"

namespace ingot {

namespace {

void set_router(DecoderConfig& c) {
  c.moe.score = RouterScore::kSigmoid;
  c.moe.renorm_epsilon = 1e-6;
  c.qk_norm = true;
}

DecoderConfig from_json(const JsonConfig& json) {
  DecoderConfig c = common_config(json);
  c.family = "lfm2_moe";
  c.norm_eps = json.number("norm_eps", 1e-5);
  if (!json.has("rope_parameters") && !json.has("rope_theta")) c.rope.theta = 1e6;
  if (!json.has("tie_word_embeddings") && !json.has("tie_embedding")) c.tied = true;
  c.conv_kernel = json.integer("conv_L_cache", 3);
  c.conv_bias = json.boolean("conv_bias", false);
  std::vector<std::string> types = json.texts("layer_types");
  if (int64_t(types.size()) != c.layers)
    fail(ErrorKind::kFormat, json.label(), cat("layer_types: expected ", c.layers, " entries, got ", types.size()));
  for (const std::string& type : types) {
    if (type != "conv" && type != "full_attention")
      fail(ErrorKind::kUnsupported, json.label(),
           cat("layer_types: unknown ", ingot::quoted(type), "; known: conv, full_attention"));
    c.is_conv.push_back(type == "conv");
  }
  set_router(c);
  c.moe.experts = json.integer("num_experts", 32);
  c.moe.top_k = json.integer("num_experts_per_tok", 4);
  c.moe.width = json.integer("moe_intermediate_size", 1792);
  c.moe.renormalise = json.boolean("norm_topk_prob", true);
  c.moe.scale = json.number("routed_scaling_factor", 1.0);
  c.moe.choice_bias = json.boolean("use_expert_bias", true);
  int64_t dense = json.integer("num_dense_layers", 2);
  for (int64_t i = 0; i < c.layers; i++) c.is_moe.push_back(i >= dense);
  return c;
}

DecoderConfig from_gguf(const GgufFile& file) {
  DecoderConfig c = common_config(file, "lfm2moe");
  c.family = "lfm2_moe";
  set_router(c);
  if (file.get_or<int64_t>("lfm2moe.expert_gating_func", 2) != 2)
    fail(ErrorKind::kUnsupported, file.label(), "lfm2moe.expert_gating_func: only 2 (sigmoid) is known");
  c.conv_kernel = file.get_or<int64_t>("lfm2moe.shortconv.l_cache", 3);
  c.moe.choice_bias = true;
  c.moe.renormalise = file.get_or<bool>("lfm2moe.expert_weights_norm", true);
  c.moe.scale = file.get_or<double>("lfm2moe.expert_weights_scale", 1.0);
  if (c.is_conv.empty()) c.is_conv.assign(size_t(c.layers > 0 ? c.layers : 0), false);
  int64_t dense = file.get_or<int64_t>("lfm2moe.leading_dense_block_count", 2);
  for (int64_t i = 0; i < c.layers; i++) c.is_moe.push_back(i >= dense);
  return c;
}

GgufNames gguf_names() {
  GgufNames names = common_gguf_names();
  names.insert(names.end(), {{"model.embedding_norm.weight", "token_embd_norm.weight"},
                             {"model.layers.{}.operator_norm.weight", "blk.{}.attn_norm.weight"},
                             {"model.layers.{}.ffn_norm.weight", "blk.{}.ffn_norm.weight"},
                             {"model.layers.{}.self_attn.out_proj.weight", "blk.{}.attn_output.weight"},
                             {"model.layers.{}.self_attn.q_layernorm.weight", "blk.{}.attn_q_norm.weight"},
                             {"model.layers.{}.self_attn.k_layernorm.weight", "blk.{}.attn_k_norm.weight"},
                             {"model.layers.{}.conv.in_proj.weight", "blk.{}.shortconv.in_proj.weight"},
                             {"model.layers.{}.conv.out_proj.weight", "blk.{}.shortconv.out_proj.weight"},
                             {"model.layers.{}.conv.conv.weight", "blk.{}.shortconv.conv.weight"},
                             {"model.layers.{}.feed_forward.w1.weight", "blk.{}.ffn_gate.weight"},
                             {"model.layers.{}.feed_forward.w3.weight", "blk.{}.ffn_up.weight"},
                             {"model.layers.{}.feed_forward.w2.weight", "blk.{}.ffn_down.weight"},
                             {"model.layers.{}.feed_forward.gate.weight", "blk.{}.ffn_gate_inp.weight"},
                             {"model.layers.{}.feed_forward.expert_bias", "blk.{}.exp_probs_b.bias"},
                             {"model.layers.{}.feed_forward.experts.w1", "blk.{}.ffn_gate_exps.weight"},
                             {"model.layers.{}.feed_forward.experts.w3", "blk.{}.ffn_up_exps.weight"},
                             {"model.layers.{}.feed_forward.experts.w2", "blk.{}.ffn_down_exps.weight"}});
  return names;
}

ShortConvLayer load_conv(const DecoderConfig& c, WeightSource& source, const std::string& p) {
  ShortConvLayer conv;
  conv.in = load_linear(source, p + "in_proj", 3 * c.hidden, c.hidden, c.conv_bias);
  conv.out = load_linear(source, p + "out_proj", c.hidden, c.hidden, c.conv_bias);
  conv.conv = source.floats(p + "conv.weight", {c.hidden, c.conv_kernel});
  if (c.conv_bias) conv.conv_bias = source.floats(p + "conv.bias", {c.hidden});
  return conv;
}

Decoder build(const DecoderConfig& c, WeightSource& source) {
  Decoder d = start_decoder(c, source, "model.embedding_norm.weight");
  for (int64_t i = 0; i < c.layers; i++) {
    std::string p = cat("model.layers.", i, ".");
    DecoderLayer layer;
    layer.mixer_norm = {source.floats(p + "operator_norm.weight", {c.hidden}), c.norm_eps};
    layer.ffn_norm = {source.floats(p + "ffn_norm.weight", {c.hidden}), c.norm_eps};
    if (c.is_conv[size_t(i)]) {
      layer.conv = load_conv(c, source, p + "conv.");
    } else {
      layer.attention = load_attention(c, source, p + "self_attn.", "out_proj", "layernorm");
    }
    p += "feed_forward.";
    if (c.is_moe[size_t(i)]) {
      MoeFfn moe;
      moe.router = source.matrix(p + "gate.weight", c.moe.experts, c.hidden);
      if (c.moe.choice_bias) moe.choice_bias = source.floats(p + "expert_bias", {c.moe.experts});
      moe.score = c.moe.score;
      moe.top_k = c.moe.top_k;
      moe.renormalise = c.moe.renormalise;
      moe.renorm_epsilon = c.moe.renorm_epsilon;
      moe.scale = c.moe.scale;
      moe.experts = load_experts(c.moe, c.hidden, source, p + "experts.", "w1", "w3", "w2");
      layer.moe = std::move(moe);
    } else {
      DenseFfn ffn;
      ffn.gate = load_linear(source, p + "w1", c.ffn_width, c.hidden, false);
      ffn.up = load_linear(source, p + "w3", c.ffn_width, c.hidden, false);
      ffn.down = load_linear(source, p + "w2", c.hidden, c.ffn_width, false);
      layer.dense = std::move(ffn);
    }
    d.layers.push_back(std::move(layer));
  }
  return d;
}

}  // namespace

const Family& lfm2_moe_family() {
  static const Family family{{"lfm2_moe"}, {"lfm2moe"}, from_json, from_gguf, gguf_names, build};
  return family;
}

}  // namespace ingot
