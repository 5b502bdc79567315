#include <cmath>

#include "ingot/ops/copy/copy.h"
#include "ingot/ops/moe/moe.h"
#include "ingot/ops/op_devices.h"
#include "ingot/ops/op_table.h"

namespace ingot {

namespace {

// Inputs: x [T, H], ids [T, k], weights [T, k], gate [E, M, H], up [E, M, H], down [E, H, M].
std::vector<Tensor> call(const std::vector<Tensor>& in, const OpArgs&) {
  need_cpu("moe_experts", in.at(0));  // before weights are made, which is done there only
  Experts experts;
  for (int64_t e = 0; e < in.at(3).size(0); e++) {
    experts.gate.push_back(weight_from(in[3].select(0, e)));
    experts.up.push_back(weight_from(in.at(4).select(0, e)));
    experts.down.push_back(weight_from(in.at(5).select(0, e)));
  }
  return {moe_experts(in[0], in[1], in[2], experts)};
}

std::vector<Tensor> reference(const std::vector<Tensor>& in, const OpArgs&) {
  int64_t tokens = in[0].size(0), hidden = in[0].size(1), slots = in[1].size(1), width = in[3].size(1);
  Tensor y = zeros({tokens, hidden}, DType::kF64);
  auto dot = [](const double* a, const double* b, int64_t n) {
    double s = 0;
    for (int64_t i = 0; i < n; i++) s += a[i] * b[i];
    return s;
  };
  for (int64_t t = 0; t < tokens; t++)
    for (int64_t s = 0; s < slots; s++) {
      int64_t e = in[1].data<int32_t>()[t * slots + s];
      const double* x = in[0].data<double>() + t * hidden;
      std::vector<double> act;
      for (int64_t i = 0; i < width; i++) {
        double g = dot(in[3].data<double>() + (e * width + i) * hidden, x, hidden),
               u = dot(in[4].data<double>() + (e * width + i) * hidden, x, hidden);
        act.push_back(g / (1 + std::exp(-g)) * u);
      }
      for (int64_t h = 0; h < hidden; h++)
        y.data<double>()[t * hidden + h] += in[2].data<double>()[t * slots + s] *
                                            dot(in[5].data<double>() + (e * hidden + h) * width, act.data(), width);
    }
  return {y};
}

}  // namespace

void register_moe(OpTable& table) {
  std::vector<OpCase> cases;
  // Tokens, hidden, slots, experts, width. Few experts and many tokens: repeated experts within a token and long
  // segments; many experts: empty ones.
  for (const Dims& s : {Dims{1, 32, 2, 4, 16}, Dims{0, 32, 2, 4, 16}, Dims{5, 33, 3, 3, 17}, Dims{40, 16, 2, 2, 32},
                        Dims{3, 16, 0, 2, 8}, Dims{7, 16, 4, 64, 8}})
    cases.push_back({{{{s[0], s[1]}},
                      {{s[0], s[2]}, Fill::kIndex, DType::kI32, 0, double(s[3])},
                      {{s[0], s[2]}, Fill::kUniform},
                      {{s[3], s[4], s[1]}},
                      {{s[3], s[4], s[1]}},
                      {{s[3], s[1], s[4]}}},
                     {},
                     10});
  OpEntry entry{"moe_experts", {}, nullptr, reference, {DType::kF32}, cases, true};
  // The operator itself wants dense x, ids and weights; the table's layouts are packed first.
  entry.call = [](const std::vector<Tensor>& in, const OpArgs& args) {
    std::vector<Tensor> packed;
    for (const Tensor& t : in) packed.push_back(contiguous(t));
    return call(packed, args);
  };
  table.add(std::move(entry));
}

}  // namespace ingot
