// Llama-type dense models (Llama, SmolLM2, ...) and Mixtral, the same with experts. model_type "llama", "mixtral"; GGUF
// arch "llama", where expert_count tells them apart.
#include "ingot/models/family.h"

namespace ingot {

namespace {

DecoderConfig from_json(const JsonConfig& json) {
  DecoderConfig c = common_config(json);
  c.family = json.text("model_type");
  if (c.family == "mixtral") {
    c.moe.experts = json.integer("num_local_experts", 8);
    c.moe.top_k = json.integer("num_experts_per_tok", 2);
    c.moe.width = c.ffn_width;
    c.is_moe.assign(size_t(c.layers > 0 ? c.layers : 0), true);
  }
  return c;
}

DecoderConfig from_gguf(const GgufFile& file) {
  DecoderConfig c = common_config(file, "llama");
  c.family = c.moe.experts > 0 ? "mixtral" : "llama";
  if (c.moe.experts > 0) c.is_moe.assign(size_t(c.layers > 0 ? c.layers : 0), true);
  c.mlp_bias = file.find_tensor("blk.0.ffn_gate.bias") != nullptr;
  // The converter permutes the rows of q and k so that pairs lie side by side.
  c.rope_style = RopeStyle::kInterleaved;
  return c;
}

GgufNames gguf_names() {
  GgufNames names = common_gguf_names();
  names.insert(names.end(), {{"model.norm.weight", "output_norm.weight"},
                             {"model.layers.{}.input_layernorm.weight", "blk.{}.attn_norm.weight"},
                             {"model.layers.{}.post_attention_layernorm.weight", "blk.{}.ffn_norm.weight"},
                             {"model.layers.{}.self_attn.o_proj.weight", "blk.{}.attn_output.weight"},
                             {"model.layers.{}.self_attn.o_proj.bias", "blk.{}.attn_output.bias"},
                             {"model.layers.{}.mlp.gate_proj.weight", "blk.{}.ffn_gate.weight"},
                             {"model.layers.{}.mlp.up_proj.weight", "blk.{}.ffn_up.weight"},
                             {"model.layers.{}.mlp.down_proj.weight", "blk.{}.ffn_down.weight"},
                             {"model.layers.{}.block_sparse_moe.gate.weight", "blk.{}.ffn_gate_inp.weight"},
                             {"model.layers.{}.block_sparse_moe.experts.w1", "blk.{}.ffn_gate_exps.weight"},
                             {"model.layers.{}.block_sparse_moe.experts.w3", "blk.{}.ffn_up_exps.weight"},
                             {"model.layers.{}.block_sparse_moe.experts.w2", "blk.{}.ffn_down_exps.weight"}});
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
    if (c.moe.experts > 0) {
      MoeFfn moe;
      moe.router = source.matrix(p + "block_sparse_moe.gate.weight", c.moe.experts, c.hidden);
      moe.top_k = c.moe.top_k;
      moe.experts = load_experts(c.moe, c.hidden, source, p + "block_sparse_moe.experts.", "w1", "w3", "w2");
      layer.moe = std::move(moe);
    } else {
      DenseFfn ffn;
      ffn.gate = load_linear(source, p + "mlp.gate_proj", c.ffn_width, c.hidden, c.mlp_bias);
      ffn.up = load_linear(source, p + "mlp.up_proj", c.ffn_width, c.hidden, c.mlp_bias);
      ffn.down = load_linear(source, p + "mlp.down_proj", c.hidden, c.ffn_width, c.mlp_bias);
      layer.dense = std::move(ffn);
    }
    d.layers.push_back(std::move(layer));
  }
  return d;
}

}  // namespace

const Family& llama_family() {
  static const Family family{{"llama", "mixtral", "smollm"}, {"llama"}, from_json, from_gguf, gguf_names, build};
  return family;
}

}  // namespace ingot
