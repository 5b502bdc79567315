#include "ingot/io/gguf_walk.h"

#include <algorithm>

namespace ingot {

namespace {

[[noreturn]] void fail_key(const ByteReader& reader, std::string_view key, std::string_view message) {
  fail(ErrorKind::kFormat, reader.label(), cat("key ", quoted(key), ": ", message));
}

// The text that names the field in the reader's own errors. Built only for the few calls a value needs, never per
// element.
std::string field(std::string_view key) { return cat("key ", quoted(key)); }

void take_array(ByteReader& reader, std::string_view key, int depth) {
  if (depth >= kDeepestGgufArray) fail_key(reader, key, cat("arrays are nested deeper than ", kDeepestGgufArray));
  GgufType type = read_gguf_type(reader, key);
  uint64_t count = reader.read<uint64_t>(field(key));
  if (int size = fixed_size(type); size > 0) {
    std::span<const std::byte> values = reader.take(count, static_cast<uint64_t>(size), field(key));
    bool bad = type == GgufType::kBool &&
               std::any_of(values.begin(), values.end(), [](std::byte b) { return b > std::byte{1}; });
    if (bad) fail_key(reader, key, "expected bools of 0 or 1");
    return;
  }
  // A string takes at least 8 bytes and an array 12, so a count that cannot be true is refused before the walk.
  uint64_t least = type == GgufType::kString ? 8 : 12;
  if (count > reader.remaining() / least) {
    fail_key(reader, key,
             cat("array of ", count, " ", name(type), "s, but only ", reader.remaining(), " bytes follow"));
  }
  std::string what = field(key);
  for (uint64_t i = 0; i < count; i++) {
    if (type == GgufType::kString) {
      reader.read_string(what);
    } else {
      take_array(reader, key, depth + 1);
    }
  }
}

}  // namespace

GgufType read_gguf_type(ByteReader& reader, std::string_view key) {
  uint32_t number = reader.read<uint32_t>(field(key));
  if (number >= kNumGgufTypes) fail_key(reader, key, cat("value type ", number, " does not exist"));
  return static_cast<GgufType>(number);
}

std::span<const std::byte> take_gguf_value(ByteReader& reader, GgufType type, std::string_view key, int depth) {
  size_t begin = reader.position();
  if (type == GgufType::kArray) {
    take_array(reader, key, depth);
  } else if (type == GgufType::kString) {
    reader.read_string(field(key));
  } else {
    std::span<const std::byte> value = reader.take(static_cast<uint64_t>(fixed_size(type)), field(key));
    if (type == GgufType::kBool && value[0] > std::byte{1}) fail_key(reader, key, "expected a bool of 0 or 1");
  }
  return reader.since(begin);
}

}  // namespace ingot
