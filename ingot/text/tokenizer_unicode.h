// The few facts about UTF-8 and Unicode that tokenizers need. Texts are valid UTF-8 unless a function says otherwise.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>

namespace ingot::tok {

// What stands at the front of `bytes` (any bytes, not empty): a character; an ill-formed sequence (its maximal subpart,
// which is replaced by one U+FFFD); or the start of a character that the end of the bytes cuts off.
enum class Utf8Kind { kCharacter, kIllFormed, kCutOff };
struct Utf8Step {
  Utf8Kind kind;
  size_t length;
};
Utf8Step utf8_step(std::string_view bytes);

size_t valid_prefix(std::string_view bytes);  // how many bytes at the front are whole characters

inline constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

struct Character {
  char32_t code;
  size_t length;
};
Character character_at(std::string_view text, size_t at);
size_t character_start_before(std::string_view text, size_t at);  // at > 0
void append_utf8(std::string& out, char32_t code);

bool is_white_space(char32_t c);  // the property White_Space
bool is_number(char32_t c);       // Nd, Nl, No
bool is_punctuation(char32_t c);  // P*, and the symbols of ASCII
bool is_word(char32_t c);         // what \w means in Rust's regex: Alphabetic, M, Nd, Pc, Join_Control

}  // namespace ingot::tok
