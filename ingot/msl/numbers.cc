#include "ingot/msl/numbers.h"

#include <charconv>

namespace ingot::msl {

std::optional<uint64_t> integer_literal(std::string_view text) {
  while (!text.empty() && (text.back() == 'u' || text.back() == 'U' || text.back() == 'l' || text.back() == 'L'))
    text.remove_suffix(1);
  int base = 10;
  if (text.size() > 1 && text[0] == '0') {
    const bool hex = text[1] == 'x' || text[1] == 'X';
    base = hex ? 16 : 8;
    text.remove_prefix(hex ? 2 : 1);
  }
  uint64_t value = 0;
  const auto [stop, problem] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (problem != std::errc() || stop != text.data() + text.size()) return std::nullopt;
  return value;
}

int small_number(std::string_view text) {
  const std::optional<uint64_t> value = integer_literal(text);
  return value && *value <= 65536 ? static_cast<int>(*value) : -1;
}

bool is_double_literal(std::string_view text) {
  const bool hex = text.size() > 1 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
  const bool floating = hex ? text.find_first_of("pP.") != text.npos : text.find_first_of("eE.") != text.npos;
  if (!floating) return false;
  const char last = text.back();
  return last != 'f' && last != 'F' && last != 'h' && last != 'H';
}

}  // namespace ingot::msl
