// One file of a GGUF model, parsed and checked.
#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ingot/io/gguf.h"
#include "ingot/io/gguf_value.h"

namespace ingot {

struct GgufPart {
  uint32_t version = 0;
  std::vector<std::pair<std::string_view, GgufValue>> keys;
  std::map<std::string_view, size_t> key_index;
  std::vector<GgufTensor> tensors;

  // Null if absent.
  const GgufValue* find(std::string_view key) const {
    auto it = key_index.find(key);
    return it == key_index.end() ? nullptr : &keys[it->second].second;
  }
};

inline constexpr uint64_t kGgufDefaultAlignment = 32;

// Views into `bytes`. Errors as GgufFile::open says them, with `label` for the path.
GgufPart parse_gguf_part(std::span<const std::byte> bytes, std::string_view label);

}  // namespace ingot
