// The alphabet of byte-level BPE: each byte has a printable character, so that vocabularies are valid text.
#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace ingot::tok {

// "\u0120a" -> " a"; nothing if a character is outside the alphabet.
std::optional<std::string> bytes_of_mapped(std::string_view mapped);
// " a" -> "\u0120a"
std::string mapped_of_bytes(std::string_view bytes);

}  // namespace ingot::tok
