#include "ingot/io/ggml_types.h"

#include "ingot/base/strings.h"

namespace ingot {

namespace {

using enum WeightFormat;

// 4, 5, 31-33 and 36-38 were removed from the format.
constexpr GgmlType kTypes[] = {
    {0, "F32", 1, 4, kF32},          {1, "F16", 1, 2, kF16},
    {2, "Q4_0", 32, 18, kQ4_0},      {3, "Q4_1", 32, 20, kQ4_1},
    {6, "Q5_0", 32, 22, kQ5_0},      {7, "Q5_1", 32, 24, kQ5_1},
    {8, "Q8_0", 32, 34, kQ8_0},      {9, "Q8_1", 32, 36, {}},
    {10, "Q2_K", 256, 84, kQ2_K},    {11, "Q3_K", 256, 110, kQ3_K},
    {12, "Q4_K", 256, 144, kQ4_K},   {13, "Q5_K", 256, 176, kQ5_K},
    {14, "Q6_K", 256, 210, kQ6_K},   {15, "Q8_K", 256, 292, {}},
    {16, "IQ2_XXS", 256, 66, {}},    {17, "IQ2_XS", 256, 74, {}},
    {18, "IQ3_XXS", 256, 98, {}},    {19, "IQ1_S", 256, 50, {}},
    {20, "IQ4_NL", 32, 18, kIQ4_NL}, {21, "IQ3_S", 256, 110, {}},
    {22, "IQ2_S", 256, 82, {}},      {23, "IQ4_XS", 256, 136, kIQ4_XS},
    {24, "I8", 1, 1, kI8},           {25, "I16", 1, 2, kI16},
    {26, "I32", 1, 4, kI32},         {27, "I64", 1, 8, kI64},
    {28, "F64", 1, 8, kF64},         {29, "IQ1_M", 256, 56, {}},
    {30, "BF16", 1, 2, kBF16},       {34, "TQ1_0", 256, 54, {}},
    {35, "TQ2_0", 256, 66, {}},      {39, "MXFP4", 32, 17, kMXFP4},
    {40, "NVFP4", 64, 36, {}},       {41, "Q1_0", 128, 18, {}},
    {42, "Q2_0", 64, 18, {}},
};

}  // namespace

const GgmlType* find_ggml_type(uint32_t id) {
  for (const GgmlType& t : kTypes) {
    if (t.id == id) return &t;
  }
  return nullptr;
}

const GgmlType* find_ggml_type(WeightFormat format) {
  for (const GgmlType& t : kTypes) {
    if (t.format == format) return &t;
  }
  return nullptr;
}

std::string ggml_type_name(uint32_t id) {
  const GgmlType* t = find_ggml_type(id);
  return t != nullptr ? t->name : cat("number ", id);
}

}  // namespace ingot
