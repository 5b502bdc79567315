// A tiny Hugging Face checkpoint written as GGUF, the way converters do it: names, stacked experts, q and k rows of
// llama interleaved.
#pragma once
#include <deque>
#include <map>
#include <string>
#include <vector>

#include "ingot/io/gguf_writer.h"
#include "ingot/io/tensor_io.h"
#include "ingot/models/config.h"
#include "ingot/models/family.h"
#include "ingot/models/load.h"

namespace ingot {

namespace tiny_gguf {

struct Matrix {
  std::vector<int64_t> shape;
  std::vector<float> values;
};

inline Matrix read(const SafetensorsFolder& folder, const std::string& name) {
  Tensor t = load_tensor(folder, name);
  Matrix m{{t.sizes().begin(), t.sizes().end()}, {}};
  for (double v : to_doubles(t)) m.values.push_back(float(v));
  return m;
}

// Row j * (D/2) + p of each head becomes row 2p + j.
inline void interleave_rows(Matrix& m, int64_t heads) {
  int64_t d = m.shape[0] / heads, cols = m.shape[1];
  std::vector<float> out(m.values.size());
  for (int64_t h = 0; h < heads; h++)
    for (int64_t p = 0; p < d / 2; p++)
      for (int64_t j = 0; j < 2; j++)
        std::copy_n(m.values.begin() + (h * d + j * (d / 2) + p) * cols, cols,
                    out.begin() + (h * d + 2 * p + j) * cols);
  m.values = out;
}

inline void replace_all(std::string& s, const std::string& from, const std::string& to) {
  for (size_t at; (at = s.find(from)) != std::string::npos;) s.replace(at, from.size(), to);
}

// 256 byte tokens in the GPT-2 spelling, then <|endoftext|>, <|im_start|>, <|im_end|>.
inline void add_byte_tokenizer(GgufWriter& w) {
  std::vector<std::string> tokens;
  std::vector<int32_t> types;
  int next = 256;
  for (int b = 0; b < 256; b++) {
    bool itself = (b >= 33 && b <= 126) || (b >= 161 && b <= 172) || b >= 174;
    int code = itself ? b : next++;
    tokens.push_back(code < 128 ? std::string(1, char(code))
                                : std::string{char(0xC0 | code >> 6), char(0x80 | (code & 63))});
    types.push_back(1);
  }
  for (const char* special : {"<|endoftext|>", "<|im_start|>", "<|im_end|>"}) {
    tokens.emplace_back(special);
    types.push_back(3);
  }
  w.add("tokenizer.ggml.model", "gpt2");
  w.add("tokenizer.ggml.pre", "gpt-2");
  w.add_array("tokenizer.ggml.tokens", tokens);
  w.add_array("tokenizer.ggml.token_type", types);
  w.add_array("tokenizer.ggml.merges", std::vector<std::string>{});
  w.add("tokenizer.ggml.bos_token_id", uint32_t{257});
  w.add("tokenizer.ggml.eos_token_id", uint32_t{258});
  w.add(
      "tokenizer.chat_template",
      "{% for m in messages %}{{ '<|im_start|>' + m['role'] + '\n' + m['content'] + '<|im_end|>' + '\n' }}{% endfor %}"
      "{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}");
}

}  // namespace tiny_gguf

struct TinyGgufOptions {
  WeightFormat matrices = WeightFormat::kF32;  // of matrices whose rows are whole blocks; norms and routers stay f32
  bool tokenizer = false;
  uint32_t context = 0;  // 0: the config's
};

inline void write_tiny_gguf(const std::string& folder_path, const std::string& out,
                            const TinyGgufOptions& options = {}) {
  using namespace tiny_gguf;
  SafetensorsFolder folder = SafetensorsFolder::open(folder_path);
  JsonConfig json(read_text_file(folder_path + "/config.json"), folder_path);
  const Family& family = family_of_model_type(json.text("model_type"));
  DecoderConfig c = family.from_json(json);
  std::string arch = family.gguf_archs[0];
  GgufWriter w;
  auto key = [&](const char* name) { return arch + "." + name; };
  w.add("general.architecture", arch);
  w.add("general.name", "tiny");
  w.add(key("block_count"), uint32_t(c.layers));
  w.add(key("embedding_length"), uint32_t(c.hidden));
  w.add(key("context_length"), options.context ? options.context : uint32_t(c.max_position));
  w.add(key("feed_forward_length"), uint32_t(c.ffn_width));
  w.add(key("attention.head_count"), uint32_t(c.heads));
  w.add(key("attention.key_length"), uint32_t(c.head_dim));
  w.add(key("attention.layer_norm_rms_epsilon"), float(c.norm_eps));
  w.add(key("rope.freq_base"), float(c.rope.theta));
  if (c.is_conv.empty()) {
    w.add(key("attention.head_count_kv"), uint32_t(c.kv_heads));
  } else {
    std::vector<int32_t> kv;
    for (bool conv : c.is_conv) kv.push_back(conv ? 0 : int32_t(c.kv_heads));
    w.add_array(key("attention.head_count_kv"), kv);
    w.add(key("shortconv.l_cache"), uint32_t(c.conv_kernel));
    w.add(key("expert_gating_func"), uint32_t(2));
    w.add(key("leading_dense_block_count"), uint32_t(json.integer("num_dense_layers", 0)));
  }
  if (c.moe.experts > 0) {
    w.add(key("expert_count"), uint32_t(c.moe.experts));
    w.add(key("expert_used_count"), uint32_t(c.moe.top_k));
    w.add(key("expert_feed_forward_length"), uint32_t(c.moe.width));
  }
  if (options.tokenizer) add_byte_tokenizer(w);

  // Experts of one layer and kind are stacked, expert slowest; everything else is translated by the family's own table.
  std::map<std::string, Matrix> tensors;
  for (const std::string& name : folder.names()) {
    Matrix m = read(folder, name);
    std::string stacked = name;
    if (size_t at = stacked.find(".experts."); at != std::string::npos) {
      size_t number = at + 9, end = stacked.find('.', number);
      stacked.erase(number, end - number + 1);
      replace_all(stacked, ".weight", "");
    }
    bool expert = stacked != name;
    for (const auto& [pattern, gguf] : family.gguf_names()) {
      size_t hole = pattern.find("{}");
      std::string before = pattern.substr(0, hole), after = hole == std::string::npos ? "" : pattern.substr(hole + 2);
      if (hole == std::string::npos ? stacked != pattern : !(stacked.starts_with(before) && stacked.ends_with(after)))
        continue;
      std::string number =
          hole == std::string::npos ? "" : stacked.substr(before.size(), stacked.size() - before.size() - after.size());
      if (number.find('.') != std::string::npos) continue;
      std::string to = gguf;
      if (hole != std::string::npos) to.replace(to.find("{}"), 2, number);
      if (arch == "llama" && (to.find("attn_q.") != std::string::npos || to.find("attn_k.") != std::string::npos))
        interleave_rows(m, to.find("attn_q.") != std::string::npos ? c.heads : c.kv_heads);
      if (to.find("shortconv.conv") != std::string::npos) m.shape = {m.shape[0], m.shape[2]};
      if (expert) {
        // folder.names() is sorted bytewise; the tiny models have fewer than ten experts, so that is the order of the
        // experts too.
        Matrix& all = tensors[to];
        if (all.shape.empty()) all.shape = {0, m.shape[0], m.shape[1]};
        all.shape[0]++;
        all.values.insert(all.values.end(), m.values.begin(), m.values.end());
      } else {
        tensors[to] = m;
      }
      break;
    }
  }
  std::deque<std::string> storage;
  for (const auto& [name, m] : tensors) {
    bool matrix = m.shape.size() > 1 && name.find("ffn_gate_inp") == std::string::npos &&
                  name.find("shortconv.conv.") == std::string::npos &&
                  m.shape.back() % block_elements(options.matrices) == 0;
    WeightFormat f = matrix ? options.matrices : WeightFormat::kF32;
    int64_t n = int64_t(m.values.size());
    storage.emplace_back(size_t(row_bytes(f, n)), '\0');
    quantize_row(f, m.values.data(), storage.back().data(), n);
    w.add_tensor(name, f, m.shape, storage.back().data());
  }
  w.write(out);
}

}  // namespace ingot
