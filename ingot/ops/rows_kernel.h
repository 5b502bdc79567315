// For kernels that work on whole rows: where a row begins in each operand, and four elements at once.
#pragma once
#include <metal_stdlib>
#include "ingot/ops/elementwise_kernel.h"
#include "ingot/ops/rows.h"
using namespace metal;

struct RowPlaces {
  int64_t at[4];
};

static inline RowPlaces row_places(constant RowsParams& p, int64_t row, int operands) {
  ElementPlaces<int64_t> place = places_of<int64_t, ulong>(p, row, operands);
  RowPlaces r;
  for (int k = 0; k < operands; ++k) r.at[k] = place.at[k];
  return r;
}

static inline float low_half(uint u) { return as_type<float>(u << 16); }
static inline float high_half(uint u) { return as_type<float>(u & 0xFFFF0000u); }

// Elements 4 i .. 4 i + 3 of an f32, f16 or bf16 operand that is aligned to four elements.
static inline float4 load_float4(device const uchar* p, int type, int64_t i) {
  if (type == kElementF32) return ((device const float4*)p)[i];
  if (type == kElementF16) return float4(((device const half4*)p)[i]);
  uint2 u = ((device const uint2*)p)[i];
  return float4(low_half(u.x), high_half(u.x), low_half(u.y), high_half(u.y));
}

static inline uint two_bfloats(float low, float high) {
  return uint(as_type<ushort>(bfloat(low))) | (uint(as_type<ushort>(bfloat(high))) << 16);
}

static inline void store_float4(device uchar* p, int type, int64_t i, float4 v) {
  if (type == kElementF32) {
    ((device float4*)p)[i] = v;
  } else if (type == kElementF16) {
    ((device half4*)p)[i] = half4(v);
  } else {
    ((device uint2*)p)[i] = uint2(two_bfloats(v.x, v.y), two_bfloats(v.z, v.w));
  }
}
