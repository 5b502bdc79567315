// Reading GGUF files, versions 2 and 3, whole or split into parts. Everything is checked when the file is opened;
// nothing is copied: keys, values and tensors are views of the mapping.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ingot/base/block_formats.h"
#include "ingot/base/export.h"
#include "ingot/io/gguf_value.h"

namespace ingot {

struct GgufTensor {
  std::string name;
  uint32_t ggml_type = 0;
  std::optional<WeightFormat> format;  // nothing for types that Ingot cannot read
  std::vector<int64_t> shape;          // outermost first, 1 to 4 axes: a torch [out, in] weight is [out, in] here
  // Blocks follow each other along the last axis. Null and 0 for a type whose size is not known.
  const std::byte* data = nullptr;
  uint64_t nbytes = 0;

  // The format, or an Error that names the tensor and its type.
  INGOT_API WeightFormat require_format() const;
};

// A cheap handle: copies share the mapping.
class INGOT_API GgufFile {
 public:
  // Any part of a split file (name-00002-of-00003.gguf) opens the whole set; keys are those of the first part. Error
  // kIo if a file cannot be mapped or parts are missing (all are named), kFormat (with path, key or tensor) if the
  // bytes break the format, kUnsupported for version 1 and big-endian files.
  static GgufFile open(const std::string& path);
  // One whole file from memory; `owner` is kept as long as the handle, `label` stands for the path in messages.
  static GgufFile from_bytes(std::span<const std::byte> bytes, std::shared_ptr<const void> owner, std::string label);

  const std::string& label() const;
  uint32_t version() const;

  std::vector<std::string> keys() const;  // in the order of the file
  bool has(std::string_view key) const { return find_value(key) != nullptr; }
  // Null if absent. Good while any copy of this handle lives, as are all string_views that come out of it.
  const GgufValue* find_value(std::string_view key) const;
  // T as GgufValue::as lists them. Absent: nothing, an Error, or the fallback. Present with another type: always an
  // Error.
  template <class T>
  std::optional<T> find(std::string_view key) const {
    const GgufValue* v = find_value(key);
    return v == nullptr ? std::nullopt : std::optional<T>(v->as<T>(label(), key));
  }
  template <class T>
  T get(std::string_view key) const {
    return require_value(key).as<T>(label(), key);
  }
  template <class T>
  T get_or(std::string_view key, T fallback) const {
    const GgufValue* v = find_value(key);
    return v == nullptr ? std::move(fallback) : v->as<T>(label(), key);
  }

  const std::vector<GgufTensor>& tensors() const;              // in the order of the file, part after part
  const GgufTensor* find_tensor(std::string_view name) const;  // null if absent
  const GgufTensor& get_tensor(std::string_view name) const;   // Error kArgument if absent
  const std::shared_ptr<const void>& owner() const;            // keeps every data pointer alive

 private:
  struct State;
  const GgufValue& require_value(std::string_view key) const;  // Error kFormat if absent
  std::shared_ptr<const State> state_;
};

}  // namespace ingot
