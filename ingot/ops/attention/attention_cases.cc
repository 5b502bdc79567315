#include <algorithm>
#include <cmath>

#include "ingot/base/error.h"
#include "ingot/ops/attention/attention.h"
#include "ingot/ops/op_table.h"

namespace ingot {

namespace {

CausalMode causal_mode(const OpArgs& args) {
  bool top = args.get_bool("is_causal", false), bottom = args.get_bool("causal_bottom_right", false);
  if (top && bottom) fail_argument("sdpa", "is_causal", "not together with causal_bottom_right", "both");
  return top ? CausalMode::kTopLeft : bottom ? CausalMode::kBottomRight : CausalMode::kNone;
}

std::optional<double> scale_of(const OpArgs& args) {
  if (!args.has("scale")) return {};
  return args.get_double("scale");
}

std::vector<Tensor> call(const std::vector<Tensor>& in, const OpArgs& args) {
  return {scaled_dot_product_attention(in.at(0), in.at(1), in.at(2), in.size() > 3 ? in[3] : Tensor(),
                                       causal_mode(args), scale_of(args), args.get_bool("enable_gqa", false))};
}

// From the definition, all scores of a row held.
std::vector<Tensor> reference(const std::vector<Tensor>& in, const OpArgs& args) {
  const Tensor &q = in[0], &k = in[1], &v = in[2];
  size_t length = size_t(q.size(-2)), keys = size_t(k.size(-2)), dk = size_t(q.size(-1)), dv = size_t(v.size(-1));
  size_t q_heads = 1, k_heads = 1;
  for (int d = 0; d < q.dim() - 2; d++) {
    q_heads *= size_t(q.sizes()[d]);
    k_heads *= size_t(k.sizes()[d]);
  }
  Dims sizes = q.sizes(), score_sizes = q.sizes();
  sizes[q.dim() - 1] = int64_t(dv);
  score_sizes[q.dim() - 1] = int64_t(keys);
  std::vector<double> a = to_doubles(q), b = to_doubles(k), c = to_doubles(v), y(size_t(numel(sizes)), 0.0), mask;
  bool boolean = in.size() > 3 && in[3].dtype() == DType::kBool;
  if (in.size() > 3) mask = to_doubles(in[3].expand(score_sizes));
  double scale = scale_of(args).value_or(1 / std::sqrt(double(dk)));
  CausalMode mode = causal_mode(args);
  for (size_t h = 0; h < q_heads; h++)
    for (size_t i = 0; i < length; i++) {
      size_t group = h * k_heads / q_heads;
      std::vector<double> score(keys, 0.0);
      std::vector<bool> seen(keys, true);
      double largest = -INFINITY;
      for (size_t j = 0; j < keys; j++) {
        if (mode == CausalMode::kTopLeft && j > i) seen[j] = false;
        if (mode == CausalMode::kBottomRight && j + length > i + keys) seen[j] = false;
        for (size_t d = 0; d < dk; d++) score[j] += a[(h * length + i) * dk + d] * b[(group * keys + j) * dk + d];
        score[j] *= scale;
        if (!mask.empty()) {
          double m = mask[(h * length + i) * keys + j];
          if (boolean ? m == 0 : m == -INFINITY) seen[j] = false;
          if (!boolean) score[j] += m;
        }
        if (seen[j]) largest = std::max(largest, score[j]);
      }
      double sum = 0;
      for (size_t j = 0; j < keys; j++)
        if (seen[j]) sum += std::exp(score[j] - largest);
      for (size_t j = 0; j < keys; j++)
        for (size_t d = 0; d < dv && seen[j]; d++)
          y[(h * length + i) * dv + d] += std::exp(score[j] - largest) / sum * c[(group * keys + j) * dv + d];
    }
  return {tensor_of(y, sizes)};
}

}  // namespace

void register_attention(OpTable& table) {
  OpEntry e;
  e.name = "sdpa";
  e.arguments = {"is_causal", "causal_bottom_right", "scale", "enable_gqa"};
  e.call = call;
  e.reference = reference;
  e.dtypes = {DType::kF32, DType::kF16, DType::kBF16, DType::kF64};
  e.cost = [](const std::vector<Tensor>& in, const std::vector<Tensor>& out, const OpArgs& args) {
    double scores = double(in[0].numel()) / double(std::max<int64_t>(1, in[0].size(-1))) * double(in[1].size(-2));
    Cost c{0,
           2 * scores * double(in[0].size(-1) + in[2].size(-1)) * (causal_mode(args) == CausalMode::kNone ? 1 : 0.5)};
    for (const Tensor& t : in) c.bytes += double(t.nbytes());
    c.bytes += double(out[0].nbytes());
    return c;
  };
  OpArgs gqa{{"enable_gqa", true}}, top{{"is_causal", true}}, bottom{{"causal_bottom_right", true}};
  OpArgs scaled{{"is_causal", true}, {"scale", 0.3}}, gqa_bottom{{"causal_bottom_right", true}, {"enable_gqa", true}};
  InputSpec bool_mask{{7, 11}, Fill::kIndex, DType::kBool, 0, 2},
      row_mask{{2, 1, 1, 150}, Fill::kIndex, DType::kBool, 0, 2};
  e.cases = {
      {{{{2, 4, 7, 16}}, {{2, 2, 11, 16}}, {{2, 2, 11, 16}}}, gqa},
      {{{{1, 4, 11, 8}}, {{1, 4, 11, 8}}, {{1, 4, 11, 8}}}, scaled},
      {{{{1, 2, 4}}, {{1, 4, 4}}, {{1, 4, 4}}}, top},
      {{{{1, 2, 4}}, {{1, 4, 4}}, {{1, 4, 4}}}, bottom},
      {{{{1, 1, 4}}, {{1, 16, 4}}, {{1, 16, 4}}}, top},
      {{{{1, 1, 4}}, {{1, 16, 4}}, {{1, 16, 4}}}, bottom},
      {{{{1, 5, 4}}, {{1, 2, 4}}, {{1, 2, 4}}}, bottom},
      {{{{7, 5}}, {{11, 5}}, {{11, 3}}}},
      {{{{2, 7, 20}}, {{2, 11, 20}}, {{2, 11, 33}}, bool_mask}},
      {{{{2, 3, 7, 16}}, {{2, 3, 11, 16}}, {{2, 3, 11, 16}}, {{2, 1, 7, 11}}}, top},
      {{{{2, 3, 7, 16}}, {{2, 3, 11, 16}}, {{2, 3, 11, 16}}, {{7, 1}, Fill::kNormal, DType::kF32}}},
      {{{{2, 4, 9, 64}}, {{2, 2, 150, 64}}, {{2, 2, 150, 64}}, row_mask}, gqa},
      {{{{1, 9, 20, 64}}, {{1, 3, 130, 64}}, {{1, 3, 130, 64}}}, gqa_bottom},
      {{{{1, 4, 1, 128}}, {{1, 1, 1200, 128}}, {{1, 1, 1200, 128}}}, gqa},
      {{{{1, 1, 20, 40}}, {{1, 1, 600, 40}}, {{1, 1, 600, 40}}}, bottom},
      {{{{0, 2, 3, 4}}, {{0, 2, 3, 4}}, {{0, 2, 3, 4}}}},
      {{{{1, 2, 0, 4}}, {{1, 2, 3, 4}}, {{1, 2, 3, 4}}}},
      {{{{1, 2, 3, 4}}, {{1, 2, 0, 4}}, {{1, 2, 0, 4}}}},
      {{{{1, 2, 3, 4}}, {{1, 2, 3, 4}}, {{1, 2, 3, 0}}}},
  };
  table.add(std::move(e));
}

}  // namespace ingot
