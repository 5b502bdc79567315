#include "ingot/base/dims.h"

#include "ingot/base/error.h"

namespace ingot {

namespace {
void check_rank(size_t rank) {
  if (rank > kMaxRank) fail_argument("shape", "number of dimensions", cat("at most ", kMaxRank), cat(rank));
}
}  // namespace

Dims::Dims(std::span<const int64_t> v) {
  check_rank(v.size());
  for (int64_t x : v) v_[n_++] = x;
}
Dims Dims::filled(int rank, int64_t value) {
  Dims d;
  for (int i = 0; i < rank; i++) d.push_back(value);
  return d;
}
void Dims::push_back(int64_t v) {
  check_rank(n_ + 1);
  v_[n_++] = v;
}
void Dims::insert(int at, int64_t v) {
  check_rank(n_ + 1);
  for (int i = n_; i > at; i--) v_[i] = v_[i - 1];
  v_[at] = v;
  n_++;
}
void Dims::erase(int at) {
  for (int i = at; i + 1 < n_; i++) v_[i] = v_[i + 1];
  n_--;
}

int64_t numel(const Dims& sizes, std::string_view where) {
  constexpr int64_t kLimit = int64_t{1} << 62;
  int64_t n = 1;
  bool zero = false;
  for (int64_t s : sizes) {
    if (s < 0) fail_argument(where, "size", "no negative size", cat(sizes));
    if (s == 0) {
      zero = true;
    } else {
      if (n > kLimit / s) fail_argument(where, "number of elements", "at most 2^62", cat(sizes));
      n *= s;
    }
  }
  return zero ? 0 : n;
}

Dims contiguous_strides(const Dims& sizes) {
  Dims strides = Dims::filled(sizes.size(), 1);
  for (int i = sizes.size() - 2; i >= 0; i--) strides[i] = strides[i + 1] * (sizes[i + 1] > 1 ? sizes[i + 1] : 1);
  return strides;
}

int normalize_dim(std::string_view where, int64_t dim, int rank) {
  int64_t r = rank > 0 ? rank : 1;
  if (dim < -r || dim >= r) fail_argument(where, "dim", cat("a value in [", -r, ", ", r, ")"), cat(dim));
  return static_cast<int>(dim < 0 ? dim + r : dim);
}

Dims broadcast_shapes(std::string_view where, const Dims& a, const Dims& b) {
  int rank = a.size() > b.size() ? a.size() : b.size();
  Dims out = Dims::filled(rank, 1);
  for (int i = 0; i < rank; i++) {
    int ia = i - (rank - a.size()), ib = i - (rank - b.size());
    int64_t x = ia < 0 ? 1 : a[ia], y = ib < 0 ? 1 : b[ib];
    if (x != y && x != 1 && y != 1)
      fail(ErrorKind::kArgument, where, cat("shapes ", a, " and ", b, " do not broadcast: sizes ", x, " and ", y));
    out[i] = x == 1 ? y : x;
  }
  return out;
}

Dims broadcast_strides(const Dims& sizes, const Dims& strides, const Dims& to) {
  Dims out = Dims::filled(to.size(), 0);
  for (int i = 0; i < sizes.size(); i++) {
    int at = i + to.size() - sizes.size();
    out[at] = sizes[i] == 1 && to[at] != 1 ? 0 : strides[i];
  }
  return out;
}

}  // namespace ingot
