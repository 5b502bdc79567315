#include "ingot/models/family.h"

#include <cmath>

#include "ingot/base/error.h"

namespace ingot {

const std::vector<const Family*>& families() {
  static const std::vector<const Family*> all = {&llama_family(), &qwen3_moe_family(), &lfm2_moe_family()};
  return all;
}

namespace {
const Family& pick(const std::string& name, std::vector<std::string> Family::*list, const char* what) {
  std::string known;
  for (const Family* f : families())
    for (const std::string& candidate : f->*list) {
      if (candidate == name) return *f;
      known += cat(known.empty() ? "" : ", ", candidate);
    }
  fail(ErrorKind::kUnsupported, "model", cat("unknown ", what, " ", ingot::quoted(name), "; known: ", known));
}
}  // namespace

const Family& family_of_model_type(const std::string& model_type) {
  return pick(model_type, &Family::model_types, "model_type");
}
const Family& family_of_gguf_arch(const std::string& arch) { return pick(arch, &Family::gguf_archs, "architecture"); }

Decoder start_decoder(const DecoderConfig& c, WeightSource& source, const std::string& final_norm) {
  Decoder d;
  d.shape.vocab = c.vocab;
  d.shape.hidden = c.hidden;
  d.shape.heads = c.heads;
  d.shape.kv_heads = c.kv_heads;
  d.shape.head_dim = c.head_dim;
  d.shape.max_position = c.max_position;
  d.shape.rope_style = c.rope_style;
  d.shape.inv_freq = rope_inv_freq(c.rope);
  d.shape.rope_scale = rope_attention_scale(c.rope);
  // A GGUF file may carry divisors of the frequencies instead of scaling keys.
  if (source.has("rope_freqs.weight")) {
    Tensor divisor = source.floats("rope_freqs.weight", {d.shape.inv_freq.numel()});
    for (int64_t i = 0; i < divisor.numel(); i++) d.shape.inv_freq.data<float>()[i] /= divisor.data<float>()[i];
  }
  d.shape.attention_scale = 1 / std::sqrt(double(c.head_dim));
  const std::string embed = "model.embed_tokens.weight", head = "lm_head.weight";
  // A tied checkpoint may hold either name, or both.
  bool only_head = c.tied && !source.has(embed) && source.has(head);
  d.embedding = source.matrix(only_head ? head : embed, c.vocab, c.hidden);
  d.head = c.tied ? d.embedding : source.matrix(head, c.vocab, c.hidden);
  // The cache keeps what the weights keep: f32 models f32, others two bytes.
  WeightFormat f = d.head.format;
  d.shape.kv_dtype = f == WeightFormat::kF32 ? DType::kF32 : f == WeightFormat::kBF16 ? DType::kBF16 : DType::kF16;
  d.final_norm = {source.floats(final_norm, {c.hidden}), c.norm_eps};
  return d;
}

LinearLayer load_linear(WeightSource& source, const std::string& name, int64_t rows, int64_t cols, bool bias) {
  LinearLayer l{source.matrix(name + ".weight", rows, cols), {}};
  if (bias) l.bias = source.floats(name + ".bias", {rows});
  return l;
}

AttentionLayer load_attention(const DecoderConfig& c, WeightSource& source, const std::string& prefix,
                              const std::string& out_name, const std::string& norm_suffix) {
  AttentionLayer a;
  a.q = load_linear(source, prefix + "q_proj", c.heads * c.head_dim, c.hidden, c.attention_bias);
  a.k = load_linear(source, prefix + "k_proj", c.kv_heads * c.head_dim, c.hidden, c.attention_bias);
  a.v = load_linear(source, prefix + "v_proj", c.kv_heads * c.head_dim, c.hidden, c.attention_bias);
  a.o = load_linear(source, prefix + out_name, c.hidden, c.heads * c.head_dim,
                    c.attention_bias && source.has(prefix + out_name + ".bias"));
  if (c.qk_norm) {
    a.q_norm = {source.floats(prefix + "q_" + norm_suffix + ".weight", {c.head_dim}), c.norm_eps};
    a.k_norm = {source.floats(prefix + "k_" + norm_suffix + ".weight", {c.head_dim}), c.norm_eps};
  }
  return a;
}

Experts load_experts(const MoeConfig& moe, int64_t hidden, WeightSource& source, const std::string& prefix,
                     const std::string& gate, const std::string& up, const std::string& down) {
  Experts e;
  int64_t n = moe.experts, m = moe.width;
  if (source.has(prefix + "0." + gate + ".weight")) {
    for (int64_t i = 0; i < n; i++) {
      std::string one = prefix + cat(i) + ".";
      e.gate.push_back(source.matrix(one + gate + ".weight", m, hidden));
      e.up.push_back(source.matrix(one + up + ".weight", m, hidden));
      e.down.push_back(source.matrix(one + down + ".weight", hidden, m));
    }
  } else if (source.has(prefix + "gate_up_proj")) {
    for (const Weight& both : source.stacked(prefix + "gate_up_proj", n, 2 * m, hidden)) {
      e.gate.push_back(both.row_range(0, m));
      e.up.push_back(both.row_range(m, m));
    }
    e.down = source.stacked(prefix + "down_proj", n, hidden, m);
  } else {
    e.gate = source.stacked(prefix + gate, n, m, hidden);
    e.up = source.stacked(prefix + up, n, m, hidden);
    e.down = source.stacked(prefix + down, n, hidden, m);
  }
  return e;
}

GgufNames common_gguf_names() {
  return {{"model.embed_tokens.weight", "token_embd.weight"},
          {"lm_head.weight", "output.weight"},
          {"model.layers.{}.self_attn.q_proj.weight", "blk.{}.attn_q.weight"},
          {"model.layers.{}.self_attn.k_proj.weight", "blk.{}.attn_k.weight"},
          {"model.layers.{}.self_attn.v_proj.weight", "blk.{}.attn_v.weight"},
          {"model.layers.{}.self_attn.q_proj.bias", "blk.{}.attn_q.bias"},
          {"model.layers.{}.self_attn.k_proj.bias", "blk.{}.attn_k.bias"},
          {"model.layers.{}.self_attn.v_proj.bias", "blk.{}.attn_v.bias"}};
}

}  // namespace ingot
