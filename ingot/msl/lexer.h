// Cuts kernel text into tokens. Blanks and comments are dropped; a preprocessor directive is one token.
#pragma once
#include <cstddef>
#include <string_view>
#include <vector>

#include "ingot/msl/source_text.h"

namespace ingot::msl {

enum class TokenKind { kName, kNumber, kString, kDirective, kPunctuation };

struct Token {
  TokenKind kind;
  size_t begin;           // offset in the text
  std::string_view text;  // a part of the text that was given

  size_t end() const { return begin + text.size(); }
  bool is(std::string_view what) const { return text == what; }
  bool is_name() const { return kind == TokenKind::kName; }
};

using Tokens = std::vector<Token>;

// Punctuation is one character a token, but for `::` and `->`. A directive reaches to the end of its line or, where
// lines end in a backslash, of the last of them. Comments inside a directive stay in it. An unterminated comment or
// string ends at the end of the text or of the line; `unfinished`, where given, is set to where it began.
Tokens tokenize(std::string_view text, size_t* unfinished = nullptr);

}  // namespace ingot::msl
