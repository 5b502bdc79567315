#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "ingot/base/error.h"
#include "ingot/ops/pad/pad_params.h"
#include "ingot/ops/pad/pad_plan.h"
#include "ingot/tensor/gpu_stream.h"

namespace ingot {

static_assert(int(PadMode::kReflect) == 1 && int(PadMode::kReplicate) == 2 && int(PadMode::kCircular) == 3);

namespace {

// Of `k` neighbouring elements make one, if rows, edges and places in memory allow it.
bool widen(std::vector<PadAxis>& axes, PadMode mode, int64_t k) {
  PadAxis inner = axes.back();
  const bool padded = inner.before != 0 || inner.in != inner.out;
  if ((padded && mode != PadMode::kConstant) || inner.stride != 1) return false;
  if (inner.in % k || inner.out % k || inner.before % k) return false;
  for (size_t d = 0; d + 1 < axes.size(); d++)
    if (axes[d].stride % k) return false;
  for (PadAxis& axis : axes) axis.stride /= k;
  axes.back() = {inner.in / k, inner.out / k, inner.before / k, 1};
  return true;
}

bool fits_int32(const std::vector<PadAxis>& axes, int64_t count) {
  __int128 reach = 0;
  for (const PadAxis& a : axes) {
    if (std::max(a.in, a.out) + std::abs(a.before) > INT32_MAX / 2) return false;
    reach += static_cast<__int128>(std::abs(a.stride)) * std::max<int64_t>(a.in - 1, 0);
  }
  return reach <= INT32_MAX && count <= INT32_MAX;
}

}  // namespace

void pad_gpu(const Tensor& x, const std::vector<PadAxis>& axes_of_x, PadMode mode, const void* fill, const Tensor& y) {
  if (y.numel() == 0) return;
  std::vector<PadAxis> axes = axes_of_x;
  auto item = static_cast<int64_t>(itemsize(x.dtype()));
  PadParams p{};
  for (int64_t at = 0; at < 16; at += item) memcpy(reinterpret_cast<char*>(p.fill) + at, fill, size_t(item));
  for (int64_t wide : {16, 8, 4}) {
    if (wide <= item || x.byte_offset() % wide || !widen(axes, mode, wide / item)) continue;
    item = wide;
    break;
  }
  const PadAxis& inner = axes.back();
  const int64_t pack = item < 4 && inner.out % (4 / item) == 0 ? 4 / item : 1;
  p.rank = int(axes.size());
  p.rows = 1;
  for (size_t d = 0; d < axes.size(); d++) {
    p.in[d] = axes[d].in;
    p.out[d] = axes[d].out;
    p.before[d] = axes[d].before;
    p.stride[d] = axes[d].stride;
    if (d + 1 < axes.size()) p.rows *= axes[d].out;
  }
  p.row = inner.out / pack;
  // A few words a lane, so that their reads overlap.
  constexpr int64_t kWordsOfALane = 8;
  for (p.lanes = 1; p.lanes < 32 && p.lanes < p.row;) p.lanes *= 2;
  p.piece = p.lanes * kWordsOfALane;
  p.pieces = (p.row + p.piece - 1) / p.piece;
  const int64_t threads = p.rows * p.pieces * p.lanes, groups = (threads + 255) / 256;
  if (groups > INT32_MAX) fail(ErrorKind::kArgument, "pad", cat("a result of sizes ", y.sizes(), " is too large"));
  const DType index = fits_int32(axes, std::max(p.rows * inner.out, groups * 256)) ? DType::kI32 : DType::kI64;
  gpu::stream(y.device())
      .launch(cat("pad_rows_", item), {index}, {{0, double(int(mode))}, {1, double(pack)}}, {uint32_t(groups)}, {256},
              x, y, p);
}

}  // namespace ingot
