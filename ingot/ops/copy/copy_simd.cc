#include "ingot/ops/copy/copy_simd.h"

#include "ingot/device/cpu/simd.h"

namespace ingot::INGOT_ISA {

namespace {

// Floats narrower than 16 bits, encoded without branches so that the loops below become vector code. The rules are
// those of ingot/base/small_floats.h, which the tests compare with for every code.
INGOT_INLINE uint32_t bits_of(float x) {
  uint32_t u;
  memcpy(&u, &x, 4);
  return u;
}
INGOT_INLINE float float_of(uint32_t u) {
  float x;
  memcpy(&x, &u, 4);
  return x;
}

// |x| to a code of `mantissa` bits with smallest normal exponent `lowest`, nearest even; valid below the format's
// overflow.
template <int mantissa, int lowest>
INGOT_INLINE uint32_t encode_magnitude(uint32_t u) {
  constexpr int drop = 23 - mantissa;
  uint32_t normal =
      ((u + ((1u << (drop - 1)) - 1) + ((u >> drop) & 1u)) >> drop) - (uint32_t(127 + lowest - 1) << mantissa);
  // Below the smallest normal: adding 2^23 units of the last place lets the adder round to even.
  constexpr uint32_t shift_bits = uint32_t(127 + lowest - mantissa + 23) << 23;
  uint32_t bounded = u < 0x7F000000u ? u : 0x7F000000u;
  uint32_t subnormal = bits_of(float_of(bounded) + float_of(shift_bits)) - shift_bits;
  return u < (uint32_t(127 + lowest) << 23) ? subnormal : normal;
}

template <bool saturating>
INGOT_INLINE uint8_t to_e4m3(float x) {
  uint32_t bits = bits_of(x), u = bits & 0x7FFFFFFFu, sign = bits >> 24 & 0x80u;
  uint32_t code = encode_magnitude<3, -6>(u);
  code = u >= 0x43E00000u ? 0x7Eu : code;                       // 448
  uint32_t first_nan = saturating ? 0x7F800000u : 0x43E80000u;  // above infinity, or above 464
  code = u > first_nan ? 0x7Fu : code;
  return uint8_t(sign | code);
}
template <bool saturating>
INGOT_INLINE uint8_t to_e5m2(float x) {
  uint32_t bits = bits_of(x), u = bits & 0x7FFFFFFFu, sign = bits >> 24 & 0x80u;
  uint32_t code = encode_magnitude<2, -14>(u);
  code = u >= 0x47700000u ? (saturating ? 0x7Bu : 0x7Cu) : code;  // 61440
  code = u > 0x7F800000u ? 0x7Fu : code;
  return uint8_t(sign | code);
}
INGOT_INLINE uint8_t to_e8m0(float x) {
  uint32_t u = bits_of(x), exponent = u >> 23 & 0xFFu, fraction = u & 0x7FFFFFu;
  uint32_t up = (fraction > 0x400000u) | ((fraction == 0x400000u) & (exponent & 1u));
  uint32_t code = exponent + up;
  code = code >= 0xFFu ? 0xFEu : code;
  code = exponent == 0 ? (fraction > 0x600000u ? 1u : 0u) : code;
  code = u >> 31 ? 0u : code;
  code = (u & 0x7FFFFFFFu) >= 0x7F800000u ? 0xFFu : code;
  return uint8_t(code);
}

struct Table {
  float value[256];
};
template <class T>
constexpr Table make_table() {
  Table t{};
  for (int i = 0; i < 256; i++) {
    T x;
    x.bits = uint8_t(i);
    t.value[i] = x;
  }
  return t;
}
template <class T>
constexpr Table kTable = make_table<T>();

template <class T>
void load_float8(const void* from, void* to, int64_t n) {
  const uint8_t* x = static_cast<const uint8_t*>(from);
  float* y = static_cast<float*>(to);
  for (int64_t i = 0; i < n; i++) y[i] = kTable<T>.value[x[i]];
}

template <class T>
void load_small_float(const void* from, void* to, int64_t n) {
  const T* x = static_cast<const T*>(from);
  float* y = static_cast<float*>(to);
  int64_t i = 0;
  for (; i + kLanes <= n; i += kLanes) store(y + i, load(x + i));
  if (i < n) {
    T in[kLanes] = {};
    float out[kLanes];
    memcpy(in, x + i, size_t(n - i) * sizeof(T));
    store(out, load(in));
    memcpy(y + i, out, size_t(n - i) * sizeof(float));
  }
}

template <class T>
void load_int(const void* from, void* to, int64_t n) {
  const T* x = static_cast<const T*>(from);
  int32_t* y = static_cast<int32_t*>(to);
  for (int64_t i = 0; i < n; i++) y[i] = x[i];
}
// A byte of a bool tensor from outside may hold any value.
void load_bool(const void* from, void* to, int64_t n) {
  const uint8_t* x = static_cast<const uint8_t*>(from);
  int32_t* y = static_cast<int32_t*>(to);
  for (int64_t i = 0; i < n; i++) y[i] = x[i] != 0;
}

// Truncation toward zero; the nearest end beyond the range, 0 for NaN. `low` and `high` are the outermost floats whose
// conversion is defined; `max` is what lies beyond high.
template <class W, class T>
INGOT_INLINE T truncate(W x, W low, W high, T max) {
  W bounded = x > low ? x : low;
  bounded = bounded < high ? bounded : high;
  T y = static_cast<T>(bounded);
  y = x > high ? max : y;
  return x == x ? y : T(0);
}

template <class W, class D>
void store_small_int(const void* from, void* to, int64_t n) {  // to u8, i8, i16
  const W* x = static_cast<const W*>(from);
  D* y = static_cast<D*>(to);
  constexpr bool is_signed = D(-1) < D(0);
  constexpr int32_t max = is_signed ? (1 << (8 * sizeof(D) - 1)) - 1 : 255, min = is_signed ? -max - 1 : 0;
  for (int64_t i = 0; i < n; i++) y[i] = D(truncate<W, int32_t>(x[i], W(min), W(max), max));
}
template <class W>
void store_i32(const void* from, void* to, int64_t n) {
  const W* x = static_cast<const W*>(from);
  int32_t* y = static_cast<int32_t*>(to);
  constexpr W high = sizeof(W) == 4 ? W(2147483520.0) : W(2147483647.0);
  for (int64_t i = 0; i < n; i++) y[i] = truncate<W, int32_t>(x[i], W(-2147483648.0), high, INT32_MAX);
}
template <class W>
void store_i64(const void* from, void* to, int64_t n) {
  const W* x = static_cast<const W*>(from);
  int64_t* y = static_cast<int64_t*>(to);
  constexpr W high = sizeof(W) == 4 ? W(9223371487098961920.0) : W(9223372036854774784.0);
  for (int64_t i = 0; i < n; i++) y[i] = truncate<W, int64_t>(x[i], W(-9223372036854775808.0), high, INT64_MAX);
}
template <class W>
void store_bool(const void* from, void* to, int64_t n) {
  const W* x = static_cast<const W*>(from);
  uint8_t* y = static_cast<uint8_t*>(to);
  for (int64_t i = 0; i < n; i++) y[i] = x[i] != W(0);
}
// Integers wrap and floats round, as a C++20 conversion does.
template <class W, class D>
void store_cast(const void* from, void* to, int64_t n) {
  const W* x = static_cast<const W*>(from);
  D* y = static_cast<D*>(to);
  for (int64_t i = 0; i < n; i++) y[i] = D(x[i]);
}

template <class T>
void store_small_float(const void* from, void* to, int64_t n) {
  const float* x = static_cast<const float*>(from);
  T* y = static_cast<T*>(to);
  int64_t i = 0;
  for (; i + kLanes <= n; i += kLanes) store(y + i, load(x + i));
  if (i < n) {
    float in[kLanes] = {};
    T out[kLanes];
    memcpy(in, x + i, size_t(n - i) * sizeof(float));
    store(out, load(in));
    memcpy(static_cast<void*>(y + i), out, size_t(n - i) * sizeof(T));
  }
}
template <uint8_t (*encode)(float)>
void store_float8(const void* from, void* to, int64_t n) {
  const float* x = static_cast<const float*>(from);
  uint8_t* y = static_cast<uint8_t*>(to);
  for (int64_t i = 0; i < n; i++) y[i] = encode(x[i]);
}
// From another wide type by way of f32, a piece at a time.
template <class W, ConvertRow store_f32>
void store_through_f32(const void* from, void* to, int64_t n, int64_t item) {
  const W* x = static_cast<const W*>(from);
  char* y = static_cast<char*>(to);
  float piece[256];
  for (int64_t i = 0; i < n; i += 256) {
    int64_t m = n - i < 256 ? n - i : 256;
    for (int64_t j = 0; j < m; j++) piece[j] = float(x[i + j]);
    store_f32(piece, y + i * item, m);
  }
}
template <class W, ConvertRow store_f32, int item>
void store_via_f32(const void* from, void* to, int64_t n) {
  store_through_f32<W, store_f32>(from, to, n, item);
}

constexpr ConvertRow kE4M3 = store_float8<to_e4m3<true>>, kE5M2 = store_float8<to_e5m2<false>>,
                     kE8M0 = store_float8<to_e8m0>, kE4M3Nan = store_float8<to_e4m3<false>>,
                     kE5M2Max = store_float8<to_e5m2<true>>, kF16 = store_small_float<half>,
                     kBF16 = store_small_float<bfloat>;

template <class W>
constexpr void fill_from_int(ConvertRow (&s)[kNumStores]) {
  s[0] = store_bool<W>, s[1] = store_cast<W, uint8_t>, s[2] = store_cast<W, int8_t>, s[3] = store_cast<W, int16_t>;
  s[4] = sizeof(W) == 4 ? nullptr : ConvertRow(store_cast<W, int32_t>);
  s[5] = sizeof(W) == 8 ? nullptr : ConvertRow(store_cast<W, int64_t>);
  s[11] = store_cast<W, float>, s[12] = store_cast<W, double>;
}
template <class W>
constexpr void fill_from_float(ConvertRow (&s)[kNumStores]) {
  s[0] = store_bool<W>, s[1] = store_small_int<W, uint8_t>, s[2] = store_small_int<W, int8_t>,
  s[3] = store_small_int<W, int16_t>;
  s[4] = store_i32<W>, s[5] = store_i64<W>;
  s[11] = sizeof(W) == 4 ? nullptr : ConvertRow(store_cast<W, float>);
  s[12] = sizeof(W) == 8 ? nullptr : ConvertRow(store_cast<W, double>);
}
template <class W>
constexpr void fill_small_floats(ConvertRow (&s)[kNumStores]) {
  s[6] = store_via_f32<W, kE4M3, 1>, s[7] = store_via_f32<W, kE5M2, 1>, s[8] = store_via_f32<W, kE8M0, 1>;
  s[9] = store_via_f32<W, kF16, 2>, s[10] = store_via_f32<W, kBF16, 2>;
  s[kStoreE4M3NonSaturating] = store_via_f32<W, kE4M3Nan, 1>, s[kStoreE5M2Saturating] = store_via_f32<W, kE5M2Max, 1>;
}

constexpr CopyKernels make_kernels() {
  CopyKernels k{};
  ConvertRow loads[kNumDTypes] = {load_bool,
                                  load_int<uint8_t>,
                                  load_int<int8_t>,
                                  load_int<int16_t>,
                                  nullptr,
                                  nullptr,
                                  load_float8<f8e4m3>,
                                  load_float8<f8e5m2>,
                                  load_float8<f8e8m0>,
                                  load_small_float<half>,
                                  load_small_float<bfloat>,
                                  nullptr,
                                  nullptr};
  for (int i = 0; i < kNumDTypes; i++) k.load[i] = loads[i];
  fill_from_int<int32_t>(k.store[kWideI32]);
  fill_from_int<int64_t>(k.store[kWideI64]);
  fill_from_float<float>(k.store[kWideF32]);
  fill_from_float<double>(k.store[kWideF64]);
  fill_small_floats<int32_t>(k.store[kWideI32]);
  fill_small_floats<int64_t>(k.store[kWideI64]);
  fill_small_floats<double>(k.store[kWideF64]);
  ConvertRow(&f)[kNumStores] = k.store[kWideF32];
  f[6] = kE4M3, f[7] = kE5M2, f[8] = kE8M0, f[9] = kF16, f[10] = kBF16;
  f[kStoreE4M3NonSaturating] = kE4M3Nan, f[kStoreE5M2Saturating] = kE5M2Max;
  return k;
}
constexpr CopyKernels kKernels = make_kernels();

}  // namespace

const CopyKernels& copy_kernels() { return kKernels; }

}  // namespace ingot::INGOT_ISA
