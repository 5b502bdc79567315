// Building a BPE model from a vocabulary and its merges; shared by the readers of tokenizer.json and of GGUF
// vocabularies.
#pragma once
#include <string_view>
#include <utility>
#include <vector>

#include "ingot/text/bpe.h"
#include "ingot/text/tokenizer_state.h"

namespace ingot::tok {

// U+2581, which stands for a space in vocabularies of SentencePiece's kind.
inline constexpr std::string_view kSpaceMark = "\xE2\x96\x81";

using MergeTexts = std::vector<std::pair<std::string_view, std::string_view>>;  // in order of rank

// `state` has all tokens, and which of them are special. No merge and no piece taken whole gives a special token,
// whatever the file says: text that is not recognised as an added token must never become one. `where` begins error
// messages.
std::unique_ptr<Model> build_bpe(const Tokenizer::State& state, Bpe::Options options, bool ignore_merges,
                                 const MergeTexts& merges, std::string_view where);

// "a b" -> a, b; an Error if it is anything else.
std::pair<std::string_view, std::string_view> split_merge(std::string_view merge, std::string_view where);

}  // namespace ingot::tok
