// Element types. Names and promotion are PyTorch's.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "ingot/base/export.h"
#include "ingot/base/small_floats.h"

namespace ingot {

enum class DType : uint8_t { kBool, kU8, kI8, kI16, kI32, kI64, kF8E4M3, kF8E5M2, kF8E8M0, kF16, kBF16, kF32, kF64 };
inline constexpr int kNumDTypes = 13;

INGOT_API size_t itemsize(DType t);
INGOT_API const char* name(DType t);  // "f8e4m3", "bf16", ...
// Accepts the short names and PyTorch's ("float8_e4m3fn", "bfloat16", "torch.float32"). Error if unknown.
INGOT_API DType dtype_from_name(std::string_view name);

INGOT_API bool is_float8(DType t);    // the three one-byte floats: storage and casts only, no arithmetic
INGOT_API bool is_floating(DType t);  // float8 included
INGOT_API bool is_integer(DType t);   // bool excluded
// torch.promote_types. With a float8 on one side and another type on the other: Error (cast first).
INGOT_API DType promote(DType a, DType b);

inline void append_to(std::string& s, DType t) { s += name(t); }

template <class T>
struct DTypeOf;
template <DType t>
struct DTypeConstant {
  static constexpr DType value = t;
};
template <>
struct DTypeOf<bool> : DTypeConstant<DType::kBool> {};
template <>
struct DTypeOf<uint8_t> : DTypeConstant<DType::kU8> {};
template <>
struct DTypeOf<int8_t> : DTypeConstant<DType::kI8> {};
template <>
struct DTypeOf<int16_t> : DTypeConstant<DType::kI16> {};
template <>
struct DTypeOf<int32_t> : DTypeConstant<DType::kI32> {};
template <>
struct DTypeOf<int64_t> : DTypeConstant<DType::kI64> {};
template <>
struct DTypeOf<f8e4m3> : DTypeConstant<DType::kF8E4M3> {};
template <>
struct DTypeOf<f8e5m2> : DTypeConstant<DType::kF8E5M2> {};
template <>
struct DTypeOf<f8e8m0> : DTypeConstant<DType::kF8E8M0> {};
template <>
struct DTypeOf<half> : DTypeConstant<DType::kF16> {};
template <>
struct DTypeOf<bfloat> : DTypeConstant<DType::kBF16> {};
template <>
struct DTypeOf<float> : DTypeConstant<DType::kF32> {};
template <>
struct DTypeOf<double> : DTypeConstant<DType::kF64> {};
template <class T>
inline constexpr DType dtype_of = DTypeOf<T>::value;

// Calls f(T{}) with the element type of t: visit_dtype(t, [&](auto zero) { using T = decltype(zero); ... }).
template <class F>
decltype(auto) visit_dtype(DType t, F&& f) {
  switch (t) {
    case DType::kBool:
      return f(bool{});
    case DType::kU8:
      return f(uint8_t{});
    case DType::kI8:
      return f(int8_t{});
    case DType::kI16:
      return f(int16_t{});
    case DType::kI32:
      return f(int32_t{});
    case DType::kI64:
      return f(int64_t{});
    case DType::kF8E4M3:
      return f(f8e4m3{});
    case DType::kF8E5M2:
      return f(f8e5m2{});
    case DType::kF8E8M0:
      return f(f8e8m0{});
    case DType::kF16:
      return f(half{});
    case DType::kBF16:
      return f(bfloat{});
    case DType::kF32:
      return f(float{});
    default:
      return f(double{});
  }
}

}  // namespace ingot
