#include "ingot/ops/pad/pad.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "ingot/base/error.h"
#include "ingot/ops/pad/pad_plan.h"
#include "ingot/tensor/stream.h"

namespace ingot {

namespace {

constexpr const char* kNames[] = {"constant", "reflect", "replicate", "circular"};

// Whether axes a and b, b the inner one, can be walked as one of a.in * b.in elements.
bool can_join(const PadAxis& a, const PadAxis& b, PadMode mode) {
  if (b.before != 0 || b.in != b.out) return false;
  const bool a_is_whole = a.before == 0 && a.in == a.out;
  // Where a is padded, its absent part is a run of b's too, which only a constant fills.
  return (a_is_whole || mode == PadMode::kConstant) && a.stride == b.stride * b.in;
}

void check_axis(int axis, int64_t in, int64_t before, int64_t after, PadMode mode) {
  auto counts = [&] { return cat(before, " and ", after, " on axis ", axis, " of size ", in); };
  int64_t out;
  if (__builtin_add_overflow(in, before, &out) || __builtin_add_overflow(out, after, &out) || out < 0)
    fail_argument("pad", "counts", "no size below 0", counts());
  const int64_t most = std::max(before, after);
  if (most <= 0 || mode == PadMode::kConstant) return;
  if (mode == PadMode::kReflect && most >= in) fail_argument("pad", "counts of reflect", "below the size", counts());
  if (mode == PadMode::kCircular && most > in) fail_argument("pad", "counts of circular", "at most the size", counts());
  if (in == 0) fail_argument("pad", "x", cat("elements to ", kNames[int(mode)]), counts());
}

}  // namespace

PadMode pad_mode_from_name(std::string_view name) {
  for (size_t i = 0; i < std::size(kNames); i++)
    if (name == kNames[i]) return PadMode(i);
  fail_argument("pad", "mode", "constant, reflect, replicate or circular", quoted(name));
}

std::vector<PadAxis> pad_axes(const Tensor& x, const std::vector<int64_t>& pad, PadMode mode) {
  const auto rank = static_cast<size_t>(x.dim());
  if (pad.size() % 2 != 0 || pad.size() / 2 > rank)
    fail_argument("pad", "pad", cat("two counts for each of at most ", rank, " axes"), cat(pad.size(), " counts"));
  std::vector<PadAxis> axes;
  for (size_t d = 0; d < rank; d++) {
    const size_t from_end = rank - 1 - d;
    const bool given = 2 * from_end < pad.size();
    const int64_t in = x.sizes()[int(d)], before = given ? pad[2 * from_end] : 0,
                  after = given ? pad[2 * from_end + 1] : 0;
    check_axis(int(d), in, before, after, mode);
    PadAxis axis{in, in + before + after, before, x.strides()[int(d)]};
    if (!axes.empty() && can_join(axes.back(), axis, mode)) {
      const PadAxis& a = axes.back();
      axes.back() = {a.in * axis.in, a.out * axis.in, a.before * axis.in, axis.stride};
    } else {
      axes.push_back(axis);
    }
  }
  if (axes.empty()) axes.push_back({1, 1, 0, 1});
  return axes;
}

Tensor pad(const Tensor& x, const std::vector<int64_t>& pad, PadMode mode, double value) {
  if (!x.defined()) fail(ErrorKind::kArgument, "pad", "undefined tensor");
  std::vector<PadAxis> axes = pad_axes(x, pad, mode);
  Dims sizes = x.sizes();
  for (size_t i = 0; i < pad.size(); i++) sizes[x.dim() - 1 - int(i / 2)] += pad[i];
  Tensor y = empty(sizes, x.dtype(), x.device());
  std::array<char, 8> fill{};
  Tensor one = full({1}, mode == PadMode::kConstant ? value : 0, x.dtype());
  memcpy(fill.data(), one.raw_data(), itemsize(x.dtype()));
  if (!x.device().is_cpu()) {
    pad_gpu(x, axes, mode, fill.data(), y);
  } else {
    cpu_stream().run("pad", {x}, {y}, [=] { pad_cpu(x, axes, mode, fill.data(), y); });
  }
  return y;
}

}  // namespace ingot
