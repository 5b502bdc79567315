// Weights as they lie in files: plain element types and the GGUF block formats, read and written a row at a time. The
// format is a property of the weight, not a dtype: a block holds 32 or 256 consecutive elements of one row, and blocks
// follow each other along the row. All fields are little-endian and the source may start at any byte.
//
// With d and m read as fp16 every product below is exact in fp32 (at most 24 significant bits), so the only rounding is
// the final addition or subtraction of Q4_1, Q5_1, Q2_K, Q4_K and Q5_K: any order of multiplication, with FMA or
// without, gives the same bits.
#pragma once
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>

#include "ingot/base/dtype.h"
#include "ingot/base/export.h"

namespace ingot {

// clang-format off
enum class WeightFormat : uint8_t {
  kF32, kF16, kBF16, kF64, kI8, kI16, kI32, kI64, kF8E4M3, kF8E5M2,                                     // plain
  kQ4_0, kQ4_1, kQ5_0, kQ5_1, kQ8_0, kQ2_K, kQ3_K, kQ4_K, kQ5_K, kQ6_K, kIQ4_NL, kIQ4_XS, kMXFP4,       // blocks
};
// clang-format on
inline constexpr int kNumWeightFormats = 23;

// The blocks. Members are bytes, so the structs have alignment 1 and may be laid over any address.
// "nibbles": element j of the first half of the block (j < 16) is the low half of q[j], element j + 16 the high half.
struct BlockQ4_0 {  // (nibble - 8) * d
  uint8_t d[2], q[16];
};
struct BlockQ4_1 {  // nibble * d + m
  uint8_t d[2], m[2], q[16];
};
struct BlockQ5_0 {  // (nibble + 16 * bit j of h - 16) * d
  uint8_t d[2], h[4], q[16];
};
struct BlockQ5_1 {  // (nibble + 16 * bit j of h) * d + m
  uint8_t d[2], m[2], h[4], q[16];
};
struct BlockQ8_0 {  // q * d
  uint8_t d[2];
  int8_t q[32];
};
struct BlockQ2K {  // d * low nibble of scale * code - dmin * high nibble of scale; 16 sub-blocks of 16
  uint8_t scales[16], q[64], d[2], dmin[2];
};
struct BlockQ3K {  // d * (scale - 32) * (code - (high-mask bit ? 0 : 4)); 16 sub-blocks of 16
  uint8_t hmask[32], q[64], scales[12], d[2];
};
struct BlockQ4K {  // d * scale * nibble - dmin * min; 8 sub-blocks of 32, scales and mins of 6 bits (see k_scale_min)
  uint8_t d[2], dmin[2], scales[12], q[128];
};
struct BlockQ5K {  // as Q4_K, the fifth bit of element l of sub-block b is bit b of h[l]
  uint8_t d[2], dmin[2], scales[12], h[32], q[128];
};
struct BlockQ6K {  // d * scale * (code - 32); 16 sub-blocks of 16; d is last
  uint8_t ql[128], qh[64];
  int8_t scales[16];
  uint8_t d[2];
};
struct BlockIQ4NL {  // d * kIQ4Values[nibble]
  uint8_t d[2], q[16];
};
struct BlockIQ4XS {  // d * (scale - 32) * kIQ4Values[nibble]; 8 sub-blocks of 32
  uint8_t d[2], scales_high[2], scales_low[4], q[128];
};
struct BlockMXFP4 {  // 2^(e - 127) * kE2M1Values[nibble]; e = 255 is NaN, as for f8e8m0
  uint8_t e, q[16];
};

inline constexpr int8_t kIQ4Values[16] = {-127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113};
inline constexpr float kE2M1Values[16] = {0.0f,  0.5f,  1.0f,  1.5f,  2.0f,  3.0f,  4.0f,  6.0f,
                                          -0.0f, -0.5f, -1.0f, -1.5f, -2.0f, -3.0f, -4.0f, -6.0f};

inline float load_half(const uint8_t* p) { return half_to_float(static_cast<uint16_t>(p[0] | p[1] << 8)); }

// Scale and min of sub-block b (0..7) of Q4_K and Q5_K.
constexpr uint8_t k_scale(const uint8_t* s, int b) {
  return static_cast<uint8_t>(b < 4 ? s[b] & 63 : (s[b + 4] & 15) | (s[b - 4] >> 6) << 4);
}
constexpr uint8_t k_min(const uint8_t* s, int b) {
  return static_cast<uint8_t>(b < 4 ? s[b + 4] & 63 : s[b + 4] >> 4 | (s[b] >> 6) << 4);
}

INGOT_API const char* name(WeightFormat f);        // "f32", "bf16", "f8e4m3", "Q4_K", ...
INGOT_API int64_t block_elements(WeightFormat f);  // 1 for the plain formats
INGOT_API int64_t block_bytes(WeightFormat f);
// Bytes of a row of n elements. Error unless n >= 0 is a multiple of block_elements(f) and the size fits int64.
INGOT_API int64_t row_bytes(WeightFormat f, int64_t n);

INGOT_API bool is_plain(WeightFormat f);                          // one element a block, the same as a DType
INGOT_API std::optional<DType> plain_dtype(WeightFormat f);       // nothing for the block formats
INGOT_API std::optional<WeightFormat> weight_format_of(DType t);  // nothing for bool, u8 and f8e8m0

// n as for row_bytes; src may start at any byte. i32, i64 and f64 round once to float, everything else is exact up to
// the rounding described above.
INGOT_API void dequantize_row(WeightFormat f, const void* src, float* dst, int64_t n);

// Floats (one rounding; f8e4m3 saturates, the others overflow to infinity), Q8_0 and Q4_0; Error kUnsupported for the
// rest. dst may start at any byte. A block with a NaN or an infinity reads back as 32 NaNs; one whose scale is below
// fp16 reads back as zeros.
//   Q8_0: d = max|x| / 127, q = x * (1/d) rounded half away from zero
//   Q4_0: d = (the value of largest magnitude, the first on ties) / -8, q = min(15, int(x * (1/d) + 8.5))
INGOT_API void quantize_row(WeightFormat f, const float* src, void* dst, int64_t n);

inline void append_to(std::string& s, WeightFormat f) { s += name(f); }

}  // namespace ingot
