#include "ingot/models/weight_source.h"

#include <algorithm>

#include "ingot/base/error.h"
#include "ingot/io/tensor_io.h"
#include "ingot/ops/copy/copy.h"

namespace ingot {

namespace {

// Bytes of a file as a tensor that keeps the file mapped.
Tensor mapped(const std::byte* data, int64_t bytes, const std::shared_ptr<const void>& owner) {
  return from_memory(const_cast<std::byte*>(data), {bytes}, DType::kU8, std::const_pointer_cast<void>(owner), true);
}

[[noreturn]] void wrong_shape(const std::string& label, const std::string& name, const Dims& expected,
                              std::span<const int64_t> found) {
  fail(ErrorKind::kFormat, label, cat("tensor ", ingot::quoted(name), ": expected shape ", expected, ", got ", found));
}

bool same(std::span<const int64_t> a, const Dims& b) {
  return a.size() == size_t(b.size()) && std::equal(a.begin(), a.end(), b.begin());
}

class SafetensorsSource : public WeightSource {
 public:
  explicit SafetensorsSource(SafetensorsFolder folder) : folder_(std::move(folder)) {}

  bool has(const std::string& name) const override { return folder_.find(name) != nullptr; }

  Weight matrix(const std::string& name, int64_t rows, int64_t cols) override {
    const SafetensorsTensor& t = folder_.get(name);
    if (!same(t.shape, {rows, cols})) wrong_shape(folder_.path(), name, {rows, cols}, t.shape);
    return weight(name, t, t.data, rows, cols);
  }

  std::vector<Weight> stacked(const std::string& name, int64_t count, int64_t rows, int64_t cols) override {
    const SafetensorsTensor& t = folder_.get(name);
    if (!same(t.shape, {count, rows, cols})) wrong_shape(folder_.path(), name, {count, rows, cols}, t.shape);
    if (is_float8(t.require_dtype()))
      fail(ErrorKind::kUnsupported, folder_.path(),
           cat("tensor ", ingot::quoted(name), ": stacked FP8 experts are not read yet"));
    std::vector<Weight> out;
    int64_t bytes = rows * cols * int64_t(itemsize(t.require_dtype()));
    for (int64_t i = 0; i < count; i++) out.push_back(weight(name, t, t.data + i * bytes, rows, cols));
    return out;
  }

  Tensor floats(const std::string& name, const Dims& sizes) override {
    Tensor raw = load_tensor(folder_, name);
    if (raw.numel() != numel(sizes)) wrong_shape(folder_.path(), name, sizes, raw.sizes());
    return clone(to(raw, DType::kF32)).view(sizes);
  }

 private:
  Weight weight(const std::string& name, const SafetensorsTensor& t, const std::byte* data, int64_t rows,
                int64_t cols) const {
    std::optional<WeightFormat> format = weight_format_of(t.require_dtype());
    if (!format || !is_floating(t.require_dtype()))
      fail(ErrorKind::kUnsupported, folder_.path(),
           cat("tensor ", ingot::quoted(name), ": a weight of dtype ", t.require_dtype()));
    Weight w;
    w.format = *format;
    w.rows = rows;
    w.cols = cols;
    w.bytes = mapped(data, rows * row_bytes(w.format, cols), folder_.file_of(name).owner());
    if (is_float8(t.require_dtype())) add_scales(name, w);
    return w;
  }

