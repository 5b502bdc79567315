#include "ingot/ops/causal_conv1d/causal_conv1d.h"
#include "ingot/ops/copy/copy.h"
#include "ingot/ops/op_table.h"

namespace ingot {

namespace {

// Inputs: x [T, C], weight [C, K], state [K - 1, C] f32, and perhaps bias [C]. Outputs: y and the state afterwards.
std::vector<Tensor> call(const std::vector<Tensor>& in, const OpArgs&) {
  Tensor state = clone(in.at(2));
  return {causal_conv1d(in[0], in.at(1), in.size() > 3 ? in[3] : Tensor(), state), state};
}

std::vector<Tensor> reference(const std::vector<Tensor>& in, const OpArgs&) {
  int64_t tokens = in[0].size(0), channels = in[0].size(1), k = in[1].size(1);
  auto p = [&](int64_t t, int64_t c) {
    return t < 0 ? in[2].data<double>()[(t + k - 1) * channels + c] : in[0].data<double>()[t * channels + c];
  };
  Tensor y = zeros({tokens, channels}, DType::kF64), state = zeros({k - 1, channels}, DType::kF64);
  for (int64_t c = 0; c < channels; c++) {
    for (int64_t t = 0; t < tokens; t++) {
      double sum = in.size() > 3 ? in[3].data<double>()[c] : 0;
      for (int64_t j = 0; j < k; j++) sum += in[1].data<double>()[c * k + j] * p(t - k + 1 + j, c);
      y.data<double>()[t * channels + c] = sum;
    }
    for (int64_t i = 0; i < k - 1; i++) state.data<double>()[i * channels + c] = p(tokens - k + 1 + i, c);
  }
  return {y, state};
}

}  // namespace

void register_causal_conv1d(OpTable& table) {
  std::vector<OpCase> cases;
  for (const Dims& s :
       {Dims{1, 8, 3}, Dims{2, 17, 3}, Dims{40, 33, 4}, Dims{5, 6, 1}, Dims{3, 1, 7}, Dims{600, 70, 3}}) {
    InputSpec state{{s[2] - 1, s[1]}, Fill::kNormal, DType::kF32};
    cases.push_back({{{{s[0], s[1]}}, {{s[1], s[2]}}, state}, {}, 2});
    cases.push_back({{{{s[0], s[1]}}, {{s[1], s[2]}}, state, {{s[1]}}}, {}, 2});
  }
  table.add({"causal_conv1d", {}, call, reference, {DType::kF32, DType::kF16, DType::kBF16}, cases, true});
}

}  // namespace ingot
