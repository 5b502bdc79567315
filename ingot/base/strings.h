// Building messages without streams or format strings: cat("rows: ", 3, ", got ", shape).
#pragma once
#include <concepts>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "ingot/base/export.h"

namespace ingot {

// append_to overloads say how a type is written; other headers add their own (Dims, DType, Device).
inline void append_to(std::string& s, std::string_view v) { s += v; }
inline void append_to(std::string& s, const char* v) { s += v; }
inline void append_to(std::string& s, const std::string& v) { s += v; }
inline void append_to(std::string& s, char v) { s += v; }
inline void append_to(std::string& s, bool v) { s += v ? "true" : "false"; }
INGOT_API void append_to(std::string& s, long long v);
INGOT_API void append_to(std::string& s, unsigned long long v);
INGOT_API void append_to(std::string& s, double v);                    // shortest text that reads back as v
INGOT_API void append_to(std::string& s, std::span<const int64_t> v);  // [2, 3]
template <std::signed_integral T>
void append_to(std::string& s, T v) {
  append_to(s, static_cast<long long>(v));
}
template <std::unsigned_integral T>
void append_to(std::string& s, T v) {
  append_to(s, static_cast<unsigned long long>(v));
}

template <class... Args>
std::string cat(const Args&... args) {
  std::string s;
  (append_to(s, args), ...);
  return s;
}

// 1234567 -> "1.18 MiB"; for messages to people.
INGOT_API std::string human_bytes(double bytes);

// Text from outside made safe to show: control bytes and invalid UTF-8 as \xNN, cut to `limit` bytes with "...".
INGOT_API std::string quoted(std::string_view text, size_t limit = 80);

}  // namespace ingot