  // The companion's number of values says what it is for: one, one a row, or one for each 128x128 block.
  void add_scales(const std::string& name, Weight& w) const {
    for (const char* suffix : {"_scale_inv", "_scale"}) {
      if (!folder_.find(name + suffix)) continue;
      Tensor s = clone(to(load_tensor(folder_, name + suffix), DType::kF32));
      int64_t blocks = (w.rows + 127) / 128 * ((w.cols + 127) / 128);
      if (s.numel() == 1) {
        w.scale_layout = ScaleLayout::kTensor;
        w.scales = s.view({1});
      } else if (s.dim() == 2 && s.size(0) == (w.rows + 127) / 128 && s.numel() == blocks && s.size(1) > 0) {
        w.scale_layout = ScaleLayout::kBlock128;
        w.scales = s;
      } else if (s.numel() == w.rows) {
        w.scale_layout = ScaleLayout::kRow;
        w.scales = s.view({w.rows});
      } else {
        fail(ErrorKind::kFormat, folder_.path(),
             cat("tensor ", ingot::quoted(name + suffix), ": ", s.sizes(), " fits neither a tensor, the ", w.rows,
                 " rows nor the ", blocks, " blocks of 128x128 of ", ingot::quoted(name)));
      }
      return;
    }
    fail(ErrorKind::kFormat, folder_.path(),
         cat("FP8 tensor ", ingot::quoted(name), " has no scale beside it (looked for ",
             ingot::quoted(name + "_scale_inv"), " and ", ingot::quoted(name + "_scale"), ")"));
  }

  SafetensorsFolder folder_;
};

class GgufSource : public WeightSource {
 public:
  GgufSource(GgufFile file, GgufNames names) : file_(std::move(file)), names_(std::move(names)) {}

  bool has(const std::string& name) const override { return file_.find_tensor(translate(name)) != nullptr; }

  Weight matrix(const std::string& name, int64_t rows, int64_t cols) override {
    const GgufTensor& t = file_.get_tensor(translate(name));
    if (!same(t.shape, {rows, cols})) wrong_shape(file_.label(), t.name, {rows, cols}, t.shape);
    return weight(t, t.data, rows, cols);
  }

  std::vector<Weight> stacked(const std::string& name, int64_t count, int64_t rows, int64_t cols) override {
    const GgufTensor& t = file_.get_tensor(translate(name));
    if (!same(t.shape, {count, rows, cols})) wrong_shape(file_.label(), t.name, {count, rows, cols}, t.shape);
    std::vector<Weight> out;
    for (int64_t i = 0; i < count; i++)
      out.push_back(weight(t, t.data + i * rows * row_bytes(t.require_format(), cols), rows, cols));
    return out;
  }

  Tensor floats(const std::string& name, const Dims& sizes) override {
    const GgufTensor& t = file_.get_tensor(translate(name));
    int64_t n = 1;
    for (int64_t s : t.shape) n *= s;
    if (n != numel(sizes)) wrong_shape(file_.label(), t.name, sizes, t.shape);
    Tensor out = empty(sizes, DType::kF32);
    dequantize_row(t.require_format(), t.data, out.data<float>(), n);
    return out;
  }

 private:
  std::string translate(const std::string& name) const {
    for (const auto& [pattern, gguf] : names_) {
      size_t hole = pattern.find("{}");
      if (hole == std::string::npos) {
        if (name == pattern) return gguf;
        continue;
      }
      std::string_view before = std::string_view(pattern).substr(0, hole),
                       after = std::string_view(pattern).substr(hole + 2);
      if (name.size() <= before.size() + after.size() || !name.starts_with(before) || !name.ends_with(after)) continue;
      std::string number = name.substr(before.size(), name.size() - before.size() - after.size());
      if (number.find_first_not_of("0123456789") != std::string::npos) continue;
      std::string out = gguf;
      return out.replace(out.find("{}"), 2, number);
    }
    return name;
  }

  Weight weight(const GgufTensor& t, const std::byte* data, int64_t rows, int64_t cols) const {
    Weight w;
    w.format = t.require_format();
    w.rows = rows;
    w.cols = cols;
    w.bytes = mapped(data, rows * row_bytes(w.format, cols), file_.owner());
    return w;
  }

  GgufFile file_;
  GgufNames names_;
};

}  // namespace

std::unique_ptr<WeightSource> safetensors_source(SafetensorsFolder folder) {
  return std::make_unique<SafetensorsSource>(std::move(folder));
}
std::unique_ptr<WeightSource> gguf_source(GgufFile file, GgufNames names) {
  return std::make_unique<GgufSource>(std::move(file), std::move(names));
}

}  // namespace ingot
