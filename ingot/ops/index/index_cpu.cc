#include "ingot/ops/index/index_cpu.h"

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "ingot/base/error.h"
#include "ingot/device/cpu/thread_pool.h"

namespace ingot {

namespace {

int64_t read_index(const Tensor& index, int64_t offset) {
  return index.dtype() == DType::kI64 ? static_cast<const int64_t*>(index.raw_data())[offset]
                                      : static_cast<const int32_t*>(index.raw_data())[offset];
}

[[noreturn]] void outside(const char* op, int64_t index, int axis, int64_t size) {
  fail(ErrorKind::kIndex, op, cat("index ", index, " is outside axis ", axis, " of size ", size));
}

int64_t checked(const char* op, int64_t index, int axis, int64_t size) {
  if (index >= size || index < -size) outside(op, index, axis, size);
  return index < 0 ? index + size : index;
}

// Offset of flat position `at` (row-major in `sizes`) under `strides`.
int64_t offset_of(int64_t at, const Dims& sizes, const Dims& strides) {
  int64_t offset = 0;
  for (int d = sizes.size() - 1; d >= 0; d--) {
    offset += at % sizes[d] * strides[d];
    at /= sizes[d];
  }
  return offset;
}

// Copies one element of 1, 2, 4 or 8 bytes.
void copy_element(char* to, const char* from, int64_t item) {
  switch (item) {
    case 1:
      *to = *from;
      return;
    case 2:
      memcpy(to, from, 2);
      return;
    case 4:
      memcpy(to, from, 4);
      return;
    default:
      memcpy(to, from, 8);
  }
}

struct Around {  // an axis with what lies before and after it
  int64_t outer = 1, length = 1, inner = 1;
  Around(const Dims& sizes, int dim) {
    for (int d = 0; d < dim; d++) outer *= sizes[d];
    if (dim < sizes.size()) length = sizes[dim];
    for (int d = dim + 1; d < sizes.size(); d++) inner *= sizes[d];
  }
};

Dims without(Dims d, int axis) {
  if (axis < d.size()) d.erase(axis);
  return d;
}

// Number types as they are added: integers wrap.
template <class T>
T sum(T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    using U = std::make_unsigned_t<T>;
    return static_cast<T>(static_cast<U>(static_cast<U>(a) + static_cast<U>(b)));
  } else {
    return a + b;
  }
}
template <class T>
T product(T a, double alpha) {
  if constexpr (std::is_integral_v<T>) {
    using U = std::make_unsigned_t<T>;
    return static_cast<T>(
        static_cast<U>(static_cast<uint64_t>(static_cast<U>(a)) * static_cast<uint64_t>(static_cast<int64_t>(alpha))));
  } else {
    return a * static_cast<T>(alpha);
  }
}

template <class T>
void add_at(const char* op, const Tensor& y, int dim, const Tensor& index, bool shared, const Tensor& src,
            double alpha) {
  // Columns, which are all places but along dim, are independent: each thread takes some, and walks the axis in order.
  const Dims& shape = shared ? src.sizes() : index.sizes();
  Dims sizes = without(shape, dim), src_strides = without(src.strides(), dim), y_strides = without(y.strides(), dim),
       index_strides;
  int64_t length = dim < shape.size() ? shape[dim] : 1, columns = numel(sizes), limit = y.dim() ? y.sizes()[dim] : 1;
  int64_t src_step = src.dim() ? src.strides()[dim] : 0, y_step = y.dim() ? y.strides()[dim] : 0, index_step = 0;
  if (shared) {
    index_step = index.dim() ? index.strides()[0] : 0;
    index_strides = Dims::filled(sizes.size(), 0);
  } else {
    index_step = index.dim() ? index.strides()[dim] : 0;
    index_strides = without(index.strides(), dim);
  }
  // All indices first, so that an error leaves no half-done sum behind.
  for (int64_t c = 0; c < (shared ? std::min<int64_t>(columns, 1) : columns); c++) {
    int64_t base = offset_of(c, sizes, index_strides);
    for (int64_t i = 0; i < length; i++) checked(op, read_index(index, base + i * index_step), dim, limit);
  }
  T* to = static_cast<T*>(y.raw_data());
  const T* from = static_cast<const T*>(src.raw_data());
  constexpr int64_t kTile = 64;  // columns walked together, so that rows of a matrix are read in runs
  parallel_for(
      (columns + kTile - 1) / kTile, std::max<int64_t>(1, 16384 / (kTile * std::max<int64_t>(length, 1))),
      [&](int64_t begin, int64_t end) {
        for (int64_t tile = begin; tile < end; tile++) {
          int64_t at_y[kTile], at_src[kTile], at_index[kTile], n = std::min(kTile, columns - tile * kTile);
          for (int64_t c = 0; c < n; c++) {
            at_y[c] = offset_of(tile * kTile + c, sizes, y_strides);
            at_src[c] = offset_of(tile * kTile + c, sizes, src_strides);
            at_index[c] = offset_of(tile * kTile + c, sizes, index_strides);
          }
          for (int64_t i = 0; i < length; i++)
            for (int64_t c = 0; c < n; c++) {
              T& sink = to[at_y[c] + checked(op, read_index(index, at_index[c] + i * index_step), dim, limit) * y_step];
              sink = sum(sink,
                         alpha == 1 ? from[at_src[c] + i * src_step] : product(from[at_src[c] + i * src_step], alpha));
            }
        }
      });
}

}  // namespace

