// SentencePiece's BPE as GGUF files of the model "llama" carry it: no list of merges; two neighbours merge if their
// joined text is a token, the token of the highest score first, leftmost on ties. What is no token in the end becomes
// the tokens of its bytes. It is turned into a list of merges once: every way to cut a token in two is one.
#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "ingot/text/tokenizer_model.h"

namespace ingot::tok {

struct SpmVocab {
  struct Text {
    std::string_view text;  // valid UTF-8, not empty
    int32_t id;
    float score;  // not NaN
  };
  std::vector<Text> texts;         // that text may become; of equal ones the first counts
  std::array<int32_t, 256> bytes;  // tokens of single bytes, -1 where there is none
  std::optional<int32_t>
      unk;           // for a character without a token and without its bytes; without it such characters vanish
  int32_t size = 0;  // all ids are below
  SpmVocab() { bytes.fill(-1); }
};

// Texts longer than 1024 bytes are an Error (kUnsupported). `where` begins error messages.
std::unique_ptr<Model> build_spm(const SpmVocab& vocab, std::string_view where);

}  // namespace ingot::tok
