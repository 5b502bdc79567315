// Writes GGUF files, version 3, little-endian.
#pragma once
#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "ingot/base/block_formats.h"
#include "ingot/base/export.h"
#include "ingot/io/gguf_value.h"

namespace ingot {

class INGOT_API GgufWriter {
 public:
  // Tensor data is aligned to `alignment`, a power of two; any but the default of 32 is recorded as general.alignment.
  explicit GgufWriter(uint32_t alignment = 32);

  // Keys and tensors come out in the order in which they were added. Error kArgument if a name was added before.
  // T: bool, integers of 8 to 64 bits, float, double.
  template <class T>
  void add(std::string_view key, T value);
  template <class T>
  void add_array(std::string_view key, const std::vector<T>& values);
  void add(std::string_view key, std::string_view value);
  void add(std::string_view key, const char* value) { add(key, std::string_view(value)); }
  void add(std::string_view key, const std::string& value) { add(key, std::string_view(value)); }
  void add_array(std::string_view key, const std::vector<std::string>& values);

  // shape as torch has it (outermost first), 1 to 4 axes, the last one whole blocks of the format. `data` holds
  // row_bytes(format, numel) bytes and must live until the file is written. Error for formats that GGUF does not have.
  void add_tensor(std::string_view name, WeightFormat format, const std::vector<int64_t>& shape, const void* data);

  // Appears under its path only when it is complete.
  void write(const std::string& path) const;
  std::string bytes() const;  // the same in memory

 private:
  struct TensorEntry {
    std::string name;
    uint32_t type;
    std::vector<int64_t> shape;
    const void* data;
    uint64_t nbytes;
  };
  void begin_key(std::string_view key, GgufType type);
  std::string header() const;
  void emit(const std::function<void(const void*, size_t)>& sink) const;

  uint32_t alignment_;
  std::set<std::string, std::less<>> key_names_, tensor_names_;
  std::string keys_;  // as they will lie in the file
  std::vector<TensorEntry> tensors_;
};

}  // namespace ingot
