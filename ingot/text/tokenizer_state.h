// Everything a tokenizer is; built by a file's reader, then never changed.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "ingot/text/pretokenize.h"
#include "ingot/text/tokenizer.h"
#include "ingot/text/tokenizer_added.h"
#include "ingot/text/tokenizer_decode.h"
#include "ingot/text/tokenizer_model.h"
#include "ingot/text/tokenizer_normalize.h"

namespace ingot {

struct Tokenizer::State {
  // Larger ids are refused: tables are as long as the highest id.
  static constexpr int32_t kMaxId = (1 << 20) - 1;

  struct Token {
    std::string text;   // as the file spells it
    std::string bytes;  // as it is decoded
    bool present = false, added = false, special = false;
  };

  std::vector<Token> tokens;
  std::unordered_map<std::string, int32_t, tok::TextHash, std::equal_to<>> ids;  // by text

  tok::AddedTokenFinder raw_added, normalized_added;
  tok::Normalizer normalizer;
  tok::PreTokenizer pre_tokenizer;
  std::unique_ptr<tok::Model> model;
  tok::Decoder decoder;
  std::vector<int32_t> before, after;  // with add_special_tokens

  std::optional<int32_t> bos, eos, pad;
  std::string bos_text, eos_text, pad_text, unk_text;

  std::optional<int32_t> find(std::string_view text) const;
  // Gives an id its text. An id out of range or with another text, or a text with another id, is an Error; `where`
  // names the place.
  void add_token(std::string_view text, int32_t id, std::string_view where);
  // Marks the token as added and makes it findable; its text and id must be new or as they are.
  void add_added(const tok::AddedToken& added);
  // Once all tokens and the decoder are there.
  void finish();
};

}  // namespace ingot
