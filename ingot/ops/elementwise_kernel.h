// For kernels over strided operands: where an element lies, and reading and writing it in any dtype. Types are
// ElementTypes held by function constants, so a compiled kernel has one branch of each function left.
#pragma once
#include <metal_stdlib>
#include "ingot/msl/float8.h"
#include "ingot/ops/elementwise.h"
using namespace metal;

// The place of element i (of all, the last axis fastest) in up to 4 operands. I: int where all offsets and the count
// fit, else int64_t; U is its unsigned twin. Params has sizes, strides and rank as ElementwiseParams does.
template <typename I>
struct ElementPlaces {
  I at[4];
};

template <typename I, typename U, typename Params>
ElementPlaces<I> places_of(constant Params& p, I i, int operands) {
  ElementPlaces<I> place;
  for (int k = 0; k < operands; ++k) place.at[k] = 0;
  U rest = U(i);
  for (int d = p.rank - 1; d > 0; --d) {
    U size = U(p.sizes[d]);
    U next = rest / size;
    I index = I(rest - next * size);
    for (int k = 0; k < operands; ++k) place.at[k] += index * I(p.strides[k * 8 + d]);
    rest = next;
  }
  for (int k = 0; k < operands; ++k) place.at[k] += I(rest) * I(p.strides[k * 8]);
  return place;
}

static inline int64_t element_bytes(int type) {
  if (type == kElementI64) return 8;
  if (type == kElementI32 || type == kElementF32) return 4;
  return type == kElementI16 || type == kElementF16 || type == kElementBF16 ? 2 : 1;
}

static inline bool is_float_element(int type) { return type >= kElementF8E4M3; }

template <typename I>
int64_t load_int(device const uchar* p, int type, I i) {
  if (type == kElementI64) return ((device const int64_t*)p)[i];
  if (type == kElementI32) return ((device const int*)p)[i];
  if (type == kElementI16) return ((device const short*)p)[i];
  if (type == kElementI8) return ((device const char*)p)[i];
  if (type == kElementU8) return p[i];
  return p[i] != 0 ? 1 : 0;
}

template <typename I>
float load_float(device const uchar* p, int type, I i) {
  if (type == kElementF32) return ((device const float*)p)[i];
  if (type == kElementBF16) return float(((device const bfloat*)p)[i]);
  if (type == kElementF16) return float(((device const half*)p)[i]);
  if (type == kElementF8E4M3) return f8e4m3_to_float(p[i]);
  if (type == kElementF8E5M2) return f8e5m2_to_float(p[i]);
  if (type == kElementF8E8M0) return f8e8m0_to_float(p[i]);
  return float(load_int(p, type, i));
}

// Integers wrap, as conversions between them do.
template <typename I>
void store_int(device uchar* p, int type, I i, int64_t v) {
  if (type == kElementI64) {
    ((device int64_t*)p)[i] = v;
  } else if (type == kElementI32) {
    ((device int*)p)[i] = int(v);
  } else if (type == kElementI16) {
    ((device short*)p)[i] = short(v);
  } else if (type == kElementBool) {
    p[i] = v != 0 ? 1 : 0;
  } else {
    p[i] = uchar(v);
  }
}

// Toward zero; NaN gives 0, what lies outside the nearest end. `limit` is the first power of two beyond the type.
static inline int64_t truncated(float v, float limit, int64_t highest, bool has_sign) {
  if (isnan(v)) return 0;
  if (v >= limit) return highest;
  if (!has_sign) return v <= 0.0f ? 0 : int64_t(v);
  return v <= -limit ? -highest - 1 : int64_t(v);
}

static inline int64_t float_to_int(float v, int type) {
  if (type == kElementBool) return v != 0.0f ? 1 : 0;
  if (type == kElementU8) return truncated(v, 256.0f, 255, false);
  if (type == kElementI8) return truncated(v, 128.0f, 127, true);
  if (type == kElementI16) return truncated(v, 32768.0f, 32767, true);
  if (type == kElementI32) return truncated(v, 2147483648.0f, 2147483647, true);
  return truncated(v, 9223372036854775808.0f, 0x7FFFFFFFFFFFFFFF, true);
}

template <typename I>
void store_float(device uchar* p, int type, I i, float v) {
  if (type == kElementF32) {
    ((device float*)p)[i] = v;
  } else if (type == kElementBF16) {
    ((device bfloat*)p)[i] = bfloat(v);
  } else if (type == kElementF16) {
    ((device half*)p)[i] = half(v);
  } else if (type == kElementF8E4M3) {
    p[i] = float_to_f8e4m3(v);
  } else if (type == kElementF8E5M2) {
    p[i] = float_to_f8e5m2(v);
  } else if (type == kElementF8E8M0) {
    p[i] = float_to_f8e8m0(v);
  } else {
    store_int(p, type, i, float_to_int(v, type));
  }
}
