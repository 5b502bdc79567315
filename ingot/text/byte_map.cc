#include "ingot/text/byte_map.h"

#include <array>
#include <cstdint>

#include "ingot/text/tokenizer_unicode.h"

namespace ingot::tok {

namespace {

struct ByteMap {
  std::array<char32_t, 256> character{};
  std::array<int16_t, 324> byte{};  // -1: not in the alphabet

  constexpr ByteMap() {
    for (auto& b : byte) b = -1;
    char32_t next = 256;
    for (char32_t b = 0; b < 256; b++) {
      bool printable = (b >= 33 && b <= 126) || (b >= 161 && b <= 172) || b >= 174;
      character[b] = printable ? b : next++;
      byte[character[b]] = static_cast<int16_t>(b);
    }
  }
};
constexpr ByteMap kMap;

}  // namespace

std::optional<std::string> bytes_of_mapped(std::string_view mapped) {
  std::string out;
  for (size_t i = 0; i < mapped.size();) {
    Character c = character_at(mapped, i);
    if (c.code >= kMap.byte.size() || kMap.byte[c.code] < 0) return std::nullopt;
    out += static_cast<char>(kMap.byte[c.code]);
    i += c.length;
  }
  return out;
}

std::string mapped_of_bytes(std::string_view bytes) {
  std::string out;
  for (char b : bytes) append_utf8(out, kMap.character[static_cast<unsigned char>(b)]);
  return out;
}

}  // namespace ingot::tok
