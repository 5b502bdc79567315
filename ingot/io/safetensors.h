// Reading and writing safetensors files. Everything in a file is checked when it is opened, before any tensor can be
// asked for, and nothing is copied: tensors point into the mapping.
#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ingot/base/dtype.h"
#include "ingot/base/export.h"

namespace ingot {

struct SafetensorsTensor {
  std::string name;
  std::string dtype_name;      // as the file says it: "BF16"
  std::optional<DType> dtype;  // nothing for types that Ingot has no tensors of (U16, C64, F4, ...) or does not know
  std::vector<int64_t> shape;  // outermost first; [] is a scalar
  // Little-endian, C order, at any byte address; lives as long as the file object or its owner.
  const std::byte* data = nullptr;
  uint64_t nbytes = 0;

  // The dtype, or an Error that names the tensor and the type that cannot be read.
  INGOT_API DType require_dtype() const;
};

// A cheap handle: copies share the mapping.
class INGOT_API SafetensorsFile {
 public:
  // Error kIo if the file cannot be mapped, kFormat (with path, tensor, expected and found) if it breaks the format:
  // header length, JSON, duplicate names, a byte range that disagrees with shape and dtype, overlaps, holes, bytes left
  // over. A dtype that is not known is an error of that tensor alone, when it is read.
  static SafetensorsFile open(const std::string& path);
  // The same from memory; `owner` is kept as long as the handle, `label` stands for the path in messages.
  static SafetensorsFile from_bytes(std::span<const std::byte> bytes, std::shared_ptr<const void> owner,
                                    std::string label);

  const std::string& label() const;
  const std::vector<SafetensorsTensor>& tensors() const;  // in the order of their data
  std::vector<std::string> names() const;                 // the same order
  // Null if absent. The pointer is good while any copy of this handle lives.
  const SafetensorsTensor* find(std::string_view name) const;
  const SafetensorsTensor& get(std::string_view name) const;  // Error kArgument if absent
  const std::map<std::string, std::string>& metadata() const;
  const std::shared_ptr<const void>& owner() const;  // keeps every data pointer alive

 private:
  struct State;
  std::shared_ptr<const State> state_;
};

struct SafetensorsEntry {
  std::string name;
  DType dtype;
  std::vector<int64_t> shape;
  const void* data;  // contiguous; may be null if there are no elements
};

// Writes in the reference order (widest dtype first, then by name), header padded so that the data starts 8-aligned.
// The file appears under its path only when it is complete. Error for duplicate or reserved names, text that is not
// UTF-8, negative sizes.
INGOT_API void write_safetensors(const std::string& path, std::span<const SafetensorsEntry> tensors,
                                 const std::map<std::string, std::string>& metadata = {});

}  // namespace ingot
