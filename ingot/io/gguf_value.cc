#include "ingot/io/gguf_value.h"

#include <concepts>
#include <optional>
#include <type_traits>
#include <utility>

#include "ingot/base/error.h"
#include "ingot/io/byte_reader.h"
#include "ingot/io/gguf_walk.h"

namespace ingot {

namespace {

constexpr const char* kTypeNames[kNumGgufTypes] = {"u8",   "i8",     "u16",   "i16", "u32", "i32", "f32",
                                                   "bool", "string", "array", "u64", "i64", "f64"};
constexpr int kTypeSizes[kNumGgufTypes] = {1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8};

constexpr size_t kArrayHeader = 12;  // element type and count

// An element of an array that was checked when the file was opened.
std::span<const std::byte> take_element(ByteReader& reader, GgufType type) {
  if (int size = fixed_size(type); size > 0) return reader.take(static_cast<uint64_t>(size), "array");
  return take_gguf_value(reader, type, "array");
}

template <class T>
T load(std::span<const std::byte> bytes) {
  T value;
  memcpy(&value, bytes.data(), sizeof value);
  return value;
}

// What a caller who asks for T expects, in the words of the format.
template <class T>
const char* wanted_name() {
  if constexpr (std::same_as<T, bool>) return "bool";
  if constexpr (std::floating_point<T>) return "f32 or f64";
  if constexpr (std::same_as<T, std::string> || std::same_as<T, std::string_view>) return "string";
  if constexpr (std::integral<T>) {
    constexpr int kBits = static_cast<int>(sizeof(T) * 8);
    if (std::is_signed_v<T>) return kBits == 8 ? "i8" : kBits == 16 ? "i16" : kBits == 32 ? "i32" : "i64";
    return kBits == 8 ? "u8" : kBits == 16 ? "u16" : kBits == 32 ? "u32" : "u64";
  }
  return "";
}

template <class T, class Source>
std::optional<T> narrowed(std::span<const std::byte> bytes) {
  Source value = load<Source>(bytes);
  if (!std::in_range<T>(value)) return std::nullopt;
  return static_cast<T>(value);
}

// Nothing if the value has another type or does not fit.
template <class T>
std::optional<T> scalar(GgufType type, std::span<const std::byte> bytes) {
  if constexpr (std::same_as<T, bool>) {
    if (type == GgufType::kBool) return load<uint8_t>(bytes) != 0;
  } else if constexpr (std::integral<T>) {
    switch (type) {
      case GgufType::kU8:
        return narrowed<T, uint8_t>(bytes);
      case GgufType::kI8:
        return narrowed<T, int8_t>(bytes);
      case GgufType::kU16:
        return narrowed<T, uint16_t>(bytes);
      case GgufType::kI16:
        return narrowed<T, int16_t>(bytes);
      case GgufType::kU32:
        return narrowed<T, uint32_t>(bytes);
      case GgufType::kI32:
        return narrowed<T, int32_t>(bytes);
      case GgufType::kU64:
        return narrowed<T, uint64_t>(bytes);
      case GgufType::kI64:
        return narrowed<T, int64_t>(bytes);
      default:
        break;
    }
  } else if constexpr (std::floating_point<T>) {
    if (type == GgufType::kF32) return static_cast<T>(load<float>(bytes));
    if (type == GgufType::kF64) return static_cast<T>(load<double>(bytes));
  } else {
    if (type == GgufType::kString) {
      return T(reinterpret_cast<const char*>(bytes.data()) + 8, bytes.size() - 8);
    }
  }
  return std::nullopt;
}

template <class E>
[[noreturn]] void fail_type(std::string_view where, std::string_view key, const GgufValue& value,
                            const char* container) {
  // An integer of a wider type is refused for its value, not for its type: say so.
  bool both_integers = std::integral<E> && !std::same_as<E, bool> && value.element_type() != GgufType::kBool &&
                       value.element_type() != GgufType::kF32 && value.element_type() != GgufType::kF64 &&
                       fixed_size(value.element_type()) > 0;
  bool same_shape = value.is_array() == (*container != '\0');
  fail(ErrorKind::kFormat, where,
       cat("key ", quoted(key), ": expected ", container, wanted_name<E>(), ", got ", value.type_name(),
           both_integers && same_shape ? " outside of its range" : ""));
}

template <class T>
struct Convert {
  static T from(const GgufValue& value, std::string_view where, std::string_view key) {
    if (!value.is_array()) {
      if (std::optional<T> result = scalar<T>(value.type(), value.bytes())) return *result;
    }
    fail_type<T>(where, key, value, "");
  }
};

template <class E>
struct Convert<std::vector<E>> {
  static std::vector<E> from(const GgufValue& value, std::string_view where, std::string_view key) {
    GgufType type = value.element_type();
    if (!value.is_array() || type == GgufType::kArray) fail_type<E>(where, key, value, "array of ");
    ByteReader reader(value.bytes().subspan(kArrayHeader), where);
    std::vector<E> result;
    result.reserve(value.count());
    for (uint64_t i = 0; i < value.count(); i++) {
      std::optional<E> element = scalar<E>(type, take_element(reader, type));
      if (!element) fail_type<E>(where, key, value, "array of ");
      result.push_back(std::move(*element));
    }
    return result;
  }
};

}  // namespace

const char* name(GgufType t) {
  return static_cast<uint32_t>(t) < kNumGgufTypes ? kTypeNames[static_cast<uint32_t>(t)] : "?";
}
int fixed_size(GgufType t) {
  return static_cast<uint32_t>(t) < kNumGgufTypes ? kTypeSizes[static_cast<uint32_t>(t)] : 0;
}

GgufType GgufValue::element_type() const { return is_array() ? static_cast<GgufType>(load<uint32_t>(bytes_)) : type_; }

uint64_t GgufValue::count() const { return is_array() ? load<uint64_t>(bytes_.subspan(4)) : 1; }

std::string GgufValue::type_name() const { return is_array() ? cat("array of ", name(element_type())) : name(type_); }

std::vector<GgufValue> GgufValue::elements() const {
  if (!is_array()) return {*this};
  ByteReader reader(bytes_.subspan(kArrayHeader), "GgufValue");
  std::vector<GgufValue> result;
  result.reserve(count());
  for (uint64_t i = 0; i < count(); i++) result.emplace_back(element_type(), take_element(reader, element_type()));
  return result;
}

template <class T>
T GgufValue::as(std::string_view where, std::string_view key) const {
  return Convert<T>::from(*this, where, key);
}

// The types that the header promises, alone and in a vector.
#define INGOT_GGUF_AS(T)                                                           \
  template INGOT_API T GgufValue::as<T>(std::string_view, std::string_view) const; \
  template INGOT_API std::vector<T> GgufValue::as<std::vector<T>>(std::string_view, std::string_view) const;
INGOT_GGUF_AS(bool)
INGOT_GGUF_AS(int8_t)
INGOT_GGUF_AS(uint8_t)
INGOT_GGUF_AS(int16_t)
INGOT_GGUF_AS(uint16_t)
INGOT_GGUF_AS(int32_t)
INGOT_GGUF_AS(uint32_t)
INGOT_GGUF_AS(int64_t)
INGOT_GGUF_AS(uint64_t)
INGOT_GGUF_AS(float)
INGOT_GGUF_AS(double)
INGOT_GGUF_AS(std::string)
INGOT_GGUF_AS(std::string_view)
#undef INGOT_GGUF_AS

}  // namespace ingot
