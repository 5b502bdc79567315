// Shapes and strides: up to kMaxRank 64-bit numbers without allocation, and the arithmetic on them.
#pragma once
#include <array>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

#include "ingot/base/export.h"
#include "ingot/base/strings.h"

namespace ingot {

inline constexpr int kMaxRank = 8;

class INGOT_API Dims {
 public:
  Dims() = default;
  Dims(std::initializer_list<int64_t> v) : Dims(std::span(v.begin(), v.size())) {}
  explicit Dims(std::span<const int64_t> v);  // Error beyond kMaxRank
  static Dims filled(int rank, int64_t value);

  int size() const { return n_; }
  bool empty() const { return n_ == 0; }
  int64_t operator[](int i) const { return v_[i]; }
  int64_t& operator[](int i) { return v_[i]; }
  const int64_t* begin() const { return v_.data(); }
  const int64_t* end() const { return v_.data() + n_; }
  int64_t back() const { return v_[n_ - 1]; }
  void push_back(int64_t v);       // Error beyond kMaxRank
  void insert(int at, int64_t v);  // Error beyond kMaxRank
  void erase(int at);
  operator std::span<const int64_t>() const { return {v_.data(), size_t(n_)}; }
  friend bool operator==(const Dims& a, const Dims& b) {
    if (a.n_ != b.n_) return false;
    for (int i = 0; i < a.n_; i++)
      if (a.v_[i] != b.v_[i]) return false;
    return true;
  }

 private:
  std::array<int64_t, kMaxRank> v_{};
  int n_ = 0;
};

inline void append_to(std::string& s, const Dims& d) { append_to(s, std::span<const int64_t>(d)); }

// Product; Error (named by `where`) for a negative size or above 2^62.
INGOT_API int64_t numel(const Dims& sizes, std::string_view where = "shape");
INGOT_API Dims contiguous_strides(const Dims& sizes);  // in elements, last dimension fastest
// dim in [-rank, rank) to [0, rank); a rank of 0 counts as 1, as PyTorch does. Error otherwise.
INGOT_API int normalize_dim(std::string_view where, int64_t dim, int rank);
// NumPy broadcasting of two shapes; Error naming both if they do not fit.
INGOT_API Dims broadcast_shapes(std::string_view where, const Dims& a, const Dims& b);
// Strides of a tensor of `sizes`, seen as the larger shape `to`: 0 where it repeats.
INGOT_API Dims broadcast_strides(const Dims& sizes, const Dims& strides, const Dims& to);

}  // namespace ingot
