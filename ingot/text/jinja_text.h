// A string that knows which of its bytes came from the caller's data. A chat template mixes trusted scaffolding
// ("<|im_start|>") with what users and tools wrote; the ranges kept here let the tokenizer refuse control tokens inside
// the latter. Every string operation of the template engine goes through these few functions, so no operation can lose
// the ranges.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ingot/base/export.h"
#include "ingot/text/text_range.h"

namespace ingot::jinja {

struct Text {
  std::string bytes;            // UTF-8; a byte that is no valid UTF-8 counts as one character and is passed through
  std::vector<TextRange> user;  // bytes of the caller's data: sorted, disjoint, not empty, not adjacent

  bool is_user(size_t at) const;  // whether byte `at` lies in a user range
};

inline constexpr size_t kMaxText = size_t{1} << 26;

// Collects pieces; the ranges follow. Error (kFormat) beyond kMaxText bytes, so that no template can fill the memory.
class TextBuilder {
 public:
  void append(std::string_view trusted) { append(trusted, false); }
  void append(std::string_view bytes, bool is_user);
  void append(const Text& text) { append(text, 0, text.bytes.size()); }
  void append(const Text& text, size_t begin, size_t end);  // the bytes [begin, end) of text
  void append_repeated(const Text& text, int64_t times);    // nothing when times <= 0
  size_t size() const { return text_.bytes.size(); }
  Text take() { return std::move(text_); }

 private:
  void make_room(size_t more);
  void mark(size_t begin, size_t end);
  Text text_;
};

Text slice(const Text& text, size_t begin, size_t end);

// The character at byte `at` and how many bytes it takes. An invalid byte b gives 0xDC00 + b with length 1.
struct Character {
  char32_t code;
  size_t length;
};
Character character_at(std::string_view s, size_t at);
void append_utf8(std::string& out, char32_t code);
bool is_valid_utf8(std::string_view s);
size_t count_characters(std::string_view s);
// Byte offset of character number `index`; s.size() when there are not so many.
size_t character_offset(std::string_view s, size_t index);

bool is_all_cased(std::string_view s, bool upper);  // as Python's isupper and islower
bool is_space(char32_t c);                          // as Python's str.isspace
bool is_printable(char32_t c);                      // as Python's str.isprintable
bool is_letter(char32_t c);
bool is_digit(char32_t c);
bool is_upper_case(char32_t c);  // cased letters only
bool is_lower_case(char32_t c);

struct Trimmed {
  size_t begin, end;
};
// The bytes left when characters of `set` (white space when null) are taken from the chosen ends.
Trimmed strip(std::string_view s, const std::string* set, bool left, bool right);
// Lines as Python's str.splitlines: each without its end; `full_end` is where the next line starts.
struct Line {
  size_t begin, end, full_end;
};
std::vector<Line> split_lines(std::string_view s);

enum class Case { kUpper, kLower, kCapitalize, kTitle, kSwap };
// Unicode simple case mapping, and the multi-letter upper cases of sharp s and the Latin ligatures.
Text change_case(const Text& text, size_t begin, size_t end, Case how);
inline Text change_case(const Text& text, Case how) { return change_case(text, 0, text.bytes.size(), how); }

}  // namespace ingot::jinja
