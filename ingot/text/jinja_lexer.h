// Cuts a template into text and tags, and tags into tokens, with Jinja's white-space control: `-` and `+` at tag ends,
// the newline after a block tag dropped (trim_blocks), blanks before a block tag at the start of a line dropped
// (lstrip_blocks).
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ingot::jinja {

struct Token {
  enum class Type : uint8_t {
    kData,
    kVariableBegin,
    kVariableEnd,
    kBlockBegin,
    kBlockEnd,
    kName,
    kString,
    kInteger,
    kFloat,
    kOperator,
    kEnd
  };
  Type type;
  int line;
  std::string text;  // data, name, decoded string, digits or operator
};

// Ends with a kEnd token. TemplateError with the line in its message.
std::vector<Token> tokenize(std::string_view source);

}  // namespace ingot::jinja
