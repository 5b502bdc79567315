#include "ingot/ops/linear/weight.h"

#include "ingot/base/error.h"
#include "ingot/ops/copy/copy.h"

namespace ingot {

WeightRows Weight::view() const {
  if (!device().is_cpu()) fail(ErrorKind::kUnsupported, "weight", cat("on device ", device(), ", not on the cpu"));
  return {format,      bytes.raw_data(),        rows,
          cols,        row_bytes(format, cols), scales.defined() ? scales.data<float>() : nullptr,
          scale_layout};
}

Weight Weight::row_range(int64_t begin, int64_t count) const {
  if (begin < 0 || count < 0 || begin > rows - count)
    fail_argument("weight", "row range", cat("inside [0, ", rows, ")"), cat("[", begin, ", ", begin + count, ")"));
  Weight w = *this;
  w.rows = count;
  w.bytes = bytes.narrow(0, begin * row_bytes(format, cols), count * row_bytes(format, cols));
  if (scale_layout == ScaleLayout::kRow) w.scales = scales.narrow(0, begin, count);
  if (scale_layout == ScaleLayout::kBlock128) {
    if (begin % 128 != 0) fail_argument("weight", "first row", "a multiple of the 128-row scale block", cat(begin));
    w.scales = scales.narrow(0, begin / 128, (count + 127) / 128);
  }
  return w;
}

void Weight::dequantize_row(int64_t row, float* out) const {
  if (!device().is_cpu()) fail(ErrorKind::kUnsupported, "weight", cat("on device ", device(), ", not on the cpu"));
  ingot::dequantize_row(format, bytes.data<uint8_t>() + row * row_bytes(format, cols), out, cols);
  if (scale_layout == ScaleLayout::kNone) return;
  const float* s = scales.data<float>();
  if (scale_layout == ScaleLayout::kBlock128) {
    const float* block = s + row / 128 * ((cols + 127) / 128);
    for (int64_t k = 0; k < cols; k++) out[k] *= block[k / 128];
  } else {
    float scale = s[scale_layout == ScaleLayout::kRow ? row : 0];
    for (int64_t k = 0; k < cols; k++) out[k] *= scale;
  }
}

Weight Weight::to(Device device) const {
  Weight w = *this;
  w.bytes = ingot::to(bytes, device);
  if (scales.defined()) w.scales = ingot::to(scales, device);
  return w;
}

Weight weight_from(const Tensor& t, const Tensor& scales, ScaleLayout layout) {
  if (!t.defined() || t.dim() != 2)
    fail_argument("weight", "tensor", "2 dimensions", t.defined() ? cat(t.sizes()) : "no tensor");
  std::optional<WeightFormat> format = is_floating(t.dtype()) ? weight_format_of(t.dtype()) : std::nullopt;
  if (!format) fail_argument("weight", "dtype", "a floating type", cat(t.dtype()));
  Tensor c = contiguous(t);
  Weight w;
  w.format = *format;
  w.rows = c.size(0);
  w.cols = c.size(1);
  w.bytes = Tensor(c.storage(), c.byte_offset(), {c.nbytes()}, {1}, DType::kU8);
  if (layout != ScaleLayout::kNone) {
    int64_t want = layout == ScaleLayout::kTensor ? 1
                   : layout == ScaleLayout::kRow  ? w.rows
                                                  : (w.rows + 127) / 128 * ((w.cols + 127) / 128);
    if (!scales.defined() || scales.dtype() != DType::kF32 || scales.numel() != want)
      fail_argument("weight", "scales", cat(want, " f32 values"),
                    scales.defined() ? cat(scales.numel(), " of ", scales.dtype()) : "none");
    w.scales = contiguous(scales);
    if (layout == ScaleLayout::kBlock128) w.scales = w.scales.view({(w.rows + 127) / 128, (w.cols + 127) / 128});
    if (layout == ScaleLayout::kRow) w.scales = w.scales.view({w.rows});
    w.scale_layout = layout;
  }
  return w;
}

}  // namespace ingot
