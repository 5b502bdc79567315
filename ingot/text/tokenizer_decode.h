// Decoders: what bytes a token stands for. Everything that looks at one token alone is worked out when the file is
// read; what is left for decoding is dropping a few bytes at the very start.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ingot/text/pretokenize_match.h"

namespace ingot::tok {

class Decoder {
 public:
  void add_byte_level() { steps_.push_back({Kind::kByteLevel, {}, {}, 0, 0}); }
  void add_byte_fallback() { steps_.push_back({Kind::kByteFallback, {}, {}, 0, 0}); }
  void add_replace(Pattern pattern, std::string content) {
    steps_.push_back({Kind::kReplace, std::move(pattern), std::move(content), 0, 0});
  }
  void add_strip(std::string character, size_t start, size_t stop) {
    steps_.push_back({Kind::kStrip, {}, std::move(character), start, stop});
  }
  // After Fuse: up to `count` times `text` at the start of everything.
  void strip_at_start(std::string text, size_t count) {
    start_text = std::move(text);
    start_count = count;
  }

  // The bytes of a token as the file spells it; `literal` (added tokens): only texts are replaced in it.
  std::string bytes_of(std::string_view token, bool literal) const;

  // How the start of the decoded text differs from the joined bytes of its tokens.
  std::string start_text;        // taken away from the front ...
  size_t start_count = 0;        // ... up to so many times
  std::string first_token_drop;  // Metaspace: the first token loses all of these, as the file spells it

 private:
  enum class Kind { kByteLevel, kByteFallback, kReplace, kStrip };
  struct Step {
    Kind kind;
    Pattern pattern;
    std::string content;
    size_t start, stop;
  };
  std::vector<Step> steps_;
};

// The text with `content` in place of what the pattern finds.
std::string replaced(std::string_view text, const Pattern& pattern, std::string_view content);

// The value of <0x00> ... <0xFF>, or -1.
int byte_token_value(std::string_view token);

// Appends `bytes` as valid UTF-8, with U+FFFD for each maximal ill-formed subpart; stops before a character that the
// end cuts off unless `all`. Returns how many bytes were taken.
size_t append_valid(std::string& out, std::string_view bytes, bool all);

}  // namespace ingot::tok
