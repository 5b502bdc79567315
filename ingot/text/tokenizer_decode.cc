#include "ingot/text/tokenizer_decode.h"

#include "ingot/text/byte_map.h"
#include "ingot/text/tokenizer_unicode.h"

namespace ingot::tok {

namespace {

std::string stripped(std::string_view text, std::string_view part, size_t start, size_t stop) {
  for (size_t i = 0; i < start && text.starts_with(part); i++) text.remove_prefix(part.size());
  for (size_t i = 0; i < stop && text.ends_with(part); i++) text.remove_suffix(part.size());
  return std::string(text);
}

}  // namespace

std::string replaced(std::string_view text, const Pattern& pattern, std::string_view content) {
  std::string out;
  size_t last = 0;
  each_match(pattern, text, [&](size_t begin, size_t end) {
    out += text.substr(last, begin - last);
    out += content;
    last = end;
  });
  out += text.substr(last);
  return out;
}

int byte_token_value(std::string_view token) {
  if (token.size() != 6 || !token.starts_with("<0x") || token[5] != '>') return -1;
  int value = 0;
  for (char c : token.substr(3, 2)) {
    int digit = c >= '0' && c <= '9'   ? c - '0'
                : c >= 'A' && c <= 'F' ? c - 'A' + 10
                : c >= 'a' && c <= 'f' ? c - 'a' + 10
                                       : -1;
    if (digit < 0) return -1;
    value = value * 16 + digit;
  }
  return value;
}

std::string Decoder::bytes_of(std::string_view token, bool literal) const {
  std::string bytes(token);
  for (const Step& step : steps_) {
    switch (step.kind) {
      case Kind::kReplace:
        bytes = replaced(bytes, step.pattern, step.content);
        break;
      case Kind::kStrip:
        if (!literal) bytes = stripped(bytes, step.content, step.start, step.stop);
        break;
      // From here on these may be any bytes, so nothing that looks at characters may follow; the file's reader sees to
      // that.
      case Kind::kByteLevel:
        if (!literal) bytes = bytes_of_mapped(bytes).value_or(bytes);
        break;
      case Kind::kByteFallback: {
        int value = literal ? -1 : byte_token_value(bytes);
        if (value >= 0) bytes = std::string(1, static_cast<char>(value));
        break;
      }
    }
  }
  return bytes;
}

size_t append_valid(std::string& out, std::string_view bytes, bool all) {
  size_t at = 0;
  while (at < bytes.size()) {
    Utf8Step step = utf8_step(bytes.substr(at));
    if (step.kind == Utf8Kind::kCutOff && !all) break;
    out += step.kind == Utf8Kind::kCharacter ? bytes.substr(at, step.length) : kReplacement;
    at += step.length;
  }
  return at;
}

}  // namespace ingot::tok
