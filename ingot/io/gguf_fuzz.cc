// Any bytes must be read or refused with an Error; what was read must lie inside them.
#include <cstdlib>
#include <memory>
#include <vector>

#include "ingot/base/error.h"
#include "ingot/io/gguf.h"
#include "ingot/io/tensor_io.h"

namespace {

using namespace ingot;

template <class T>
void ask(const GgufFile& file, const std::string& key) {
  try {
    static_cast<void>(file.find<T>(key));
  } catch (const Error&) {
  }
}

void walk(const GgufValue& value) {
  if (!value.is_array()) return;
  for (const GgufValue& element : value.elements()) walk(element);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::span<const std::byte> bytes(reinterpret_cast<const std::byte*>(data), size);
  try {
    GgufFile file = GgufFile::from_bytes(bytes, nullptr, "fuzz");
    for (const std::string& key : file.keys()) {
      walk(*file.find_value(key));
      ask<bool>(file, key);
      ask<int8_t>(file, key);
      ask<uint64_t>(file, key);
      ask<float>(file, key);
      ask<std::string_view>(file, key);
      ask<std::vector<bool>>(file, key);
      ask<std::vector<uint16_t>>(file, key);
      ask<std::vector<double>>(file, key);
      ask<std::vector<std::string>>(file, key);
    }
    for (const GgufTensor& t : file.tensors()) {
      if (t.nbytes > 0 && (t.data < bytes.data() || t.nbytes > static_cast<size_t>(bytes.data() + size - t.data)))
        abort();
      if (file.find_tensor(t.name) != &t) abort();
      try {
        Tensor x = load_dequantized(file, t.name);
        static_cast<void>(x.numel());
        static_cast<void>(load_tensor(file, t.name));
      } catch (const Error&) {
      }
    }
  } catch (const Error&) {
  }
  return 0;
}
