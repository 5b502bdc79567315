#include "ingot/ops/causal_conv1d/causal_conv1d_gpu.h"

#include "ingot/tensor/gpu_stream.h"

namespace ingot {

namespace {
struct CausalConvParams {  // causal_conv1d.metal
  int64_t tokens, channels, taps;
};
gpu::Size groups_for(int64_t threads) { return {uint32_t((threads + 255) / 256)}; }
}  // namespace

void causal_conv1d_gpu(const Tensor& x, const Tensor& taps, const Tensor& bias, const Tensor& state, const Tensor& y) {
  gpu::Stream& stream = gpu::stream(x.device());
  CausalConvParams p{x.size(0), x.size(1), taps.size(0)};
  const gpu::Constant has_bias{0, double(bias.defined())};
  stream.launch("causal_conv1d", {}, {has_bias}, groups_for(y.numel()), {256}, x, taps, bias, state, y, p);
  if (p.taps > 1) stream.launch("causal_conv1d_state", {}, {has_bias}, groups_for(p.channels), {256}, x, state, p);
}

}  // namespace ingot
