// Entries of a row to be ordered: a key and an index that settles ties.
#pragma once
#include <cstdint>
#include <cstring>

#include "ingot/ops/copy/copy_cpu.h"
#include "ingot/ops/sort/sort_simd.h"

namespace ingot {

// A 32-bit key and an index below 2^32 in one word, in that order.
struct PackedEntry {
  using Key = uint32_t;
  uint64_t word;
  static PackedEntry of(Key key, int64_t index) { return {uint64_t(key) << 32 | uint64_t(index)}; }
  Key key() const { return Key(word >> 32); }
  int64_t index() const { return int64_t(word & 0xFFFFFFFFu); }
  friend bool operator<(const PackedEntry& a, const PackedEntry& b) { return a.word < b.word; }
};
struct WideEntry {
  using Key = uint64_t;
  uint64_t word;
  int64_t at;
  static WideEntry of(Key key, int64_t index) { return {key, index}; }
  Key key() const { return word; }
  int64_t index() const { return at; }
  friend bool operator<(const WideEntry& a, const WideEntry& b) {
    return a.word != b.word ? a.word < b.word : a.at < b.at;
  }
};

// Makes keys of n elements (at most kKeyPiece) of a dense row, in T: f32 (for f16, bf16, f32), f64, or i64 (for bool
// and integers).
inline constexpr int64_t kKeyPiece = 1024;
const SortKernels& sort_simd_kernels();

template <class T, class Key>
void make_keys(const RowConversion& conversion, bool is_t, const char* from, int64_t n, bool flip, Key* keys) {
  alignas(64) T converted[kKeyPiece];
  const T* x = reinterpret_cast<const T*>(from);
  if (!is_t) {
    conversion.run(from, reinterpret_cast<char*>(converted), n);
    x = converted;
  }
  if constexpr (std::is_same_v<T, float> && sizeof(Key) == 4) {
    sort_simd_kernels().keys(x, keys, n, flip ? ~0u : 0u);
  } else {
    constexpr uint64_t kSign = uint64_t{1} << 63;
    for (int64_t i = 0; i < n; i++) {
      uint64_t key;
      if constexpr (std::is_integral_v<T>) {
        key = uint64_t(x[i]) ^ kSign;
      } else {
        double v = double(x[i]) + 0.0;  // -0 becomes +0
        memcpy(&key, &v, 8);
        key = v != v ? ~uint64_t{0} : key & kSign ? ~key : key | kSign;
      }
      keys[i] = flip ? ~key : key;
    }
  }
}

}  // namespace ingot
