#include "ingot/ops/causal_conv1d/causal_conv1d.h"

#include <algorithm>
#include <vector>

#include "ingot/base/error.h"
#include "ingot/device/cpu/thread_pool.h"
#include "ingot/ops/causal_conv1d/causal_conv1d_gpu.h"
#include "ingot/ops/copy/copy.h"
#include "ingot/ops/op_devices.h"
#include "ingot/tensor/stream.h"

namespace ingot {

namespace {

// taps [K, C]: a tap's weights lie side by side, so the inner loop runs over channels.
void run(const Tensor& x, const Tensor& taps, const Tensor& bias, const Tensor& state, const Tensor& y) {
  int64_t tokens = x.size(0), channels = x.size(1), k = taps.size(0), history = k - 1;
  const float *in = x.data<float>(), *w = taps.data<float>();
  float *past = state.data<float>(), *out = y.data<float>();
  auto row = [&](int64_t t) { return t < 0 ? past + (history + t) * channels : in + t * channels; };
  parallel_for(tokens, std::max<int64_t>(1, 32768 / (channels * k + 1)), [&](int64_t begin, int64_t end) {
    for (int64_t t = begin; t < end; t++) {
      float* o = out + t * channels;
      std::fill_n(o, channels, 0.0f);
      for (int64_t j = 0; j < k; j++) {
        const float *p = row(t - history + j), *wj = w + j * channels;
        for (int64_t c = 0; c < channels; c++) o[c] += wj[c] * p[c];
      }
      if (bias.defined())
        for (int64_t c = 0; c < channels; c++) o[c] += bias.data<float>()[c];
    }
  });
  if (history == 0) return;
  std::vector<float> next;
  for (int64_t t = tokens - history; t < tokens; t++) next.insert(next.end(), row(t), row(t) + channels);
  std::copy(next.begin(), next.end(), past);
}

}  // namespace

Tensor causal_conv1d(const Tensor& x, const Tensor& weight, const Tensor& bias, const Tensor& state) {
  if (x.dim() != 2 || !is_floating(x.dtype()) || is_float8(x.dtype()) || x.dtype() == DType::kF64)
    fail_argument("causal_conv1d", "x", "[T, C] f32, f16 or bf16", cat(x.sizes(), " of ", x.dtype()));
  int64_t channels = x.size(1);
  if (weight.dim() != 2 || weight.size(0) != channels || weight.size(1) < 1)
    fail_argument("causal_conv1d", "weight", cat("[", channels, ", K], K >= 1"), cat(weight.sizes()));
  if (bias.defined() && bias.sizes() != Dims{channels})
    fail_argument("causal_conv1d", "bias", cat("[", channels, "]"), cat(bias.sizes()));
  Dims want{weight.size(1) - 1, channels};
  if (state.sizes() != want || state.dtype() != DType::kF32 || !state.is_contiguous())
    fail_argument("causal_conv1d", "state", cat("contiguous ", want, " f32"),
                  cat(state.sizes(), " of ", state.dtype()));
  check_one_device("causal_conv1d", {&x, &weight, &bias, &state});
  Tensor dense = contiguous(to(x, DType::kF32)), taps = contiguous(to(weight, DType::kF32).t());
  Tensor b = bias.defined() ? contiguous(to(bias, DType::kF32)) : bias;
  Tensor y = empty(x.sizes(), DType::kF32, x.device());
  if (y.numel() > 0 && x.device().is_cpu())
    cpu_stream().run("causal_conv1d", {dense, taps, b}, {y, state}, [=] { run(dense, taps, b, state, y); });
  if (y.numel() > 0 && !x.device().is_cpu()) causal_conv1d_gpu(dense, taps, b, state, y);
  return to(y, x.dtype());
}

}  // namespace ingot
