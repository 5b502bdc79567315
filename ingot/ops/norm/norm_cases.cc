#include <cmath>

#include "ingot/ops/norm/norm.h"
#include "ingot/ops/op_table.h"

namespace ingot {

namespace {

Tensor input_or_none(const std::vector<Tensor>& in, size_t i) { return i < in.size() ? in[i] : Tensor(); }

Dims shape_argument(const OpArgs& args) { return Dims(std::span<const int64_t>(args.get_ints("normalized_shape"))); }

// Row by row in double, from the definition.
Tensor reference_norm(const Tensor& x, int64_t n, bool centred, const Tensor& weight, const Tensor& bias, double eps) {
  std::vector<double> v = to_doubles(x), w, b;
  if (weight.defined()) w = to_doubles(weight);
  if (bias.defined()) b = to_doubles(bias);
  for (size_t row = 0; n > 0 && row < v.size(); row += size_t(n)) {
    double mean = 0, square = 0;
    for (size_t i = 0; centred && i < size_t(n); i++) mean += v[row + i] / double(n);
    for (size_t i = 0; i < size_t(n); i++) square += std::pow(v[row + i] - mean, 2) / double(n);
    for (size_t i = 0; i < size_t(n); i++) {
      double& e = v[row + i];
      e = (e - mean) / std::sqrt(square + eps);
      if (!w.empty()) e *= w[i];
      if (!b.empty()) e += b[i];
    }
  }
  return tensor_of(v, x.sizes());
}

const std::vector<DType> kFloats = {DType::kF32, DType::kF16, DType::kBF16, DType::kF64};

OpEntry rms_norm_entry() {
  OpEntry e;
  e.name = "rms_norm";
  e.arguments = {"normalized_shape", "eps"};
  e.call = [](const std::vector<Tensor>& in, const OpArgs& args) -> std::vector<Tensor> {
    std::optional<double> eps;
    if (args.has("eps")) eps = args.get_double("eps");
    return {rms_norm(in.at(0), shape_argument(args), input_or_none(in, 1), eps)};
  };
  e.reference = [](const std::vector<Tensor>& in, const OpArgs& args) -> std::vector<Tensor> {
    return {
        reference_norm(in[0], numel(shape_argument(args)), false, input_or_none(in, 1), {}, args.get_double("eps"))};
  };
  e.dtypes = kFloats;
  using Ints = std::vector<int64_t>;
  e.cases = {
      {{{{4, 3, 35}}, {{35}}}, {{"normalized_shape", Ints{35}}, {"eps", 1e-6}}},
      {{{{5, 64}}, {{64}, Fill::kNormal, DType::kF32}}, {{"normalized_shape", Ints{64}}, {"eps", 1e-6}}},
      {{{{5, 64}}, {{64}, Fill::kNormal, DType::kBF16}}, {{"normalized_shape", Ints{64}}, {"eps", 1e-5}}},
      {{{{3, 2, 5, 7}}, {{5, 7}}}, {{"normalized_shape", Ints{5, 7}}, {"eps", 1e-6}}},
      {{{{1, 1}}}, {{"normalized_shape", Ints{1}}, {"eps", 1e-6}}},
      {{{{2, 1023}}}, {{"normalized_shape", Ints{1023}}, {"eps", 1e-6}}},
      {{{{2, 1024}}}, {{"normalized_shape", Ints{1024}}, {"eps", 1e-6}}},
      {{{{2, 1025}}}, {{"normalized_shape", Ints{1025}}, {"eps", 1e-6}}},
      {{{{2, 2048}}, {{2048}}}, {{"normalized_shape", Ints{2048}}, {"eps", 1e-6}}},
      {{{{2, 4097}}}, {{"normalized_shape", Ints{4097}}, {"eps", 1e-6}}},
      {{{{40, 1500}}, {{1500}}}, {{"normalized_shape", Ints{1500}}, {"eps", 1e-6}}},
      {{{{30, 9}, Fill::kSpecial}}, {{"normalized_shape", Ints{9}}, {"eps", 1e-6}}},
      {{{{0, 5}}}, {{"normalized_shape", Ints{5}}, {"eps", 1e-6}}},
      {{{{3, 0}}}, {{"normalized_shape", Ints{0}}, {"eps", 1e-6}}},
  };
  return e;
}

OpEntry layer_norm_entry() {
  OpEntry e;
  e.name = "layer_norm";
  e.arguments = {"normalized_shape", "eps"};
  e.call = [](const std::vector<Tensor>& in, const OpArgs& args) -> std::vector<Tensor> {
    return {layer_norm(in.at(0), shape_argument(args), input_or_none(in, 1), input_or_none(in, 2),
                       args.get_double("eps", 1e-5))};
  };
  e.reference = [](const std::vector<Tensor>& in, const OpArgs& args) -> std::vector<Tensor> {
    return {reference_norm(in[0], numel(shape_argument(args)), true, input_or_none(in, 1), input_or_none(in, 2),
                           args.get_double("eps", 1e-5))};
  };
  e.dtypes = kFloats;
  using Ints = std::vector<int64_t>;
  e.cases = {
      {{{{4, 3, 35}}, {{35}}, {{35}}}, {{"normalized_shape", Ints{35}}, {"eps", 1e-5}}},
      {{{{4, 64}}, {{64}, Fill::kNormal, DType::kF32}, {{64}, Fill::kNormal, DType::kF32}},
       {{"normalized_shape", Ints{64}}}},
      {{{{4, 64}}, {{64}, Fill::kNormal, DType::kF32}, {{64}, Fill::kNormal, DType::kBF16}},
       {{"normalized_shape", Ints{64}}}},
      {{{{2, 6, 5, 3}}, {{5, 3}}}, {{"normalized_shape", Ints{5, 3}}}},
      {{{{2, 1, 1025}}}, {{"normalized_shape", Ints{1025}}}},
      {{{{2, 5000}}, {{5000}}, {{5000}}}, {{"normalized_shape", Ints{5000}}}},
      {{{{3, 1}}, {{1}}, {{1}}}, {{"normalized_shape", Ints{1}}}},
      {{{{40, 7}, Fill::kSpecial}}, {{"normalized_shape", Ints{7}}}, 4},
      {{{{0, 5}}, {{5}}, {{5}}}, {{"normalized_shape", Ints{5}}}},
  };
  return e;
}

OpEntry rms_norm_add_entry() {
  OpEntry e;
  e.name = "rms_norm_add";
  e.arguments = {"eps"};
  e.call = [](const std::vector<Tensor>& in, const OpArgs& args) -> std::vector<Tensor> {
    auto pair = rms_norm_add(in.at(0), in.at(1), input_or_none(in, 2), args.get_double("eps"));
    return {pair.first, pair.second};
  };
  e.reference = [](const std::vector<Tensor>& in, const OpArgs& args) -> std::vector<Tensor> {
    std::vector<double> a = to_doubles(in[0]), b = to_doubles(in[1]);
    for (size_t i = 0; i < a.size(); i++) a[i] += b[i];
    Tensor sum = tensor_of(a, in[0].sizes());
    return {sum, reference_norm(sum, sum.size(-1), false, input_or_none(in, 2), {}, args.get_double("eps"))};
  };
  e.dtypes = kFloats;
  e.cases = {
      {{{{3, 35}}, {{3, 35}}, {{35}}}, {{"eps", 1e-6}}, 2},
      {{{{2, 4, 2048}}, {{2, 4, 2048}}, {{2048}, Fill::kNormal, DType::kBF16}}, {{"eps", 1e-5}}, 2},
      {{{{0, 4}}, {{0, 4}}, {{4}}}, {{"eps", 1e-5}}},
  };
  return e;
}

}  // namespace

void register_norm(OpTable& table) {
  table.add(rms_norm_entry());
  table.add(layer_norm_entry());
  table.add(rms_norm_add_entry());
}

}  // namespace ingot
