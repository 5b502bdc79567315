// Normalizers: a text is rewritten before it is cut into pieces. Each byte may carry a mark (it came from a user),
// which follows the text through the changes: what is made from a marked character is marked.
#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "ingot/text/pretokenize_match.h"

namespace ingot::tok {

struct MarkedText {
  std::string bytes;  // valid UTF-8
  std::string marks;  // empty, or as long as bytes: '\1' marked, '\0' not
};

using Normalizer = std::function<void(MarkedText&)>;  // an empty one changes nothing

enum class UnicodeForm { kNfc, kNfd, kNfkc, kNfkd };

Normalizer normalize_unicode(UnicodeForm form);
Normalizer normalize_lowercase();
Normalizer normalize_replace(Pattern pattern, std::string content);
Normalizer normalize_prepend(std::string text);  // before a text that is not empty
Normalizer normalize_strip(bool left, bool right);
Normalizer normalize_sequence(std::vector<Normalizer> steps);

// Copies [begin, end) of one text to another.
void append_range(MarkedText& to, const MarkedText& from, size_t begin, size_t end);

}  // namespace ingot::tok
