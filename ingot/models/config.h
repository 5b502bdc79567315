// What config.json or a GGUF file says of a decoder model, in one shape for all families.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ingot/base/export.h"
#include "ingot/io/gguf.h"
#include "ingot/ops/moe_router/moe_router.h"
#include "ingot/ops/rope/rope.h"

namespace ingot {

struct MoeConfig {
  int64_t experts = 0, top_k = 0, width = 0;  // width: rows of one expert's gate
  RouterScore score = RouterScore::kSoftmax;
  bool renormalise = true, choice_bias = false;
  double renorm_epsilon = 0, scale = 1;
};

struct DecoderConfig {
  std::string family;  // "llama", "qwen3_moe", "lfm2_moe", "mixtral"
  int64_t vocab = 0, hidden = 0, layers = 0, heads = 0, kv_heads = 0, head_dim = 0;
  int64_t ffn_width = 0;  // of dense layers
  int64_t max_position = 0;
  double norm_eps = 1e-6;
  bool tied = false, attention_bias = false, mlp_bias = false, qk_norm = false;
  RopeConfig rope;
  RopeStyle rope_style = RopeStyle::kHalf;
  std::vector<bool> is_conv;  // by layer; empty: none
  int64_t conv_kernel = 3;
  bool conv_bias = false;
  std::vector<bool> is_moe;  // by layer; empty: none
  MoeConfig moe;
  std::vector<int32_t> eos;  // of config.json or the file's tokenizer keys
};

// A JSON object read key by key; `label` names the file in messages. Keeps the text alive.
class INGOT_API JsonConfig {
 public:
  JsonConfig(std::string text, std::string label);
  ~JsonConfig();
  JsonConfig(JsonConfig&&) noexcept;

  bool has(std::string_view key) const;  // present and not null
  // "a.b" looks inside an object. Error naming label and key where the type is wrong; without fallback also where the
  // key is missing.
  int64_t integer(std::string_view key, std::optional<int64_t> fallback = {}) const;
  double number(std::string_view key, std::optional<double> fallback = {}) const;
  bool boolean(std::string_view key, bool fallback) const;
  std::string text(std::string_view key, std::optional<std::string> fallback = {}) const;
  std::vector<std::string> texts(std::string_view key) const;  // empty where absent
  std::vector<int64_t> integers(std::string_view key) const;   // one integer counts as a list; empty where absent
  const std::string& label() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// The parts that most families share. Checks ranges: sizes positive and below 2^31, heads a multiple of kv heads, ...
INGOT_API DecoderConfig common_config(const JsonConfig& json);
INGOT_API DecoderConfig common_config(const GgufFile& file, const std::string& arch);
INGOT_API void check_config(const DecoderConfig& config, const std::string& label);

}  // namespace ingot
