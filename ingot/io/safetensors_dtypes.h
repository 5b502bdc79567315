// The element types of safetensors files.
#pragma once
#include <cstdint>
#include <optional>
#include <string_view>

#include "ingot/base/dtype.h"

namespace ingot {

struct SafetensorsDType {
  std::string_view name;
  int bits;
  std::optional<DType> dtype;
};

// In the order in which a writer lays tensors out.
inline constexpr SafetensorsDType kSafetensorsDTypes[] = {
    {"U64", 64, {}},
    {"I64", 64, DType::kI64},
    {"F64", 64, DType::kF64},
    {"C64", 64, {}},
    {"F32", 32, DType::kF32},
    {"U32", 32, {}},
    {"I32", 32, DType::kI32},
    {"BF16", 16, DType::kBF16},
    {"F16", 16, DType::kF16},
    {"U16", 16, {}},
    {"I16", 16, DType::kI16},
    {"F8_E5M2FNUZ", 8, {}},
    {"F8_E4M3FNUZ", 8, {}},
    {"F8_E8M0", 8, DType::kF8E8M0},
    {"F8_E4M3", 8, DType::kF8E4M3},
    {"F8_E5M2", 8, DType::kF8E5M2},
    {"I8", 8, DType::kI8},
    {"U8", 8, DType::kU8},
    {"F6_E3M2", 6, {}},
    {"F6_E2M3", 6, {}},
    {"F4", 4, {}},
    {"BOOL", 8, DType::kBool},
};

// Null if unknown.
inline const SafetensorsDType* find_safetensors_dtype(std::string_view name) {
  for (const SafetensorsDType& t : kSafetensorsDTypes) {
    if (t.name == name) return &t;
  }
  return nullptr;
}

inline const SafetensorsDType& safetensors_dtype_of(DType dtype) {
  const SafetensorsDType* found = nullptr;
  for (const SafetensorsDType& t : kSafetensorsDTypes) {
    if (t.dtype == dtype) found = &t;
  }
  return *found;  // every DType is in the table; a test says so
}

}  // namespace ingot
