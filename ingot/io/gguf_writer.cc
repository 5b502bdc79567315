#include "ingot/io/gguf_writer.h"

#include <bit>
#include <concepts>

#include "ingot/base/error.h"
#include "ingot/io/atomic_file.h"
#include "ingot/io/ggml_types.h"

namespace ingot {

namespace {

template <class T>
void append(std::string& out, T value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

void append_string(std::string& out, std::string_view text) {
  append(out, static_cast<uint64_t>(text.size()));
  out += text;
}

template <class T>
constexpr GgufType type_of() {
  if (std::same_as<T, bool>) return GgufType::kBool;
  if (std::same_as<T, float>) return GgufType::kF32;
  if (std::same_as<T, double>) return GgufType::kF64;
  switch (sizeof(T)) {
    case 1:
      return std::signed_integral<T> ? GgufType::kI8 : GgufType::kU8;
    case 2:
      return std::signed_integral<T> ? GgufType::kI16 : GgufType::kU16;
    case 4:
      return std::signed_integral<T> ? GgufType::kI32 : GgufType::kU32;
    default:
      return std::signed_integral<T> ? GgufType::kI64 : GgufType::kU64;
  }
}

uint64_t padding(uint64_t position, uint64_t alignment) { return (alignment - position % alignment) % alignment; }

}  // namespace

GgufWriter::GgufWriter(uint32_t alignment) : alignment_(alignment) {
  if (!std::has_single_bit(alignment)) fail_argument("GgufWriter", "alignment", "a power of two", cat(alignment));
  if (alignment != 32) add("general.alignment", alignment);
}

void GgufWriter::begin_key(std::string_view key, GgufType type) {
  if (!key_names_.emplace(key).second) {
    fail(ErrorKind::kArgument, "GgufWriter", cat("key ", quoted(key), " was added before"));
  }
  append_string(keys_, key);
  append(keys_, static_cast<uint32_t>(type));
}

template <class T>
void GgufWriter::add(std::string_view key, T value) {
  begin_key(key, type_of<T>());
  append(keys_, value);
}

template <class T>
void GgufWriter::add_array(std::string_view key, const std::vector<T>& values) {
  begin_key(key, GgufType::kArray);
  append(keys_, static_cast<uint32_t>(type_of<T>()));
  append(keys_, static_cast<uint64_t>(values.size()));
  for (T value : values) append(keys_, value);
}

void GgufWriter::add(std::string_view key, std::string_view value) {
  begin_key(key, GgufType::kString);
  append_string(keys_, value);
}

void GgufWriter::add_array(std::string_view key, const std::vector<std::string>& values) {
  begin_key(key, GgufType::kArray);
  append(keys_, static_cast<uint32_t>(GgufType::kString));
  append(keys_, static_cast<uint64_t>(values.size()));
  for (const std::string& value : values) append_string(keys_, value);
}

// The types that the header promises.
#define INGOT_GGUF_ADD(T)                                          \
  template INGOT_API void GgufWriter::add<T>(std::string_view, T); \
  template INGOT_API void GgufWriter::add_array<T>(std::string_view, const std::vector<T>&);
INGOT_GGUF_ADD(bool)
INGOT_GGUF_ADD(int8_t)
INGOT_GGUF_ADD(uint8_t)
INGOT_GGUF_ADD(int16_t)
INGOT_GGUF_ADD(uint16_t)
INGOT_GGUF_ADD(int32_t)
INGOT_GGUF_ADD(uint32_t)
INGOT_GGUF_ADD(int64_t)
INGOT_GGUF_ADD(uint64_t)
INGOT_GGUF_ADD(float)
INGOT_GGUF_ADD(double)
#undef INGOT_GGUF_ADD

void GgufWriter::add_tensor(std::string_view name, WeightFormat format, const std::vector<int64_t>& shape,
                            const void* data) {
  auto fail_tensor = [&](std::string_view message) {
    fail(ErrorKind::kArgument, "GgufWriter", cat("tensor ", quoted(name), ": ", message));
  };
  const GgmlType* type = find_ggml_type(format);
  if (type == nullptr) fail_tensor(cat("GGUF has no format ", ingot::name(format)));
  if (shape.empty() || shape.size() > 4) fail_tensor(cat("expected 1 to 4 axes, got ", shape.size()));
  if (tensor_names_.contains(name)) fail_tensor("added before");
  int64_t elements = 1;
  for (int64_t size : shape) {
    if (size < 0 || __builtin_mul_overflow(elements, size, &elements)) {
      fail_tensor(cat("the shape ", std::span<const int64_t>(shape), " is negative or overflows"));
    }
  }
  if (shape.back() % block_elements(format) != 0) {
    fail_tensor(cat("rows of ", shape.back(), " elements are not whole blocks of ", block_elements(format)));
  }
  uint64_t nbytes = static_cast<uint64_t>(row_bytes(format, elements));
  if (nbytes > 0 && data == nullptr) fail_tensor("no data given");
  tensor_names_.emplace(name);
  tensors_.push_back({std::string(name), type->id, shape, data, nbytes});
}

std::string GgufWriter::header() const {
  std::string out = "GGUF";
  append(out, uint32_t{3});
  append(out, static_cast<uint64_t>(tensors_.size()));
  append(out, static_cast<uint64_t>(key_names_.size()));
  out += keys_;
  uint64_t offset = 0;
  for (const TensorEntry& t : tensors_) {
    append_string(out, t.name);
    append(out, static_cast<uint32_t>(t.shape.size()));
    for (size_t i = t.shape.size(); i-- > 0;) append(out, t.shape[i]);
    append(out, t.type);
    append(out, offset);
    offset += t.nbytes;
    offset += padding(offset, alignment_);
  }
  out.append(padding(out.size(), alignment_), '\0');
  return out;
}

void GgufWriter::emit(const std::function<void(const void*, size_t)>& sink) const {
  std::string head = header();
  sink(head.data(), head.size());
  std::string zeros(alignment_, '\0');
  for (const TensorEntry& t : tensors_) {
    sink(t.data, t.nbytes);
    sink(zeros.data(), padding(t.nbytes, alignment_));
  }
}

void GgufWriter::write(const std::string& path) const {
  AtomicFile file(path);
  emit([&](const void* data, size_t size) { file.write(data, size); });
  file.commit();
}

std::string GgufWriter::bytes() const {
  std::string out;
  emit([&](const void* data, size_t size) {
    if (size > 0) out.append(static_cast<const char*>(data), size);
  });
  return out;
}

}  // namespace ingot