void embedding_cpu(const Tensor& indices, const Tensor& weight, const Tensor& y) {
  int64_t rows = weight.size(0), width = weight.size(1), item = static_cast<int64_t>(itemsize(weight.dtype())),
          n = indices.numel();
  int64_t row_step = weight.stride(0) * item, step = weight.stride(1) * item;
  const char* table = static_cast<const char*>(weight.raw_data());
  char* to = static_cast<char*>(y.raw_data());
  parallel_for(n, std::max<int64_t>(1, 65536 / (width * item + 1)), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; i++) {
      int64_t index = read_index(indices, offset_of(i, indices.sizes(), indices.strides()));
      if (index < 0 || index >= rows) outside("embedding", index, 0, rows);
      const char* row = table + index * row_step;
      char* out = to + i * width * item;
      if (step == item) {
        memcpy(out, row, size_t(width * item));
      } else {
        for (int64_t j = 0; j < width; j++) copy_element(out + j * item, row + j * step, item);
      }
    }
  });
}

void gather_cpu(const Tensor& x, int dim, const Tensor& index, const Tensor& y) {
  int64_t item = static_cast<int64_t>(itemsize(x.dtype())), limit = x.dim() ? x.sizes()[dim] : 1,
          step = x.dim() ? x.strides()[dim] : 0;
  Dims others = x.strides();
  if (x.dim()) others[dim] = 0;
  const char* from = static_cast<const char*>(x.raw_data());
  char* to = static_cast<char*>(y.raw_data());
  parallel_for(index.numel(), 16384, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; i++) {
      int64_t at = checked("gather", read_index(index, offset_of(i, index.sizes(), index.strides())), dim, limit);
      copy_element(to + i * item, from + (offset_of(i, index.sizes(), others) + at * step) * item, item);
    }
  });
}

void index_select_cpu(const Tensor& x, int dim, const Tensor& index, const Tensor& y) {
  Around a(x.sizes(), dim);
  int64_t item = static_cast<int64_t>(itemsize(x.dtype())), n = index.numel(),
          index_step = index.dim() ? index.strides()[0] : 0;
  int64_t step = x.dim() ? x.strides()[dim] : 0;
  Dims inner_sizes, inner_strides, outer_sizes, outer_strides;
  for (int d = 0; d < x.dim(); d++) {
    if (d == dim) continue;
    (d < dim ? outer_sizes : inner_sizes).push_back(x.sizes()[d]);
    (d < dim ? outer_strides : inner_strides).push_back(x.strides()[d]);
  }
  bool dense = inner_strides == contiguous_strides(inner_sizes);
  const char* from = static_cast<const char*>(x.raw_data());
  char* to = static_cast<char*>(y.raw_data());
  parallel_for(a.outer * n, std::max<int64_t>(1, 65536 / (a.inner * item)), [&](int64_t begin, int64_t end) {
    for (int64_t r = begin; r < end; r++) {
      int64_t at = checked("index_select", read_index(index, r % n * index_step), dim, a.length);
      const char* row = from + (offset_of(r / n, outer_sizes, outer_strides) + at * step) * item;
      char* out = to + r * a.inner * item;
      if (dense) {
        memcpy(out, row, size_t(a.inner * item));
      } else {
        for (int64_t i = 0; i < a.inner; i++)
          copy_element(out + i * item, row + offset_of(i, inner_sizes, inner_strides) * item, item);
      }
    }
  });
}

void add_at_cpu(const char* op, const Tensor& y, int dim, const Tensor& index, bool shared, const Tensor& src,
                double alpha) {
  switch (y.dtype()) {
    case DType::kF32:
      return add_at<float>(op, y, dim, index, shared, src, alpha);
    case DType::kF64:
      return add_at<double>(op, y, dim, index, shared, src, alpha);
    case DType::kU8:
      return add_at<uint8_t>(op, y, dim, index, shared, src, alpha);
    case DType::kI8:
      return add_at<int8_t>(op, y, dim, index, shared, src, alpha);
    case DType::kI16:
      return add_at<int16_t>(op, y, dim, index, shared, src, alpha);
    case DType::kI32:
      return add_at<int32_t>(op, y, dim, index, shared, src, alpha);
    default:
      return add_at<int64_t>(op, y, dim, index, shared, src, alpha);
  }
}

}  // namespace ingot
