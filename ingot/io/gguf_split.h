// The parts of a split GGUF model: name-00001-of-00003.gguf and so on; numbered from 1 in the name, from 0 inside.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ingot/io/gguf_part.h"

namespace ingot {

struct GgufSplitName {
  std::string prefix;  // folder and name up to "-00001-of-..."
  uint64_t number = 0, count = 0;
};

// Nothing unless the path ends like the name of a part.
std::optional<GgufSplitName> parse_gguf_split_name(const std::string& path);
std::string gguf_split_path(const GgufSplitName& name, uint64_t number);

// The number of parts that a file says it belongs to; 1 for a file that is not split.
uint64_t gguf_split_count(const GgufPart& part, std::string_view label);

// Paths of all parts, in order, of the set that the file `path` belongs to; Error unless its name and keys agree and
// all are there.
std::vector<std::string> find_gguf_parts(const std::string& path, const GgufPart& part);

// Error unless `part`, read from `path`, is the part with this number (from 1) of a set of `count`.
void check_gguf_part(const GgufPart& part, const std::string& path, uint64_t number, uint64_t count);

}  // namespace ingot
