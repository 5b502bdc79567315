#include "ingot/io/tensor_io.h"

#include <algorithm>
#include <cstring>
#include <memory>

#include "ingot/base/error.h"
#include "ingot/base/strided_loop.h"
#include "ingot/io/atomic_file.h"
#include "ingot/io/ggml_types.h"
#include "ingot/io/safetensors_layout.h"

namespace ingot {

namespace {

Tensor borrow_or_copy(const std::byte* data, const std::vector<int64_t>& shape, DType dtype,
                      std::shared_ptr<const void> owner) {
  Dims sizes{std::span<const int64_t>(shape)};
  if (reinterpret_cast<uintptr_t>(data) % itemsize(dtype) != 0) return tensor_from_bytes(data, sizes, dtype);
  void* memory = const_cast<std::byte*>(data);  // read_only: operators refuse to write it
  return from_memory(memory, sizes, dtype, std::const_pointer_cast<void>(std::move(owner)), true);
}

Tensor load_from(const SafetensorsFile& file, const SafetensorsTensor& t) {
  DType dtype = t.require_dtype();
  if (dtype == DType::kBool && std::any_of(t.data, t.data + t.nbytes, [](std::byte b) { return b > std::byte{1}; })) {
    fail(ErrorKind::kFormat, file.label(), cat("tensor ", quoted(t.name), ": expected BOOL bytes of 0 or 1"));
  }
  return borrow_or_copy(t.data, t.shape, dtype, file.owner());
}

// The elements in order, without gaps.
std::vector<char> packed(const Tensor& x) {
  std::vector<char> out(static_cast<size_t>(x.nbytes()));
  if (out.empty()) return out;
  StridedLoop loop = make_strided_loop(x.sizes(), {contiguous_strides(x.sizes()), x.strides()});
  int64_t item = static_cast<int64_t>(itemsize(x.dtype()));
  const char* source = static_cast<const char*>(x.raw_data());
  loop.for_rows(0, loop.rows, [&](const auto& offset) {
    for (int64_t i = 0; i < loop.inner; i++) {
      memcpy(out.data() + (offset[0] + i * loop.inner_stride(0)) * item,
             source + (offset[1] + i * loop.inner_stride(1)) * item, static_cast<size_t>(item));
    }
  });
  return out;
}

}  // namespace

Tensor load_tensor(const SafetensorsFile& file, std::string_view name) { return load_from(file, file.get(name)); }

Tensor load_tensor(const SafetensorsFolder& folder, std::string_view name) {
  return load_from(folder.file_of(name), folder.get(name));
}

Tensor load_tensor(const GgufFile& file, std::string_view name) {
  const GgufTensor& t = file.get_tensor(name);
  std::optional<DType> dtype = plain_dtype(t.require_format());
  if (!dtype) {
    fail(ErrorKind::kUnsupported, file.label(),
         cat("tensor ", quoted(name), " is made of ", *t.format,
             " blocks: it can be used as a weight or dequantised, not as a tensor"));
  }
  return borrow_or_copy(t.data, t.shape, *dtype, file.owner());
}

Tensor load_dequantized(const GgufFile& file, std::string_view name) {
  const GgufTensor& t = file.get_tensor(name);
  WeightFormat format = t.require_format();
  Tensor out = empty(Dims{std::span<const int64_t>(t.shape)}, DType::kF32);
  dequantize_row(format, t.data, out.data<float>(), out.numel());
  return out;
}

void write_safetensors(const std::string& path, const NamedTensors& tensors,
                       const std::map<std::string, std::string>& metadata) {
  std::vector<SafetensorsEntry> entries;
  for (const auto& [name, x] : tensors) {
    if (!x.defined()) fail(ErrorKind::kArgument, "write_safetensors", cat("tensor ", quoted(name), " is undefined"));
    if (!x.device().is_cpu()) {
      fail(ErrorKind::kArgument, "write_safetensors",
           cat("tensor ", quoted(name), " lies on ", x.device(), ": move it to the cpu"));
    }
    entries.push_back({name, x.dtype(), {x.sizes().begin(), x.sizes().end()}, nullptr});
  }
  SafetensorsLayout layout = lay_out_safetensors(entries, metadata);
  AtomicFile file(path);
  file.write(layout.head);
  for (size_t i : layout.order) {
    const Tensor& x = tensors[i].second;
    if (x.is_contiguous()) {
      file.write(x.raw_data(), static_cast<size_t>(x.nbytes()));
    } else {
      std::vector<char> bytes = packed(x);
      file.write(bytes.data(), bytes.size());
    }
  }
  file.commit();
}

}  // namespace ingot
