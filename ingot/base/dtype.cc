#include "ingot/base/dtype.h"

#include "ingot/base/error.h"

namespace ingot {

namespace {
struct Info {
  const char* name;
  const char* torch_name;
  size_t size;
};
constexpr Info kInfo[kNumDTypes] = {
    {"bool", "bool", 1},
    {"u8", "uint8", 1},
    {"i8", "int8", 1},
    {"i16", "int16", 2},
    {"i32", "int32", 4},
    {"i64", "int64", 8},
    {"f8e4m3", "float8_e4m3fn", 1},
    {"f8e5m2", "float8_e5m2", 1},
    {"f8e8m0", "float8_e8m0fnu", 1},
    {"f16", "float16", 2},
    {"bf16", "bfloat16", 2},
    {"f32", "float32", 4},
    {"f64", "float64", 8},
};
}  // namespace

size_t itemsize(DType t) { return kInfo[static_cast<int>(t)].size; }
const char* name(DType t) { return kInfo[static_cast<int>(t)].name; }

DType dtype_from_name(std::string_view text) {
  std::string_view s = text.starts_with("torch.") ? text.substr(6) : text;
  for (int i = 0; i < kNumDTypes; i++)
    if (s == kInfo[i].name || s == kInfo[i].torch_name) return static_cast<DType>(i);
  if (s == "half") return DType::kF16;
  if (s == "float") return DType::kF32;
  if (s == "double") return DType::kF64;
  fail(ErrorKind::kArgument, "dtype",
       cat("unknown name ", quoted(text), "; known: bool u8 i8 i16 i32 i64 f8e4m3 f8e5m2 f8e8m0 f16 bf16 f32 f64"));
}

bool is_float8(DType t) { return t >= DType::kF8E4M3 && t <= DType::kF8E8M0; }
bool is_floating(DType t) { return t >= DType::kF8E4M3; }
bool is_integer(DType t) { return t >= DType::kU8 && t <= DType::kI64; }

DType promote(DType a, DType b) {
  if (a == b) return a;
  if (is_float8(a) || is_float8(b))
    fail(ErrorKind::kArgument, "promote", cat(a, " and ", b, " do not mix: cast the float8 tensor first"));
  if (is_floating(a) != is_floating(b)) return is_floating(a) ? a : b;
  DType low = a < b ? a : b, high = a < b ? b : a;
  if (low == DType::kF16 && high == DType::kBF16) return DType::kF32;
  if (low == DType::kU8 && high == DType::kI8) return DType::kI16;
  return high;
}

}  // namespace ingot
