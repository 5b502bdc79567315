// SentencePiece's BPE as GGUF files of the model "llama" carry it: no list of merges; two neighbours merge if their
// joined text is a token, the token of the highest score first, leftmost on ties. What is no token in the end becomes
// the tokens of its bytes.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "ingot/text/tokenizer_model.h"

namespace ingot::tok {

class Spm final : public Model {
 public:
  explicit Spm(std::optional<int32_t> unk) : unk_(unk) { bytes_.fill(-1); }

  // A token that text may become. The first of two equal texts wins. `score` is not NaN.
  void add(std::string text, int32_t token, float score) { tokens_.try_emplace(std::move(text), Token{token, score}); }
  void set_byte(unsigned char byte, int32_t token) { bytes_[byte] = token; }
  // As Bpe::cut_before; the caller knows that no token reaches across.
  void cut_before(std::string mark) { cut_before_ = std::move(mark); }

  void encode(std::string_view piece, Cache& cache, std::vector<int32_t>& out) const override;

 private:
  struct Token {
    int32_t id;
    float score;
  };
  const Token* find(std::string_view text) const {
    auto found = tokens_.find(text);
    return found == tokens_.end() ? nullptr : &found->second;
  }
  void encode_part(std::string_view part, Cache& cache, std::vector<int32_t>& out) const;

  std::optional<int32_t> unk_;
  std::array<int32_t, 256> bytes_;
  std::unordered_map<std::string, Token, TextHash, std::equal_to<>> tokens_;
  std::string cut_before_;
};

}  // namespace ingot::tok
