// A half-open range of bytes in a text; what a chat template and a tokenizer tell each other about pieces of one
// string.
#pragma once
#include <cstddef>

namespace ingot {

struct TextRange {
  size_t begin = 0;  // first byte
  size_t end = 0;    // one past the last byte
  friend bool operator==(const TextRange&, const TextRange&) = default;
};

}  // namespace ingot
