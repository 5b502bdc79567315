#include "ingot/tensor/tensor.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "ingot/base/error.h"
#include "ingot/tensor/gpu_fill.h"
#include "ingot/tensor/gpu_stream.h"

namespace ingot {

Tensor::Tensor(std::shared_ptr<Storage> storage, int64_t byte_offset, Dims sizes, Dims strides, DType dtype)
    : storage_(std::move(storage)), byte_offset_(byte_offset), sizes_(sizes), strides_(strides), dtype_(dtype) {
  if (!storage_) fail_undefined();
  if (sizes.size() != strides.size())
    fail(ErrorKind::kArgument, "tensor", cat("sizes ", sizes, " and strides ", strides, " differ in rank"));
  numel_ = ingot::numel(sizes, "tensor");
  if (numel_ == 0) {
    // Nothing is ever read through them, so they need not be checked, but arithmetic on them must not overflow.
    strides_ = contiguous_strides(sizes);
    byte_offset_ = 0;
    return;
  }
  // In elements: at most 2^62 of them with strides below 2^63, so the sums fit; in bytes they need not.
  __int128 low = 0, high = 0, item = itemsize(dtype);
  for (int i = 0; i < sizes.size(); i++) {
    __int128 reach = static_cast<__int128>(strides[i]) * (sizes[i] - 1);
    (reach < 0 ? low : high) += reach;
  }
  if (low < INT64_MIN || high >= INT64_MAX || byte_offset + low * item < 0 ||
      byte_offset + (high + 1) * item > static_cast<__int128>(storage_->bytes()))
    fail(ErrorKind::kArgument, "tensor",
         cat("sizes ", sizes, ", strides ", strides, ", byte offset ", byte_offset, " of ", dtype,
             " reach outside a storage of ", storage_->bytes(), " bytes"));
}

void Tensor::fail_undefined() { fail(ErrorKind::kArgument, "tensor", "undefined tensor"); }

int64_t Tensor::size(int64_t dim) const {
  if (this->dim() == 0) fail(ErrorKind::kArgument, "size", "a 0-dimensional tensor has no axis");
  return sizes_[normalize_dim("size", dim, this->dim())];
}
int64_t Tensor::stride(int64_t dim) const {
  if (this->dim() == 0) fail(ErrorKind::kArgument, "stride", "a 0-dimensional tensor has no axis");
  return strides_[normalize_dim("stride", dim, this->dim())];
}

bool Tensor::is_contiguous() const {
  if (numel_ == 0) return true;
  int64_t expected = 1;
  for (int i = dim() - 1; i >= 0; i--) {
    if (sizes_[i] == 1) continue;
    if (strides_[i] != expected) return false;
    expected *= sizes_[i];
  }
  return true;
}

void Tensor::check_access(DType wanted) const {
  if (!storage_) fail_undefined();
  if (wanted != dtype_) fail_argument("tensor", "element access", cat(dtype_), cat(wanted));
  if (!device().is_cpu())
    fail(ErrorKind::kArgument, "tensor", cat("element access on ", device(), ": move it to the cpu"));
}

double Tensor::item() const {
  if (numel_ != 1) fail_argument("item", "number of elements", "1", cat(numel_));
  return to_doubles(*this)[0];
}

Tensor Tensor::cpu() const {
  if (device().is_cpu()) return *this;
  if (numel_ == 0) return empty(sizes_, dtype_);
  int64_t first = 0, last = 0, item = int64_t(itemsize(dtype_));
  for (int i = 0; i < dim(); i++) (strides_[i] < 0 ? first : last) += strides_[i] * (sizes_[i] - 1);
  auto bytes = Storage::allocate(size_t((last - first + 1) * item));
  gpu::stream(device()).download(*storage_, size_t(byte_offset_ + first * item), bytes->data(), bytes->bytes());
  return Tensor(bytes, -first * item, sizes_, strides_, dtype_);
}

Tensor Tensor::with(Dims sizes, Dims strides, int64_t byte_offset) const {
  return Tensor(storage_, byte_offset, sizes, strides, dtype_);
}

Tensor Tensor::view(const Dims& wanted) const {
  Dims sizes = wanted;
  int hole = -1;
  Dims known;
  for (int i = 0; i < sizes.size(); i++) {
    if (sizes[i] == -1 && hole < 0) {
      hole = i;
    } else if (sizes[i] < 0) {
      fail_argument("view", "sizes", "no negative size but one -1", cat(wanted));
    } else {
      known.push_back(sizes[i]);
    }
  }
  if (hole >= 0) {
    int64_t rest = ingot::numel(known, "view");
    if (rest == 0 || numel_ % rest != 0)
      fail_argument("view", "sizes", cat("a shape of ", numel_, " elements"), cat(wanted));
    sizes[hole] = numel_ / rest;
  }
  if (ingot::numel(sizes, "view") != numel_)
    fail_argument("view", "sizes", cat("a shape of ", numel_, " elements (from ", sizes_, ")"), cat(wanted));
  if (numel_ == 0) return with(sizes, contiguous_strides(sizes), byte_offset_);
  // Old dimensions are taken from the right in groups that lie evenly in memory; each group must hold a whole number of
  // new dimensions.
  Dims strides = Dims::filled(sizes.size(), 1);
  int next = sizes.size() - 1;
  int old = dim() - 1;
  while (old >= 0) {
    int64_t group = sizes_[old], base = strides_[old];
    while (old > 0 && (sizes_[old - 1] == 1 || strides_[old - 1] == base * group)) group *= sizes_[--old];
    old--;
    int64_t done = 1;
    while (next >= 0 && (done < group || sizes[next] == 1)) {
      strides[next] = base * done;
      done *= sizes[next--];
    }
    if (done != group)
      fail(ErrorKind::kArgument, "view",
           cat("sizes ", sizes_, " with strides ", strides_, " cannot be seen as ", sizes,
               " without a copy; call contiguous first"));
  }
  return with(sizes, strides, byte_offset_);
}

Tensor Tensor::transpose(int64_t dim0, int64_t dim1) const {
  int a = normalize_dim("transpose", dim0, dim()), b = normalize_dim("transpose", dim1, dim());
  Dims sizes = sizes_, strides = strides_;
  if (dim() > 0) std::swap(sizes[a], sizes[b]), std::swap(strides[a], strides[b]);
  return with(sizes, strides, byte_offset_);
}

Tensor Tensor::permute(const Dims& order) const {
  if (order.size() != dim()) fail_argument("permute", "order", cat(dim(), " dimensions"), cat(order));
  Dims sizes = sizes_, strides = strides_;
  unsigned seen = 0;
  for (int i = 0; i < dim(); i++) {
    int d = normalize_dim("permute", order[i], dim());
    if (seen >> d & 1u) fail_argument("permute", "order", "each dimension once", cat(order));
    seen |= 1u << d;
    sizes[i] = sizes_[d];
    strides[i] = strides_[d];
  }
  return with(sizes, strides, byte_offset_);
}

Tensor Tensor::slice(int64_t dim, int64_t start, int64_t end, int64_t step) const {
  if (this->dim() == 0) fail(ErrorKind::kArgument, "slice", "a 0-dimensional tensor has no axis");
  int d = normalize_dim("slice", dim, this->dim());
  if (step < 1) fail_argument("slice", "step", "at least 1", cat(step));
  int64_t n = sizes_[d];
  auto clamp = [n](int64_t v) { return v < 0 ? (v + n < 0 ? 0 : v + n) : v > n ? n : v; };
  start = clamp(start);
  end = clamp(end);
  Dims sizes = sizes_, strides = strides_;
  sizes[d] = end > start ? (end - start - 1) / step + 1 : 0;
  if (sizes[d] > 1) strides[d] *= step;
  int64_t offset = numel_ == 0 || sizes[d] == 0 ? 0 : start * strides_[d] * int64_t(itemsize(dtype_));
  return with(sizes, strides, byte_offset_ + offset);
}

Tensor Tensor::narrow(int64_t dim, int64_t start, int64_t length) const {
  int64_t n = size(dim);
  if (start < 0 || length < 0 || start > n - length)
    fail_argument("narrow", "start and length", cat("a range inside [0, ", n, ")"), cat(start, " and ", length));
  return slice(dim, start, start + length);
}

Tensor Tensor::select(int64_t dim, int64_t index) const {
  if (this->dim() == 0) fail(ErrorKind::kArgument, "select", "a 0-dimensional tensor has no axis");
  int d = normalize_dim("select", dim, this->dim());
  int64_t n = sizes_[d];
  if (index < -n || index >= n)
    throw Error(ErrorKind::kIndex, cat("select: index ", index, " is outside axis ", d, " of size ", n));
  if (index < 0) index += n;
  Dims sizes = sizes_, strides = strides_;
  sizes.erase(d);
  strides.erase(d);
  int64_t offset = numel_ == 0 ? 0 : index * strides_[d] * int64_t(itemsize(dtype_));
  return with(sizes, strides, byte_offset_ + offset);
}

Tensor Tensor::unsqueeze(int64_t dim) const {
  int d = normalize_dim("unsqueeze", dim, this->dim() + 1);
  Dims sizes = sizes_, strides = strides_;
  strides.insert(d, d < this->dim() ? sizes_[d] * strides_[d] : 1);
  sizes.insert(d, 1);
  return with(sizes, strides, byte_offset_);
}

Tensor Tensor::squeeze(int64_t dim) const {
  int d = normalize_dim("squeeze", dim, this->dim());
  if (this->dim() == 0 || sizes_[d] != 1) return *this;
  Dims sizes = sizes_, strides = strides_;
  sizes.erase(d);
  strides.erase(d);
  return with(sizes, strides, byte_offset_);
}

Tensor Tensor::expand(const Dims& wanted) const {
  Dims sizes = wanted;
  int extra = sizes.size() - dim();
  if (extra < 0) fail_argument("expand", "sizes", cat("at least ", dim(), " dimensions"), cat(wanted));
  for (int i = 0; i < sizes.size(); i++) {
    if (sizes[i] == -1 && i >= extra) sizes[i] = sizes_[i - extra];
    if (sizes[i] < 0 || (i >= extra && sizes_[i - extra] != 1 && sizes_[i - extra] != sizes[i]))
      fail_argument("expand", "sizes", cat("a shape that ", sizes_, " broadcasts to"), cat(wanted));
  }
  return with(sizes, broadcast_strides(sizes_, strides_, sizes), byte_offset_);
}

Tensor Tensor::as_strided(const Dims& sizes, const Dims& strides, int64_t byte_offset) const {
  return with(sizes, strides, byte_offset);
}

Tensor Tensor::view_dtype(DType dtype) const {
  if (itemsize(dtype) != itemsize(dtype_))
    fail_argument("view_dtype", "dtype", cat("one of ", itemsize(dtype_), " bytes"), cat(dtype));
  return Tensor(storage_, byte_offset_, sizes_, strides_, dtype);
}

Tensor Tensor::detach() const {
  Tensor t = *this;
  t.autograd_.reset();
  return t;
}

Tensor empty(const Dims& sizes, DType dtype, Device device) {
  int64_t n = numel(sizes, "empty");
  if (n > INT64_MAX / int64_t(itemsize(dtype))) fail_argument("empty", "sizes", "fewer than 2^63 bytes", cat(sizes));
  if (dtype == DType::kF64 && !device.is_cpu())
    fail(ErrorKind::kUnsupported, "tensor", cat("f64 on ", device, ": it lives on the cpu only"));
  return Tensor(Storage::allocate(size_t(n) * itemsize(dtype), device), 0, sizes, contiguous_strides(sizes), dtype);
}
Tensor empty_like(const Tensor& x) { return empty(x.sizes(), x.dtype(), x.device()); }

Tensor zeros(const Dims& sizes, DType dtype, Device device) {
  Tensor t = empty(sizes, dtype, device);
  if (dtype == DType::kF8E8M0 && t.numel()) fail(ErrorKind::kArgument, "zeros", "f8e8m0 holds powers of two, no zero");
  if (!device.is_cpu()) {
    gpu::stream(device).fill(t, 0);
  } else if (t.numel()) {
    memset(t.raw_data(), 0, size_t(t.nbytes()));
  }
  return t;
}

namespace {

// Error if an integer dtype cannot hold the value.
template <class T>
T element_of(double value) {
  if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
    // 2^digits is exact in double, the largest integer itself need not be.
    double limit = std::ldexp(1.0, std::numeric_limits<T>::digits), whole = std::trunc(value);
    if (!(whole >= (std::is_signed_v<T> ? -limit : 0.0) && whole < limit))
      fail_argument("full", "value", cat("a number that ", dtype_of<T>, " holds"), cat(value));
    return static_cast<T>(value);
  } else if constexpr (std::is_arithmetic_v<T>) {
    return static_cast<T>(value);
  } else {
    return T(static_cast<float>(value));
  }
}

}  // namespace

