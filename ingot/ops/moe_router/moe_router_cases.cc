#include <algorithm>
#include <cmath>
#include <numeric>

#include "ingot/ops/moe_router/moe_router.h"
#include "ingot/ops/op_table.h"

namespace ingot {

namespace {

// Inputs: logits [T, E] and perhaps bias [E].
std::vector<Tensor> call(const std::vector<Tensor>& in, const OpArgs& args) {
  RouterScore score = args.get_string("score", "softmax") == "sigmoid" ? RouterScore::kSigmoid : RouterScore::kSoftmax;
  Routing r = moe_router(in.at(0), args.get_int("top_k"), score, in.size() > 1 ? in[1] : Tensor(),
                         args.get_bool("renormalise", true), args.get_double("renorm_epsilon", 0.0),
                         args.get_double("scale", 1.0));
  return {r.ids, r.weights};
}

std::vector<Tensor> reference(const std::vector<Tensor>& in, const OpArgs& args) {
  int64_t tokens = in[0].size(0), experts = in[0].size(1), k = args.get_int("top_k");
  bool sigmoid = args.get_string("score", "softmax") == "sigmoid";
  Tensor ids = empty({tokens, k}, DType::kI32), weights = empty({tokens, k}, DType::kF64);
  for (int64_t t = 0; t < tokens; t++) {
    const double* l = in[0].data<double>() + t * experts;
    std::vector<double> s(l, l + experts);
    double top = *std::max_element(s.begin(), s.end()), total = 0;
    for (double& v : s) total += v = sigmoid ? 1 / (1 + std::exp(-v)) : std::exp(v - top);
    if (!sigmoid)
      for (double& v : s) v /= total;
    std::vector<int32_t> order(static_cast<size_t>(experts));
    std::iota(order.begin(), order.end(), 0);
    auto key = [&](int32_t e) { return s[size_t(e)] + (in.size() > 1 ? in[1].data<double>()[e] : 0); };
    std::stable_sort(order.begin(), order.end(), [&](int32_t a, int32_t b) { return key(a) > key(b); });
    double sum = args.get_double("renorm_epsilon", 0.0);
    for (int64_t i = 0; i < k; i++) sum += s[size_t(order[size_t(i)])];
    for (int64_t i = 0; i < k; i++) {
      ids.data<int32_t>()[t * k + i] = order[size_t(i)];
      double w = s[size_t(order[size_t(i)])] * args.get_double("scale", 1.0);
      weights.data<double>()[t * k + i] = args.get_bool("renormalise", true) ? w / sum : w;
    }
  }
  return {ids, weights};
}

}  // namespace

void register_moe_router(OpTable& table) {
  std::vector<OpCase> cases;
  for (const char* score : {"softmax", "sigmoid"})
    for (bool renormalise : {true, false}) {
      OpArgs args{{"top_k", int64_t{4}},
                  {"score", std::string(score)},
                  {"renormalise", renormalise},
                  {"renorm_epsilon", 1e-6},
                  {"scale", 2.5}};
      cases.push_back({{{{7, 32}}}, args, 2});
      cases.push_back({{{{7, 32}}, {{32}}}, args, 2});
      cases.push_back({{{{3, 128}, Fill::kTies}}, args, 2});
    }
  cases.push_back({{{{1, 1}}}, {{"top_k", int64_t{1}}}, 2});
  cases.push_back({{{{0, 8}}}, {{"top_k", int64_t{2}}}, 2});
  cases.push_back({{{{5, 8}}}, {{"top_k", int64_t{8}}}, 2});
  cases.push_back({{{{2, 256}}}, {{"top_k", int64_t{8}}}, 2});
  cases.push_back({{{{5, 70}, Fill::kTies}}, {{"top_k", int64_t{70}}}, 2});
  table.add({"moe_router",
             {"top_k", "score", "renormalise", "renorm_epsilon", "scale"},
             call,
             reference,
             {DType::kF32},
             cases,
             true});
}

}  // namespace ingot
