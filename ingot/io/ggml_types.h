// The tensor types of GGUF files by number: those that Ingot reads, and those it can only name.
#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include "ingot/base/block_formats.h"
#include "ingot/base/export.h"

namespace ingot {

struct GgmlType {
  uint32_t id;
  const char* name;
  int block_elements, block_bytes;     // known for unsupported types too, so that their sizes can be checked
  std::optional<WeightFormat> format;  // nothing if Ingot cannot read the values
};

// Null for numbers that no type has or that were removed from the format.
INGOT_API const GgmlType* find_ggml_type(uint32_t id);
// Null for the float8 formats, which GGUF does not have.
INGOT_API const GgmlType* find_ggml_type(WeightFormat format);
// "Q4_K", "IQ2_XS", "number 77"; for messages.
INGOT_API std::string ggml_type_name(uint32_t id);

}  // namespace ingot
