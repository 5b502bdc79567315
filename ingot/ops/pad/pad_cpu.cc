// Row by row of the result: what lies in x is copied in one piece, the edges element by element.
#include <algorithm>
#include <cstring>

#include "ingot/device/cpu/thread_pool.h"
#include "ingot/ops/pad/pad_plan.h"

namespace ingot {

namespace {

constexpr int64_t kGrainBytes = 128 << 10;  // below which another thread costs more than it saves

template <class T>
void pad_row(const T* x, const PadAxis& axis, PadMode mode, T fill, T* y) {
  const int64_t begin = std::clamp<int64_t>(axis.before, 0, axis.out),
                end = std::clamp<int64_t>(axis.before + axis.in, begin, axis.out);
  auto edge = [&](int64_t from, int64_t to) {
    if (mode == PadMode::kConstant) return (void)std::fill(y + from, y + to, fill);
    for (int64_t o = from; o < to; o++) y[o] = x[pad_source(mode, o - axis.before, axis.in) * axis.stride];
  };
  edge(0, begin);
  const T* middle = x + (begin - axis.before) * axis.stride;
  if (axis.stride == 1) {
    std::copy_n(middle, end - begin, y + begin);
  } else {
    for (int64_t i = 0; i < end - begin; i++) y[begin + i] = middle[i * axis.stride];
  }
  edge(end, axis.out);
}

template <class T>
void pad_rows(const T* x, const std::vector<PadAxis>& axes, PadMode mode, T fill, T* y) {
  const PadAxis& inner = axes.back();
  int64_t rows = 1;
  for (size_t d = 0; d + 1 < axes.size(); d++) rows *= axes[d].out;
  const int64_t grain = std::max<int64_t>(1, kGrainBytes / (inner.out * int64_t(sizeof(T)) + 1));
  parallel_for(rows, grain, [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; row++) {
      int64_t rest = row, offset = 0;
      bool inside = true;
      for (size_t d = axes.size() - 1; d-- > 0;) {
        const int64_t o = rest % axes[d].out, i = pad_source(mode, o - axes[d].before, axes[d].in);
        rest /= axes[d].out;
        inside = inside && i >= 0;
        offset += i * axes[d].stride;
      }
      T* out = y + row * inner.out;
      inside ? pad_row(x + offset, inner, mode, fill, out) : (void)std::fill_n(out, inner.out, fill);
    }
  });
}

template <class T>
void pad_as(const Tensor& x, const std::vector<PadAxis>& axes, PadMode mode, const void* fill, const Tensor& y) {
  T value;
  memcpy(&value, fill, sizeof(T));
  pad_rows(static_cast<const T*>(x.raw_data()), axes, mode, value, static_cast<T*>(y.raw_data()));
}

}  // namespace

void pad_cpu(const Tensor& x, const std::vector<PadAxis>& axes, PadMode mode, const void* fill, const Tensor& y) {
  if (y.numel() == 0) return;
  switch (itemsize(x.dtype())) {
    case 1:
      return pad_as<uint8_t>(x, axes, mode, fill, y);
    case 2:
      return pad_as<uint16_t>(x, axes, mode, fill, y);
    case 4:
      return pad_as<uint32_t>(x, axes, mode, fill, y);
    default:
      return pad_as<uint64_t>(x, axes, mode, fill, y);
  }
}

}  // namespace ingot
