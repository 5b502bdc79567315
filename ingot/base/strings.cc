#include "ingot/base/strings.h"

#include <charconv>
#include <cstdio>

namespace ingot {

namespace {
template <class T>
void append_number(std::string& s, T v) {
  char buffer[40];
  s.append(buffer, std::to_chars(buffer, buffer + sizeof buffer, v).ptr);
}
}  // namespace

void append_to(std::string& s, long long v) { append_number(s, v); }
void append_to(std::string& s, unsigned long long v) { append_number(s, v); }
void append_to(std::string& s, double v) { append_number(s, v); }
void append_to(std::string& s, std::span<const int64_t> v) {
  s += '[';
  for (size_t i = 0; i < v.size(); i++) {
    if (i) s += ", ";
    append_number(s, static_cast<long long>(v[i]));
  }
  s += ']';
}

std::string human_bytes(double bytes) {
  static constexpr const char* kUnits[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
  int unit = 0;
  while (bytes >= 1024 && unit < 5) bytes /= 1024, unit++;
  char text[40];
  snprintf(text, sizeof text, unit == 0 ? "%.0f %s" : "%.2f %s", bytes, kUnits[unit]);
  return text;
}

std::string quoted(std::string_view text, size_t limit) {
  std::string out = "\"";
  size_t i = 0;
  while (i < text.size() && i < limit) {
    unsigned char c = text[i];
    int length = c < 0x80 ? 1 : c >= 0xC2 && c < 0xE0 ? 2 : c >= 0xE0 && c < 0xF0 ? 3 : c >= 0xF0 && c < 0xF5 ? 4 : 0;
    bool good = length > 0 && i + length <= text.size() && c >= 0x20 && c != 0x7F && c != '"' && c != '\\';
    for (int k = 1; good && k < length; k++) good = (static_cast<unsigned char>(text[i + k]) & 0xC0) == 0x80;
    // C1 controls (a terminal obeys them), overlong forms, surrogates and code points above 0x10FFFF show in the second
    // byte.
    unsigned char next = good && length > 1 ? static_cast<unsigned char>(text[i + 1]) : 0xA0;
    if ((c == 0xC2 && next < 0xA0) || (c == 0xE0 && next < 0xA0) || (c == 0xED && next >= 0xA0) ||
        (c == 0xF0 && next < 0x90) || (c == 0xF4 && next >= 0x90))
      good = false;
    if (good) {
      out.append(text.substr(i, length));
      i += length;
    } else {
      char escape[8];
      snprintf(escape, sizeof escape, c == '"' ? "\\\"" : c == '\\' ? "\\\\" : c == '\n' ? "\\n" : "\\x%02X", c);
      out += escape;
      i++;
    }
  }
  out += i < text.size() ? "...\"" : "\"";
  return out;
}

}  // namespace ingot
