// Any bytes must be read or refused with an Error; what was read must lie inside them.
#include <cstdlib>
#include <memory>
#include <vector>

#include "ingot/base/error.h"
#include "ingot/io/safetensors.h"
#include "ingot/io/tensor_io.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace ingot;
  std::span<const std::byte> bytes(reinterpret_cast<const std::byte*>(data), size);
  try {
    SafetensorsFile file = SafetensorsFile::from_bytes(bytes, nullptr, "fuzz");
    uint64_t covered = 0;
    for (const SafetensorsTensor& t : file.tensors()) {
      if (t.data < bytes.data() || t.nbytes > static_cast<size_t>(bytes.data() + size - t.data)) abort();
      covered += t.nbytes;
      if (file.find(t.name) != &t) abort();
      try {
        Tensor x = load_tensor(file, t.name);
        if (static_cast<uint64_t>(x.nbytes()) != t.nbytes) abort();
        static_cast<void>(to_doubles(x));
      } catch (const Error&) {
      }
    }
    if (covered > size) abort();
  } catch (const Error&) {
  }
  return 0;
}
