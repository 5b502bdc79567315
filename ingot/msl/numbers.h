// Numbers as kernels write them.
#pragma once
#include <cstdint>
#include <optional>
#include <string_view>

namespace ingot::msl {

// The value of an integer literal: decimal, hexadecimal or octal, with suffixes u and l. nullopt for anything else.
std::optional<uint64_t> integer_literal(std::string_view text);
// The same where it is at most 65536, else -1: indices and thread counts.
int small_number(std::string_view text);
// Whether a number token is a floating literal that C++ takes for a double: 1.0, 1e5, but not 1.0f, 1.0h or 1.
bool is_double_literal(std::string_view text);

}  // namespace ingot::msl
