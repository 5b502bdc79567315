#include "ingot/ops/linear/linear.h"
#include "ingot/ops/op_table.h"

namespace ingot {

namespace {

std::vector<Tensor> reference(const std::vector<Tensor>& in, const OpArgs&) {
  const Tensor &x = in[0], &w = in[1];
  int64_t k = w.size(1), n = w.size(0), rows = 1;
  Dims sizes = x.sizes();
  for (int i = 0; i + 1 < x.dim(); i++) rows *= sizes[i];
  sizes[sizes.size() - 1] = n;
  Tensor y = zeros(sizes, DType::kF64);
  for (int64_t i = 0; i < rows; i++)
    for (int64_t j = 0; j < n; j++) {
      double sum = in.size() > 2 ? in[2].data<double>()[j] : 0;
      for (int64_t l = 0; l < k; l++) sum += x.data<double>()[i * k + l] * w.data<double>()[j * k + l];
      y.data<double>()[i * n + j] = sum;
    }
  return {y};
}

}  // namespace

void register_linear(OpTable& table) {
  std::vector<OpCase> cases;
  for (int64_t m : {0, 1, 2, 16, 17, 33, 65}) {
    cases.push_back({{{{m, 64}}, {{33, 64}}}, {}, 4});
    cases.push_back({{{{m, 37}}, {{5, 37}}, {{5}}}, {}, 4});
  }
  cases.push_back({{{{2, 3, 32}}, {{16, 32}}, {{16}}}, {}, 4});
  cases.push_back({{{{96}}, {{8, 96}}}, {}, 4});
  cases.push_back({{{{3, 0}}, {{4, 0}}, {{4}}}, {}, 4});
  table.add({"linear",
             {},
             [](const auto& in, const OpArgs&) {
               return std::vector<Tensor>{linear(in.at(0), in.at(1), in.size() > 2 ? in[2] : Tensor())};
             },
             reference,
             {DType::kF32, DType::kF16, DType::kBF16, DType::kF64},
             cases,
             true,
             [](const auto& in, const auto& out, const OpArgs&) {
               return Cost{double(in[0].nbytes() + in[1].nbytes() + out[0].nbytes()),
                           2.0 * double(out[0].numel()) * double(in[1].size(1))};
             }});
}

}  // namespace ingot
