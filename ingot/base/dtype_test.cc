#include "ingot/base/dtype.h"

#include <gtest/gtest.h>

#include "ingot/base/error.h"

namespace ingot {
namespace {

std::vector<DType> all_dtypes() {
  std::vector<DType> all;
  for (int i = 0; i < kNumDTypes; i++) all.push_back(static_cast<DType>(i));
  return all;
}

TEST(DTypes, SizesAndTypesAgree) {
  for (DType t : all_dtypes()) {
    visit_dtype(t, [&](auto zero) {
      using T = decltype(zero);
      EXPECT_EQ(dtype_of<T>, t);
      EXPECT_EQ(sizeof(T), itemsize(t)) << name(t);
    });
  }
}

TEST(DTypes, NamesReadBack) {
  for (DType t : all_dtypes()) EXPECT_EQ(dtype_from_name(name(t)), t);
  EXPECT_EQ(dtype_from_name("torch.float32"), DType::kF32);
  EXPECT_EQ(dtype_from_name("float8_e4m3fn"), DType::kF8E4M3);
  EXPECT_EQ(dtype_from_name("torch.float8_e8m0fnu"), DType::kF8E8M0);
  EXPECT_EQ(dtype_from_name("half"), DType::kF16);
  EXPECT_EQ(dtype_from_name("float"), DType::kF32);
  EXPECT_EQ(dtype_from_name("double"), DType::kF64);
  EXPECT_EQ(dtype_from_name("bfloat16"), DType::kBF16);
}

TEST(DTypes, UnknownNamesAreShownSafely) {
  for (const char* text : {"", "F32", "float33", "torch.", "f32 "}) EXPECT_THROW(dtype_from_name(text), Error) << text;
  try {
    dtype_from_name("x\x1B[2J");
    FAIL();
  } catch (const Error& e) {
    EXPECT_STREQ(
        e.what(),
        "dtype: unknown name \"x\\x1B[2J\"; known: bool u8 i8 i16 i32 i64 f8e4m3 f8e5m2 f8e8m0 f16 bf16 f32 f64");
  }
}

TEST(DTypes, Classes) {
  for (DType t : all_dtypes()) {
    bool floating = name(t)[0] == 'f' || t == DType::kBF16;
    EXPECT_EQ(is_floating(t), floating) << name(t);
    EXPECT_EQ(is_integer(t), !floating && t != DType::kBool) << name(t);
    EXPECT_EQ(is_float8(t), floating && itemsize(t) == 1) << name(t);
  }
}

TEST(Promotion, IsPyTorchs) {
  // Rows and columns: bool u8 i8 i16 i32 i64 f16 bf16 f32 f64.
  const DType order[] = {DType::kBool, DType::kU8,  DType::kI8,   DType::kI16, DType::kI32,
                         DType::kI64,  DType::kF16, DType::kBF16, DType::kF32, DType::kF64};
  const char* table[] = {"bool u8 i8 i16 i32 i64 f16 bf16 f32 f64",  "u8 u8 i16 i16 i32 i64 f16 bf16 f32 f64",
                         "i8 i16 i8 i16 i32 i64 f16 bf16 f32 f64",   "i16 i16 i16 i16 i32 i64 f16 bf16 f32 f64",
                         "i32 i32 i32 i32 i32 i64 f16 bf16 f32 f64", "i64 i64 i64 i64 i64 i64 f16 bf16 f32 f64",
                         "f16 f16 f16 f16 f16 f16 f16 f32 f32 f64",  "bf16 bf16 bf16 bf16 bf16 bf16 f32 bf16 f32 f64",
                         "f32 f32 f32 f32 f32 f32 f32 f32 f32 f64",  "f64 f64 f64 f64 f64 f64 f64 f64 f64 f64"};
  for (int i = 0; i < 10; i++) {
    std::string row;
    for (DType b : order) row += cat(row.empty() ? "" : " ", promote(order[i], b));
    EXPECT_EQ(row, table[i]) << name(order[i]);
  }
}

TEST(Promotion, Float8MixesWithNothing) {
  for (DType f8 : {DType::kF8E4M3, DType::kF8E5M2, DType::kF8E8M0}) {
    for (DType t : all_dtypes()) {
      if (t == f8) {
        EXPECT_EQ(promote(t, f8), t);
      } else {
        EXPECT_THROW(promote(t, f8), Error) << name(t);
        EXPECT_THROW(promote(f8, t), Error) << name(t);
      }
    }
  }
}

}  // namespace
}  // namespace ingot
