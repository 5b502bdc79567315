// Replacements in a text that leave every line where it was.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace ingot::msl {

class Edits {
 public:
  // The bytes [begin, end) become `text`; with begin == end it is put in. An edit inside a replaced part is
  // forgotten, and so is the second of two for the same bytes.
  // Where the replaced bytes hold more newlines than `text`, the rest of them is kept after it.
  void replace(size_t begin, size_t end, std::string text) { edits_.push_back({begin, end, std::move(text)}); }
  std::string apply(std::string_view text) const;

 private:
  struct Edit {
    size_t begin;
    size_t end;
    std::string text;
  };
  std::vector<Edit> edits_;
};

}  // namespace ingot::msl
