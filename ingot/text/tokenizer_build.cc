#include "ingot/text/tokenizer_build.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "ingot/base/error.h"
#include "ingot/text/byte_map.h"

namespace ingot::tok {

namespace {

// Returns whether every character of a text has a token to start from.
bool set_first_tokens(Bpe& bpe, const Tokenizer::State& state, const Bpe::Options& options, bool ignore_merges,
                      std::string_view where) {
  std::array<bool, 256> has_byte{}, has_fallback{};
  for (size_t i = 0; i < state.tokens.size(); i++) {
    const Tokenizer::State::Token& token = state.tokens[i];
    auto id = static_cast<int32_t>(i);
    if (!token.present || token.text.empty() || state.find(token.text) != id) continue;
    if (int value = byte_token_value(token.text); value >= 0) {
      bpe.set_fallback(static_cast<unsigned char>(value), id);
      has_fallback[static_cast<size_t>(value)] = true;
    }
    std::optional<std::string> piece = options.byte_level ? bytes_of_mapped(token.text) : std::optional(token.text);
    if (!piece) continue;
    if (options.byte_level && piece->size() == 1) {
      auto byte = static_cast<unsigned char>(piece->front());
      bpe.set_byte(byte, id);
      has_byte[byte] = true;
    }
    if (!options.byte_level) {
      Character c = character_at(*piece, 0);
      if (c.length == piece->size()) bpe.set_character(c.code, id);
    }
    if (ignore_merges && !token.special) bpe.set_whole(std::move(*piece), id);
  }
  auto all = [](const std::array<bool, 256>& has) { return std::find(has.begin(), has.end(), false) == has.end(); };
  if (options.byte_level && options.byte_fallback && !all(has_byte)) {
    fail(ErrorKind::kUnsupported, where, "byte_fallback with ByteLevel and a vocabulary that lacks bytes");
  }
  return options.unk || (options.byte_level ? all(has_byte) : options.byte_fallback && all(has_fallback));
}

// Whether a merge may join a character and a space mark after it.
bool crosses(std::string_view left, std::string_view right) {
  return right.starts_with(kSpaceMark) && !left.ends_with(kSpaceMark);
}

}  // namespace

std::pair<std::string_view, std::string_view> split_merge(std::string_view merge, std::string_view where) {
  size_t space = merge.find(' ');
  bool two = space != std::string_view::npos && space > 0 && space + 1 < merge.size() &&
             merge.find(' ', space + 1) == std::string_view::npos;
  if (!two)
    fail(ErrorKind::kFormat, where, cat("merge ", quoted(merge), ": expected two tokens with a space between them"));
  return {merge.substr(0, space), merge.substr(space + 1)};
}

std::unique_ptr<Model> build_bpe(const Tokenizer::State& state, Bpe::Options options, bool ignore_merges,
                                 const MergeTexts& merges, std::string_view where) {
  auto bpe = std::make_unique<Bpe>(options);
  bool complete = set_first_tokens(*bpe, state, options, ignore_merges, where);
  bpe->merges().reserve(merges.size());
  // Characters that vanish would let a merge reach over them.
  bool may_cut = complete && !options.byte_level;
  bool at_marks = may_cut && state.find(kSpaceMark).has_value();
  bool at_newlines = may_cut && (state.find("\n") || (options.byte_fallback && state.find("<0x0A>")));
  std::string joined;
  for (size_t rank = 0; rank < merges.size(); rank++) {
    auto [left, right] = merges[rank];
    joined.assign(left).append(right);
    std::optional<int32_t> l = state.find(left), r = state.find(right), both = state.find(joined);
    if (!l || !r || !both) {
      fail(ErrorKind::kFormat, where,
           cat("merge ", rank, ": ",
               quoted(!l   ? left
                      : !r ? right
                           : joined),
               " is not in the vocabulary"));
    }
    if (state.tokens[static_cast<size_t>(*both)].special) continue;
    at_marks = at_marks && !crosses(left, right);
    at_newlines = at_newlines && joined.find('\n') == std::string::npos;
    bpe->merges().insert(*l, *r, {static_cast<uint32_t>(rank), *both});
  }
  bpe->set_cuts({at_marks ? std::string(kSpaceMark) : std::string(), at_newlines});
  return bpe;
}

}  // namespace ingot::tok
