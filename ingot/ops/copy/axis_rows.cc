#include "ingot/ops/copy/axis_rows.h"

namespace ingot {

namespace {

template <class T>
void gather_rows(char* const* rows, int64_t count, int64_t length, int64_t stride, void* buffer) {
  T* out = static_cast<T*>(buffer);
  for (int64_t i = 0; i < length; i++)
    for (int64_t r = 0; r < count; r++) out[r * length + i] = reinterpret_cast<const T*>(rows[r])[i * stride];
}
template <class T>
void scatter_rows(char* const* rows, int64_t count, int64_t length, int64_t stride, const void* buffer) {
  const T* in = static_cast<const T*>(buffer);
  for (int64_t i = 0; i < length; i++)
    for (int64_t r = 0; r < count; r++) reinterpret_cast<T*>(rows[r])[i * stride] = in[r * length + i];
}

}  // namespace

AxisRows::AxisRows(const Tensor& t, int dim)
    : base_(static_cast<char*>(t.raw_data())), item_(int64_t(itemsize(t.dtype()))), length_(1), stride_(1) {
  Dims sizes = t.sizes(), strides = t.strides();
  if (t.dim() > 0) {
    length_ = sizes[dim];
    stride_ = strides[dim];
    sizes.erase(dim);
    strides.erase(dim);
  }
  rows_ = numel(sizes);
  others_ = make_strided_loop(sizes, {strides}, /*keep_order=*/true);
}

char* AxisRows::row(int64_t r) const {
  int64_t offset = 0;
  for (int d = others_.sizes.size() - 1; d > 0; d--) {
    offset += r % others_.sizes[d] * others_.strides[0][d];
    r /= others_.sizes[d];
  }
  return base_ + (offset + r * others_.strides[0][0]) * item_;
}

void AxisRows::gather(int64_t first, int64_t count, void* buffer) const {
  char* out = static_cast<char*>(buffer);
  for (int64_t done = 0; done < count; done += kRowGroup) {
    char* rows[kRowGroup];
    int64_t group = count - done < kRowGroup ? count - done : kRowGroup;
    for (int64_t i = 0; i < group; i++) rows[i] = row(first + done + i);
    void* to = out + done * length_ * item_;
    switch (item_) {
      case 1:
        gather_rows<uint8_t>(rows, group, length_, stride_, to);
        break;
      case 2:
        gather_rows<uint16_t>(rows, group, length_, stride_, to);
        break;
      case 4:
        gather_rows<uint32_t>(rows, group, length_, stride_, to);
        break;
      default:
        gather_rows<uint64_t>(rows, group, length_, stride_, to);
    }
  }
}

void AxisRows::scatter(int64_t first, int64_t count, const void* buffer) const {
  const char* in = static_cast<const char*>(buffer);
  for (int64_t done = 0; done < count; done += kRowGroup) {
    char* rows[kRowGroup];
    int64_t group = count - done < kRowGroup ? count - done : kRowGroup;
    for (int64_t i = 0; i < group; i++) rows[i] = row(first + done + i);
    const void* from = in + done * length_ * item_;
    switch (item_) {
      case 1:
        scatter_rows<uint8_t>(rows, group, length_, stride_, from);
        break;
      case 2:
        scatter_rows<uint16_t>(rows, group, length_, stride_, from);
        break;
      case 4:
        scatter_rows<uint32_t>(rows, group, length_, stride_, from);
        break;
      default:
        scatter_rows<uint64_t>(rows, group, length_, stride_, from);
    }
  }
}

}  // namespace ingot
