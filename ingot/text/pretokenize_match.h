// Where a pattern occurs in a text: what Split, Digits, Punctuation and Replace look for.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <variant>

#include "ingot/text/pretokenize_regex.h"
#include "ingot/text/tokenizer_unicode.h"

namespace ingot::tok {

using CharacterTest = bool (*)(char32_t);

// A literal text (the empty one occurs nowhere), a regular expression, or single characters that pass a test.
using Pattern = std::variant<std::string, Regex, CharacterTest>;

// Calls on_match(begin, end) for each occurrence, left to right, without overlap.
template <class OnMatch>
void each_match(const Pattern& pattern, std::string_view text, OnMatch&& on_match) {
  if (const auto* regex = std::get_if<Regex>(&pattern)) {
    Regex::Search search(*regex, text);
    for (size_t begin = 0, end = 0; search.next(begin, end);) on_match(begin, end);
  } else if (const auto* test = std::get_if<CharacterTest>(&pattern)) {
    for (size_t i = 0; i < text.size();) {
      Character c = character_at(text, i);
      if ((*test)(c.code)) on_match(i, i + c.length);
      i += c.length;
    }
  } else {
    const std::string& literal = std::get<std::string>(pattern);
    if (literal.empty()) return;
    for (size_t i = text.find(literal); i != std::string_view::npos; i = text.find(literal, i + literal.size())) {
      on_match(i, i + literal.size());
    }
  }
}

}  // namespace ingot::tok
