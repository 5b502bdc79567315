#include "ingot/base/block_formats.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "ingot/base/error.h"

namespace ingot {

static_assert(std::endian::native == std::endian::little, "weights are used as they lie in little-endian files");

namespace {

struct FormatInfo {
  const char* name;
  int16_t elements, bytes;
};
constexpr FormatInfo kFormats[kNumWeightFormats] = {
    {"f32", 1, 4},
    {"f16", 1, 2},
    {"bf16", 1, 2},
    {"f64", 1, 8},
    {"i8", 1, 1},
    {"i16", 1, 2},
    {"i32", 1, 4},
    {"i64", 1, 8},
    {"f8e4m3", 1, 1},
    {"f8e5m2", 1, 1},
    {"Q4_0", 32, sizeof(BlockQ4_0)},
    {"Q4_1", 32, sizeof(BlockQ4_1)},
    {"Q5_0", 32, sizeof(BlockQ5_0)},
    {"Q5_1", 32, sizeof(BlockQ5_1)},
    {"Q8_0", 32, sizeof(BlockQ8_0)},
    {"Q2_K", 256, sizeof(BlockQ2K)},
    {"Q3_K", 256, sizeof(BlockQ3K)},
    {"Q4_K", 256, sizeof(BlockQ4K)},
    {"Q5_K", 256, sizeof(BlockQ5K)},
    {"Q6_K", 256, sizeof(BlockQ6K)},
    {"IQ4_NL", 32, sizeof(BlockIQ4NL)},
    {"IQ4_XS", 256, sizeof(BlockIQ4XS)},
    {"MXFP4", 32, sizeof(BlockMXFP4)},
};
static_assert(sizeof(BlockQ4_0) == 18 && sizeof(BlockQ4_1) == 20 && sizeof(BlockQ5_0) == 22 &&
              sizeof(BlockQ5_1) == 24 && sizeof(BlockQ8_0) == 34 && sizeof(BlockQ2K) == 84 && sizeof(BlockQ3K) == 110 &&
              sizeof(BlockQ4K) == 144 && sizeof(BlockQ5K) == 176 && sizeof(BlockQ6K) == 210 &&
              sizeof(BlockIQ4NL) == 18 && sizeof(BlockIQ4XS) == 136 && sizeof(BlockMXFP4) == 17);

const FormatInfo& info(WeightFormat f) {
  size_t i = static_cast<size_t>(f);
  if (i >= kNumWeightFormats) fail(ErrorKind::kArgument, "WeightFormat", cat("no format has the number ", i));
  return kFormats[i];
}

// One block of each format, 32 or 256 values.

void decode(const BlockQ4_0& b, float* y) {
  float d = load_half(b.d);
  for (int j = 0; j < 16; j++) {
    y[j] = static_cast<float>((b.q[j] & 15) - 8) * d;
    y[j + 16] = static_cast<float>((b.q[j] >> 4) - 8) * d;
  }
}

void decode(const BlockQ4_1& b, float* y) {
  float d = load_half(b.d), m = load_half(b.m);
  for (int j = 0; j < 16; j++) {
    y[j] = static_cast<float>(b.q[j] & 15) * d + m;
    y[j + 16] = static_cast<float>(b.q[j] >> 4) * d + m;
  }
}

uint32_t high_bits(const uint8_t h[4]) {
  uint32_t bits;
  memcpy(&bits, h, 4);
  return bits;
}

void decode(const BlockQ5_0& b, float* y) {
  float d = load_half(b.d);
  uint32_t h = high_bits(b.h);
  for (int j = 0; j < 16; j++) {
    y[j] = static_cast<float>(static_cast<int>((b.q[j] & 15u) | (h >> j & 1u) << 4) - 16) * d;
    y[j + 16] = static_cast<float>(static_cast<int>((b.q[j] >> 4) | (h >> (j + 16) & 1u) << 4) - 16) * d;
  }
}

void decode(const BlockQ5_1& b, float* y) {
  float d = load_half(b.d), m = load_half(b.m);
  uint32_t h = high_bits(b.h);
  for (int j = 0; j < 16; j++) {
    y[j] = static_cast<float>((b.q[j] & 15u) | (h >> j & 1u) << 4) * d + m;
    y[j + 16] = static_cast<float>((b.q[j] >> 4) | (h >> (j + 16) & 1u) << 4) * d + m;
  }
}

void decode(const BlockQ8_0& b, float* y) {
  float d = load_half(b.d);
  for (int j = 0; j < 32; j++) y[j] = static_cast<float>(b.q[j]) * d;
}

void decode(const BlockQ2K& b, float* y) {
  float d = load_half(b.d), dmin = load_half(b.dmin);
  for (int sub = 0; sub < 16; sub++) {
    // Sub-block 8n + 2j + i is half i of 32 bytes of half n, bits 2j and 2j + 1.
    const uint8_t* q = b.q + 32 * (sub / 8) + 16 * (sub % 2);
    int shift = sub % 8 / 2 * 2;
    float scale = d * static_cast<float>(b.scales[sub] & 15), min = dmin * static_cast<float>(b.scales[sub] >> 4);
    for (int l = 0; l < 16; l++) *y++ = scale * static_cast<float>(q[l] >> shift & 3) - min;
  }
}

void decode(const BlockQ3K& b, float* y) {
  float d = load_half(b.d);
  for (int sub = 0; sub < 16; sub++) {
    const uint8_t* q = b.q + 32 * (sub / 8) + 16 * (sub % 2);
    const uint8_t* high = b.hmask + 16 * (sub % 2);
    int shift = sub % 8 / 2 * 2, bit = sub / 2;
    int low = sub < 8 ? b.scales[sub] & 15 : b.scales[sub - 8] >> 4;
    int scale_code = low | (b.scales[8 + sub % 4] >> (2 * (sub / 4)) & 3) << 4;
    float scale = d * static_cast<float>(scale_code - 32);
    for (int l = 0; l < 16; l++) {
      *y++ = scale * static_cast<float>((q[l] >> shift & 3) - ((high[l] >> bit & 1) != 0 ? 0 : 4));
    }
  }
}

void decode(const BlockQ4K& b, float* y) {
  float d = load_half(b.d), dmin = load_half(b.dmin);
  for (int sub = 0; sub < 8; sub++) {
    float scale = d * k_scale(b.scales, sub), min = dmin * k_min(b.scales, sub);
    const uint8_t* q = b.q + 32 * (sub / 2);
    int shift = sub % 2 * 4;
    for (int l = 0; l < 32; l++) *y++ = scale * static_cast<float>(q[l] >> shift & 15) - min;
  }
}

void decode(const BlockQ5K& b, float* y) {
  float d = load_half(b.d), dmin = load_half(b.dmin);
  for (int sub = 0; sub < 8; sub++) {
    float scale = d * k_scale(b.scales, sub), min = dmin * k_min(b.scales, sub);
    const uint8_t* q = b.q + 32 * (sub / 2);
    int shift = sub % 2 * 4;
    for (int l = 0; l < 32; l++) {
      *y++ = scale * static_cast<float>((q[l] >> shift & 15) + 16 * (b.h[l] >> sub & 1)) - min;
    }
  }
}

void decode(const BlockQ6K& b, float* y) {
  float d = load_half(b.d);
  for (int half_index = 0; half_index < 2; half_index++) {
    const uint8_t* ql = b.ql + 64 * half_index;
    const uint8_t* qh = b.qh + 32 * half_index;
    const int8_t* scales = b.scales + 8 * half_index;
    for (int quarter = 0; quarter < 4; quarter++) {
      // Quarters 0 and 1 are the low nibbles of the first and second 32 bytes, 2 and 3 the high ones.
      const uint8_t* low = ql + 32 * (quarter % 2);
      int shift = quarter / 2 * 4;
      for (int l = 0; l < 32; l++) {
        int code = (low[l] >> shift & 15) | (qh[l] >> (2 * quarter) & 3) << 4;
        *y++ = d * scales[2 * quarter + l / 16] * static_cast<float>(code - 32);
      }
    }
  }
}

void decode(const BlockIQ4NL& b, float* y) {
  float d = load_half(b.d);
  for (int j = 0; j < 16; j++) {
    y[j] = d * kIQ4Values[b.q[j] & 15];
    y[j + 16] = d * kIQ4Values[b.q[j] >> 4];
  }
}

void decode(const BlockIQ4XS& b, float* y) {
  float d = load_half(b.d);
  int high = b.scales_high[0] | b.scales_high[1] << 8;
  for (int sub = 0; sub < 8; sub++, y += 32) {
    int code = (b.scales_low[sub / 2] >> (4 * (sub % 2)) & 15) | (high >> (2 * sub) & 3) << 4;
    float scale = d * static_cast<float>(code - 32);
    const uint8_t* q = b.q + 16 * sub;
    for (int j = 0; j < 16; j++) {
      y[j] = scale * kIQ4Values[q[j] & 15];
      y[j + 16] = scale * kIQ4Values[q[j] >> 4];
    }
  }
}

void decode(const BlockMXFP4& b, float* y) {
  float scale = f8e8m0_to_float(b.e);
  for (int j = 0; j < 16; j++) {
    y[j] = scale * kE2M1Values[b.q[j] & 15];
    y[j + 16] = scale * kE2M1Values[b.q[j] >> 4];
  }
}

template <class Block>
void decode_blocks(const void* src, float* dst, int64_t n, int elements) {
  const uint8_t* bytes = static_cast<const uint8_t*>(src);
  for (int64_t i = 0; i < n; i += elements, bytes += sizeof(Block)) {
    Block block;
    memcpy(&block, bytes, sizeof block);
    decode(block, dst + i);
  }
}

template <class T>
void decode_plain(const void* src, float* dst, int64_t n) {
  const char* bytes = static_cast<const char*>(src);
  for (int64_t i = 0; i < n; i++) {
    T value;
    memcpy(&value, bytes + i * static_cast<int64_t>(sizeof(T)), sizeof(T));
    dst[i] = static_cast<float>(value);
  }
}

template <class T>
void encode_plain(const float* src, void* dst, int64_t n) {
  char* bytes = static_cast<char*>(dst);
  for (int64_t i = 0; i < n; i++) {
    T value(src[i]);
    memcpy(bytes + i * static_cast<int64_t>(sizeof(T)), &value, sizeof(T));
  }
}

void store_half(uint8_t* p, float x) {
  uint16_t bits = float_to_half(x);
  memcpy(p, &bits, 2);
}

// 1/d, or 0 where d is so small that 1/d overflows: fp16 stores such a d as 0 anyway.
float inverse_or_zero(float d) {
  float inverse = d != 0 ? 1.0f / d : 0.0f;
  return std::isfinite(inverse) ? inverse : 0.0f;
}

bool all_finite(const float* x) {
  for (int j = 0; j < 32; j++) {
    if (!std::isfinite(x[j])) return false;
  }
  return true;
}

BlockQ8_0 encode_q8_0(const float* x) {
  BlockQ8_0 b{};
  float largest = 0;
  for (int j = 0; j < 32; j++) largest = std::fmax(largest, std::fabs(x[j]));
  bool finite = all_finite(x);
  float d = largest / 127.0f, inverse = inverse_or_zero(d);
  store_half(b.d, finite ? d : NAN);
  if (finite) {
    for (int j = 0; j < 32; j++) b.q[j] = static_cast<int8_t>(std::roundf(x[j] * inverse));
  }
  return b;
}

BlockQ4_0 encode_q4_0(const float* x) {
  BlockQ4_0 b{};
  float largest = 0;
  for (int j = 0; j < 32; j++) {
    if (std::fabs(x[j]) > std::fabs(largest)) largest = x[j];
  }
  bool finite = all_finite(x);
  float d = largest / -8.0f, inverse = inverse_or_zero(d);
  store_half(b.d, finite ? d : NAN);
  if (finite) {
    // The product goes through double, where it is exact, so that no compiler fuses it with the addition.
    auto code = [&](float v) {
      float scaled = static_cast<float>(static_cast<double>(v) * inverse);
      return static_cast<uint8_t>(std::min(15, static_cast<int>(scaled + 8.5f)));
    };
    for (int j = 0; j < 16; j++) b.q[j] = static_cast<uint8_t>(code(x[j]) | code(x[j + 16]) << 4);
  }
  return b;
}

template <class Block>
void encode_blocks(const float* src, void* dst, int64_t n, Block (*encode)(const float*)) {
  char* bytes = static_cast<char*>(dst);
  for (int64_t i = 0; i < n; i += 32, bytes += sizeof(Block)) {
    Block block = encode(src + i);
    memcpy(bytes, &block, sizeof block);
  }
}

}  // namespace

const char* name(WeightFormat f) { return info(f).name; }
int64_t block_elements(WeightFormat f) { return info(f).elements; }
int64_t block_bytes(WeightFormat f) { return info(f).bytes; }

int64_t row_bytes(WeightFormat f, int64_t n) {
  const FormatInfo& i = info(f);
  if (n < 0 || n % i.elements != 0) {
    fail_argument("row_bytes", cat(i.name, " row"), cat("a multiple of ", static_cast<int>(i.elements), " elements"),
                  cat(n));
  }
  int64_t bytes;
  if (__builtin_mul_overflow(n / i.elements, static_cast<int64_t>(i.bytes), &bytes)) {
    fail_argument("row_bytes", cat(i.name, " row"), "a size below 2^63 bytes", cat(n, " elements"));
  }
  return bytes;
}

bool is_plain(WeightFormat f) { return info(f).elements == 1; }

std::optional<DType> plain_dtype(WeightFormat f) {
  switch (f) {
    case WeightFormat::kF32:
      return DType::kF32;
    case WeightFormat::kF16:
      return DType::kF16;
    case WeightFormat::kBF16:
      return DType::kBF16;
    case WeightFormat::kF64:
      return DType::kF64;
    case WeightFormat::kI8:
      return DType::kI8;
    case WeightFormat::kI16:
      return DType::kI16;
    case WeightFormat::kI32:
      return DType::kI32;
    case WeightFormat::kI64:
      return DType::kI64;
    case WeightFormat::kF8E4M3:
      return DType::kF8E4M3;
    case WeightFormat::kF8E5M2:
      return DType::kF8E5M2;
    default:
      return std::nullopt;
  }
}

std::optional<WeightFormat> weight_format_of(DType t) {
  for (int i = 0; i < kNumWeightFormats; i++) {
    WeightFormat f = static_cast<WeightFormat>(i);
    if (plain_dtype(f) == t) return f;
  }
  return std::nullopt;
}

void dequantize_row(WeightFormat f, const void* src, float* dst, int64_t n) {
  row_bytes(f, n);
  switch (f) {
    case WeightFormat::kF32:
      return decode_plain<float>(src, dst, n);
    case WeightFormat::kF16:
      return decode_plain<half>(src, dst, n);
    case WeightFormat::kBF16:
      return decode_plain<bfloat>(src, dst, n);
    case WeightFormat::kF64:
      return decode_plain<double>(src, dst, n);
    case WeightFormat::kI8:
      return decode_plain<int8_t>(src, dst, n);
    case WeightFormat::kI16:
      return decode_plain<int16_t>(src, dst, n);
    case WeightFormat::kI32:
      return decode_plain<int32_t>(src, dst, n);
    case WeightFormat::kI64:
      return decode_plain<int64_t>(src, dst, n);
    case WeightFormat::kF8E4M3:
      return decode_plain<f8e4m3>(src, dst, n);
    case WeightFormat::kF8E5M2:
      return decode_plain<f8e5m2>(src, dst, n);
    case WeightFormat::kQ4_0:
      return decode_blocks<BlockQ4_0>(src, dst, n, 32);
    case WeightFormat::kQ4_1:
      return decode_blocks<BlockQ4_1>(src, dst, n, 32);
    case WeightFormat::kQ5_0:
      return decode_blocks<BlockQ5_0>(src, dst, n, 32);
    case WeightFormat::kQ5_1:
      return decode_blocks<BlockQ5_1>(src, dst, n, 32);
    case WeightFormat::kQ8_0:
      return decode_blocks<BlockQ8_0>(src, dst, n, 32);
    case WeightFormat::kQ2_K:
      return decode_blocks<BlockQ2K>(src, dst, n, 256);
    case WeightFormat::kQ3_K:
      return decode_blocks<BlockQ3K>(src, dst, n, 256);
    case WeightFormat::kQ4_K:
      return decode_blocks<BlockQ4K>(src, dst, n, 256);
    case WeightFormat::kQ5_K:
      return decode_blocks<BlockQ5K>(src, dst, n, 256);
    case WeightFormat::kQ6_K:
      return decode_blocks<BlockQ6K>(src, dst, n, 256);
    case WeightFormat::kIQ4_NL:
      return decode_blocks<BlockIQ4NL>(src, dst, n, 32);
    case WeightFormat::kIQ4_XS:
      return decode_blocks<BlockIQ4XS>(src, dst, n, 256);
    case WeightFormat::kMXFP4:
      return decode_blocks<BlockMXFP4>(src, dst, n, 32);
  }
}

void quantize_row(WeightFormat f, const float* src, void* dst, int64_t n) {
  row_bytes(f, n);
  switch (f) {
    case WeightFormat::kF32:
      return encode_plain<float>(src, dst, n);
    case WeightFormat::kF16:
      return encode_plain<half>(src, dst, n);
    case WeightFormat::kBF16:
      return encode_plain<bfloat>(src, dst, n);
    case WeightFormat::kF64:
      return encode_plain<double>(src, dst, n);
    case WeightFormat::kF8E4M3:
      return encode_plain<f8e4m3>(src, dst, n);
    case WeightFormat::kF8E5M2:
      return encode_plain<f8e5m2>(src, dst, n);
    case WeightFormat::kQ8_0:
      return encode_blocks<BlockQ8_0>(src, dst, n, encode_q8_0);
    case WeightFormat::kQ4_0:
      return encode_blocks<BlockQ4_0>(src, dst, n, encode_q4_0);
    default:
      fail(ErrorKind::kUnsupported, "quantize_row", cat("writing ", name(f), " is not supported"));
  }
}

}  // namespace ingot
