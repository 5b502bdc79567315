// The values of a GGUF file's key table. A value is a view into the file: nothing is decoded before it is asked for, so
// that opening a file costs no memory for a vocabulary that nobody reads.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ingot/base/export.h"

namespace ingot {

// The numbers are those of the file format.
enum class GgufType : uint32_t {
  kU8 = 0,
  kI8 = 1,
  kU16 = 2,
  kI16 = 3,
  kU32 = 4,
  kI32 = 5,
  kF32 = 6,
  kBool = 7,
  kString = 8,
  kArray = 9,
  kU64 = 10,
  kI64 = 11,
  kF64 = 12
};
inline constexpr uint32_t kNumGgufTypes = 13;
INGOT_API const char* name(GgufType t);  // "u32", "string", ...
INGOT_API int fixed_size(GgufType t);    // bytes of one value; 0 for strings and arrays

class GgufValue {
 public:
  // `bytes` is the value as it lies in the file, already checked to be complete.
  GgufValue(GgufType type, std::span<const std::byte> bytes) : type_(type), bytes_(bytes) {}

  GgufType type() const { return type_; }
  INGOT_API std::string type_name() const;  // "u32", "array of string"; for messages
  bool is_array() const { return type_ == GgufType::kArray; }
  // For arrays: the type and the number of elements, and the elements themselves (arrays too, if nested). For scalars:
  // the type, 1, and the value itself, so that a key which is a number in one file and one number a layer in another
  // reads the same.
  INGOT_API GgufType element_type() const;
  INGOT_API uint64_t count() const;
  INGOT_API std::vector<GgufValue> elements() const;
  std::span<const std::byte> bytes() const { return bytes_; }

  // T is bool, an integer of 8 to 64 bits, float, double, std::string, std::string_view (points into the file) or a
  // std::vector of one of these. An integer takes any integer type whose value fits, a float any float type (rounding
  // once), all others their own type only; a vector takes an array whose elements fit. Otherwise an Error kFormat:
  // "<where>: <key>: expected u32, got string".
  template <class T>
  T as(std::string_view where, std::string_view key) const;

 private:
  GgufType type_;
  std::span<const std::byte> bytes_;
};

}  // namespace ingot
