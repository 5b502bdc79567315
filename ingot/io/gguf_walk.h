// Stepping over the values of a GGUF key table, whose length is only known by reading them.
#pragma once
#include <cstddef>
#include <span>
#include <string_view>

#include "ingot/io/byte_reader.h"
#include "ingot/io/gguf_value.h"

namespace ingot {

// Arrays within arrays beyond this are refused; no known writer nests at all.
inline constexpr int kDeepestGgufArray = 8;

// The type with this number; Error kFormat if there is none.
GgufType read_gguf_type(ByteReader& reader, std::string_view key);

// Takes one value of the type off the reader and returns its bytes: complete, element types known, bools 0 or 1. Error
// kFormat naming the key otherwise. Time is linear in the bytes taken, memory constant.
std::span<const std::byte> take_gguf_value(ByteReader& reader, GgufType type, std::string_view key, int depth = 0);

}  // namespace ingot
