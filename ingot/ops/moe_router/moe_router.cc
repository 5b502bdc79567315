#include "ingot/ops/moe_router/moe_router.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "ingot/base/error.h"
#include "ingot/device/cpu/thread_pool.h"
#include "ingot/ops/copy/copy.h"
#include "ingot/ops/moe_router/route_params.h"
#include "ingot/ops/op_devices.h"
#include "ingot/ops/pointwise/pointwise.h"
#include "ingot/ops/softmax/softmax.h"
#include "ingot/tensor/gpu_stream.h"
#include "ingot/tensor/stream.h"

namespace ingot {

namespace {

// a goes before b in the order of choice.
bool better(float a, float b) { return std::isnan(a) ? !std::isnan(b) : a > b; }

void route_row(const float* scores, const float* bias, const RouteParams& p, float* keys, int32_t* ids,
               float* weights) {
  for (int64_t e = 0; e < p.experts; e++) keys[e] = bias ? scores[e] + bias[e] : scores[e];
  // Insertion into the k best so far; equal keys stay behind the earlier expert.
  int64_t held = 0;
  for (int64_t e = 0; e < p.experts; e++) {
    if (held == p.top_k && !better(keys[e], keys[ids[held - 1]])) continue;
    int64_t at = held < p.top_k ? held++ : held - 1;
    for (; at > 0 && better(keys[e], keys[ids[at - 1]]); at--) ids[at] = ids[at - 1];
    ids[at] = static_cast<int32_t>(e);
  }
  float sum = 0;
  for (int64_t s = 0; s < p.top_k; s++) sum += weights[s] = scores[ids[s]];
  float factor = p.renormalise ? p.scale / (sum + p.epsilon) : p.scale;
  for (int64_t s = 0; s < p.top_k; s++) weights[s] *= factor;
}

void route_cpu(const Tensor& scores, const Tensor& bias, const RouteParams& p, const Routing& r) {
  const int64_t experts = p.experts, top_k = p.top_k;
  parallel_for(p.tokens, std::max<int64_t>(1, 8192 / experts), [&](int64_t begin, int64_t end) {
    std::vector<float> keys(static_cast<size_t>(experts));
    for (int64_t t = begin; t < end; t++)
      route_row(scores.data<float>() + t * experts, bias.defined() ? bias.data<float>() : nullptr, p, keys.data(),
                r.ids.data<int32_t>() + t * top_k, r.weights.data<float>() + t * top_k);
  });
}

void route_gpu(const Tensor& scores, const Tensor& bias, const RouteParams& p, const Routing& r) {
  constexpr int64_t kTokensOfAGroup = 4;
  gpu::stream(scores.device())
      .launch("moe_router", {}, {{0, double(bias.defined())}},
              {uint32_t((p.tokens + kTokensOfAGroup - 1) / kTokensOfAGroup)}, {32 * kTokensOfAGroup}, scores, r.ids,
              r.weights, p, bias);
}

}  // namespace

Routing moe_router(const Tensor& logits, int64_t top_k, RouterScore score, const Tensor& bias, bool renormalise,
                   double renorm_epsilon, double scale) {
  check_one_device("moe_router", {&logits, &bias});
  if (logits.dim() != 2 || logits.dtype() != DType::kF32)
    fail_argument("moe_router", "logits", "[T, E] f32", cat(logits.sizes(), " of ", logits.dtype()));
  int64_t tokens = logits.size(0), experts = logits.size(1);
  if (top_k < 1 || top_k > experts)
    fail_argument("moe_router", "top_k", cat("in [1, ", experts, "], the number of experts"), cat(top_k));
  if (bias.defined() && (bias.sizes() != Dims{experts} || bias.dtype() != DType::kF32))
    fail_argument("moe_router", "bias", cat("[", experts, "] f32"), cat(bias.sizes(), " of ", bias.dtype()));
  Tensor dense = contiguous(logits), b = bias.defined() ? contiguous(bias) : bias;
  Tensor scores = score == RouterScore::kSoftmax ? softmax(dense, -1) : sigmoid(dense);
  Routing r{empty({tokens, top_k}, DType::kI32, logits.device()), empty({tokens, top_k}, DType::kF32, logits.device())};
  RouteParams p{tokens, int(experts), int(top_k), renormalise, float(renorm_epsilon), float(scale), 0};
  if (!logits.device().is_cpu()) {
    route_gpu(scores, b, p, r);
  } else {
    cpu_stream().run("moe_router", {scores, b}, {r.ids, r.weights}, [=] { route_cpu(scores, b, p, r); });
  }
  return r;
}

}  // namespace ingot
