// Qwen3-MoE (Qwen3-30B-A3B): Llama's skeleton with RMS norms on q and k and a softmax router. model_type and GGUF arch
// "qwen3_moe"/"qwen3moe".
#include "ingot/models/family.h"

namespace ingot {

namespace {

DecoderConfig from_json(const JsonConfig& json) {
  DecoderConfig c = common_config(json);
  c.family = "qwen3_moe";
  c.qk_norm = true;
  c.moe.experts = json.integer("num_local_experts", json.integer("num_experts", 128));
  c.moe.top_k = json.integer("num_experts_per_tok", 8);
  c.moe.width = json.integer("moe_intermediate_size", 768);
  c.moe.renormalise = json.boolean("norm_topk_prob", false);
  int64_t step = json.integer("decoder_sparse_step", 1);
  std::vector<int64_t> dense = json.integers("mlp_only_layers");
  for (int64_t i = 0; i < c.layers; i++) {
    bool listed = false;
    for (int64_t d : dense) listed = listed || d == i;
    c.is_moe.push_back(!listed && step > 0 && (i + 1) % step == 0);
  }
  return c;
}

DecoderConfig from_gguf(const GgufFile& file) {
  DecoderConfig c = common_config(file, "qwen3moe");
  c.family = "qwen3_moe";
  c.qk_norm = true;
  c.is_moe.assign(size_t(c.layers > 0 ? c.layers : 0), true);
  return c;
}

GgufNames gguf_names() {
  GgufNames names = common_gguf_names();
  names.insert(names.end(), {{"model.norm.weight", "output_norm.weight"},
                             {"model.layers.{}.input_layernorm.weight", "blk.{}.attn_norm.weight"},
                             {"model.layers.{}.post_attention_layernorm.weight", "blk.{}.ffn_norm.weight"},
                             {"model.layers.{}.self_attn.o_proj.weight", "blk.{}.attn_output.weight"},
                             {"model.layers.{}.self_attn.q_norm.weight", "blk.{}.attn_q_norm.weight"},
                             {"model.layers.{}.self_attn.k_norm.weight", "blk.{}.attn_k_norm.weight"},
                             {"model.layers.{}.mlp.gate.weight", "blk.{}.ffn_gate_inp.weight"},
                             {"model.layers.{}.mlp.experts.gate_proj", "blk.{}.ffn_gate_exps.weight"},
                             {"model.layers.{}.mlp.experts.up_proj", "blk.{}.ffn_up_exps.weight"},
                             {"model.layers.{}.mlp.experts.down_proj", "blk.{}.ffn_down_exps.weight"}});
  return names;
}

Decoder build(const DecoderConfig& c, WeightSource& source) {
  Decoder d = start_decoder(c, source, "model.norm.weight");
  for (int64_t i = 0; i < c.layers; i++) {
    std::string p = cat("model.layers.", i, ".");
    DecoderLayer layer;
    layer.mixer_norm = {source.floats(p + "input_layernorm.weight", {c.hidden}), c.norm_eps};
    layer.ffn_norm = {source.floats(p + "post_attention_layernorm.weight", {c.hidden}), c.norm_eps};
    layer.attention = load_attention(c, source, p + "self_attn.", "o_proj", "norm");
    if (c.is_moe[size_t(i)]) {
      MoeFfn moe;
      moe.router = source.matrix(p + "mlp.gate.weight", c.moe.experts, c.hidden);
      moe.top_k = c.moe.top_k;
      moe.renormalise = c.moe.renormalise;
      moe.experts = load_experts(c.moe, c.hidden, source, p + "mlp.experts.", "gate_proj", "up_proj", "down_proj");
      layer.moe = std::move(moe);
    } else {
      DenseFfn ffn;
      ffn.gate = load_linear(source, p + "mlp.gate_proj", c.ffn_width, c.hidden, false);
      ffn.up = load_linear(source, p + "mlp.up_proj", c.ffn_width, c.hidden, false);
      ffn.down = load_linear(source, p + "mlp.down_proj", c.hidden, c.ffn_width, false);
      layer.dense = std::move(ffn);
    }
    d.layers.push_back(std::move(layer));
  }
  return d;
}

}  // namespace

const Family& qwen3_moe_family() {
  static const Family family{{"qwen3_moe"}, {"qwen3moe"}, from_json, from_gguf, gguf_names, build};
  return family;
}

}  // namespace ingot
