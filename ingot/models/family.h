// A model family: how it is recognised, what its config says, and where its weights are called what. One file a family;
// families() is the list.
#pragma once
#include <string>
#include <vector>

#include "ingot/models/config.h"
#include "ingot/models/weight_source.h"
#include "ingot/nn/decoder.h"

namespace ingot {

struct Family {
  std::vector<std::string> model_types;  // of config.json
  std::vector<std::string> gguf_archs;   // of general.architecture
  DecoderConfig (*from_json)(const JsonConfig& json);
  DecoderConfig (*from_gguf)(const GgufFile& file);
  GgufNames (*gguf_names)();
  Decoder (*build)(const DecoderConfig& config, WeightSource& source);
};

const Family& llama_family();  // llama, mistral-like dense models, and mixtral (llama with experts)
const Family& qwen3_moe_family();
const Family& lfm2_moe_family();
INGOT_API const std::vector<const Family*>& families();

// Error kUnsupported naming the type and the known ones.
INGOT_API const Family& family_of_model_type(const std::string& model_type);
INGOT_API const Family& family_of_gguf_arch(const std::string& arch);

// Pieces that families share.
Decoder start_decoder(const DecoderConfig& config, WeightSource& source,
                      const std::string& final_norm);  // shape, embedding, head
AttentionLayer load_attention(const DecoderConfig& config, WeightSource& source, const std::string& prefix,
                              const std::string& out_name, const std::string& norm_suffix);
LinearLayer load_linear(WeightSource& source, const std::string& name, int64_t rows, int64_t cols, bool bias);
// Experts as separate matrices (prefix.{e}.gate.weight), or fused ([E, 2M, H] gate_up_proj and [E, H, M] down_proj), or
// stacked (a GGUF file's ffn_*_exps, reached as prefix + "gate"/"up"/"down" names).
Experts load_experts(const MoeConfig& moe, int64_t hidden, WeightSource& source, const std::string& prefix,
                     const std::string& gate, const std::string& up, const std::string& down);
// The pairs common to all GGUF architectures, for embedding, head, attention and router.
GgufNames common_gguf_names();

}  // namespace ingot
