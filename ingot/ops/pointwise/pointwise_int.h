// The pointwise operators that integers have a rule of their own for, computed in i64; for C++ and for kernels.
// Included like pointwise_expr.h. Two's complement, wrapping.

INGOT_INLINE int64_t i_abs(int64_t x) { return x < 0 ? int64_t(-uint64_t(x)) : x; }
INGOT_INLINE int64_t i_neg(int64_t x) { return int64_t(-uint64_t(x)); }
INGOT_INLINE int64_t i_same(int64_t x) { return x; }
INGOT_INLINE int64_t i_add(int64_t x, int64_t y) { return int64_t(uint64_t(x) + uint64_t(y)); }
INGOT_INLINE int64_t i_sub(int64_t x, int64_t y) { return int64_t(uint64_t(x) - uint64_t(y)); }
INGOT_INLINE int64_t i_mul(int64_t x, int64_t y) { return int64_t(uint64_t(x) * uint64_t(y)); }
INGOT_INLINE int64_t i_square(int64_t x) { return i_mul(x, x); }
INGOT_INLINE int64_t i_and(int64_t x, int64_t y) { return x & y; }
INGOT_INLINE int64_t i_or(int64_t x, int64_t y) { return x | y; }
INGOT_INLINE int64_t i_xor(int64_t x, int64_t y) { return x ^ y; }
INGOT_INLINE int64_t i_addcmul(int64_t x, int64_t y, int64_t z, int64_t value) {
  return i_add(x, i_mul(value, i_mul(y, z)));
}

// By 0 the remainder is 0, on every device; -1 is apart since the smallest integer divided by it traps.
INGOT_INLINE int64_t i_remainder(int64_t x, int64_t y) {
  if (y == 0 || y == -1) return 0;
  int64_t r = x % y;
  return r != 0 && (r < 0) != (y < 0) ? r + y : r;
}
// A negative exponent gives the reciprocal cut to an integer: 0 but for 1 and -1.
INGOT_INLINE int64_t i_pow(int64_t x, int64_t y) {
  if (y < 0) return x == 1 ? 1 : x == -1 ? (y % 2 ? -1 : 1) : 0;
  uint64_t result = 1, base = uint64_t(x);
  for (; y; y >>= 1, base *= base)
    if (y & 1) result *= base;
  return int64_t(result);
}