Tensor full(const Dims& sizes, double value, DType dtype, Device device) {
  Tensor t = empty(sizes, dtype, device);
  visit_dtype(dtype, [&](auto zero) {
    using T = decltype(zero);
    T v = element_of<T>(value);
    if (device.is_cpu()) {
      std::fill_n(static_cast<T*>(t.raw_data()), t.numel(), v);
    } else {
      gpu::fill_pattern(t, &v);
    }
  });
  return t;
}

Tensor tensor_from_bytes(const void* data, const Dims& sizes, DType dtype, Device device) {
  Tensor t = empty(sizes, dtype, device);
  if (!device.is_cpu()) {
    gpu::stream(device).upload(data, t);
  } else if (t.numel()) {
    memcpy(t.raw_data(), data, size_t(t.nbytes()));
  }
  return t;
}

void fail_tensor_of(size_t count, const Dims& sizes) {
  fail_argument("tensor_of", "values", cat(numel(sizes), " for sizes ", sizes), cat(count));
}

Tensor from_memory(void* data, const Dims& sizes, DType dtype, std::shared_ptr<void> owner, bool read_only) {
  size_t bytes = size_t(numel(sizes, "from_memory")) * itemsize(dtype);
  return Tensor(Storage::borrow(data, bytes, std::move(owner), kCpu, read_only), 0, sizes, contiguous_strides(sizes),
                dtype);
}

}  // namespace ingot
