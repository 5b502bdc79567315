// Reading ranges of tokens: brackets, commas, types.
#include <algorithm>

#include "ingot/msl/module.h"
#include "ingot/msl/numbers.h"

namespace ingot::msl {
namespace {

bool is_space(std::string_view word) {
  return word == "device" || word == "constant" || word == "threadgroup" || word == "thread";
}

// Longer template argument lists are not looked for, so that hostile text costs linear time.
constexpr size_t kLongestAngle = 256;

}  // namespace

std::string ParsedModule::spelled(Range range) const {
  std::string text;
  bool word_before = false;
  for (size_t i = range.begin; i < range.end; i++) {
    const bool word = tokens[i].is_name() || tokens[i].kind == TokenKind::kNumber;
    if (word && word_before) text += ' ';
    text += tokens[i].text;
    word_before = word;
  }
  return text;
}

size_t match_angle(const ParsedModule& module, size_t open, size_t end) {
  int depth = 0;
  const size_t limit = std::min(end, open + kLongestAngle);
  for (size_t i = open; i < limit; i++) {
    const Token& token = module.tokens[i];
    if (token.is("<")) depth++;
    if (token.is(">") && --depth == 0) return i;
    if (token.is(";") || token.is("{") || token.is("}") || token.is(")") || token.is("]")) return end;
    if (token.is("(") || token.is("[")) i = module.partners[i];
  }
  return end;
}

std::vector<Range> split_commas(const ParsedModule& module, Range range) {
  std::vector<Range> parts;
  size_t begin = range.begin;
  for (size_t i = range.begin; i < range.end; i++) {
    const Token& token = module.tokens[i];
    if (token.is("(") || token.is("[") || token.is("{")) {
      i = module.partners[i];
    } else if (token.is("<")) {
      const size_t close = match_angle(module, i, range.end);
      if (close != range.end) i = close;
    } else if (token.is(",")) {
      parts.push_back({begin, i});
      begin = i + 1;
    }
  }
  if (begin < range.end || !parts.empty()) parts.push_back({begin, range.end});
  return parts;
}

std::optional<uint64_t> element_count(const ParsedModule& module, Range dimensions) {
  uint64_t count = 1;
  for (size_t i = dimensions.begin; i < dimensions.end; i = module.partners[i] + 1) {
    const std::optional<uint64_t> length = integer_literal(module.tokens[i + 1].text);
    if (!length || module.partners[i] != i + 2 || *length > 65536 || count > 65536) return std::nullopt;
    count *= *length;
  }
  return count;
}

std::vector<std::string_view> template_names(const ParsedModule& module, Range template_parameters) {
  std::vector<std::string_view> names;
  if (template_parameters.empty()) return names;
  for (Range parameter : split_commas(module, {template_parameters.begin + 1, template_parameters.end - 1})) {
    std::string_view name;
    for (size_t i = parameter.begin; i < parameter.end && !module.tokens[i].is("="); i++) {
      if (module.tokens[i].is_name() && i > parameter.begin) name = module.tokens[i].text;
    }
    names.push_back(name);
  }
  return names;
}

std::string substitute(const std::string& text, const Replacements& replacements) {
  std::string result;
  size_t copied = 0;
  for (const Token& token : tokenize(text)) {
    const auto replacement = token.is_name() ? replacements.find(token.text) : replacements.end();
    if (replacement == replacements.end()) continue;
    result += text.substr(copied, token.begin - copied) + replacement->second;
    copied = token.end();
  }
  return result + text.substr(copied);
}

DeclaredType read_type(const ParsedModule& module, Range range) {
  DeclaredType type;
  type.tokens = range;
  std::string element;
  bool word_before = false;
  for (size_t i = range.begin; i < range.end; i++) {
    const Token& token = module.tokens[i];
    if (is_space(token.text)) {
      if (type.space.empty()) type.space = token.text;
    } else if (token.is("*")) {
      type.stars++;
    } else if (token.is("&")) {
      type.reference = true;
    } else if (token.is("const")) {
      if (type.stars == 0 && !type.reference) type.const_element = true;
    } else if (!token.is("typename") && !token.is("volatile") && !token.is("static") && !token.is("constexpr") &&
               !token.is("inline")) {
      type.is_auto = type.is_auto || token.is("auto");
      const bool word = token.is_name() || token.kind == TokenKind::kNumber;
      if (word && word_before) element += ' ';
      element += token.text;
      word_before = word;
    }
  }
  type.element = element;
  return type;
}

}  // namespace ingot::msl
