#include "ingot/ops/matmul/matmul.h"
#include "ingot/ops/op_table.h"

namespace ingot {

namespace {

// Three loops over f64, [B, M, K] x [B, K, N].
Tensor reference_bmm(const Tensor& a, const Tensor& b) {
  int64_t batch = a.size(0), m = a.size(1), k = a.size(2), n = b.size(2);
  Tensor y = zeros({batch, m, n}, DType::kF64);
  for (int64_t z = 0; z < batch; z++)
    for (int64_t i = 0; i < m; i++)
      for (int64_t j = 0; j < n; j++)
        for (int64_t l = 0; l < k; l++)
          y.data<double>()[(z * m + i) * n + j] +=
              a.data<double>()[(z * m + i) * k + l] * b.data<double>()[(z * k + l) * n + j];
  return y;
}
Tensor reference_mm(const Tensor& a, const Tensor& b) {
  return reference_bmm(a.unsqueeze(0), b.unsqueeze(0)).squeeze(0);
}

std::vector<Tensor> reference_addmm(const std::vector<Tensor>& in, const OpArgs& args) {
  Tensor y = reference_mm(in[1], in[2]), c = in[0].expand(y.sizes());
  std::vector<double> add = to_doubles(c);
  double beta = args.get_double("beta", 1.0), alpha = args.get_double("alpha", 1.0);
  for (int64_t i = 0; i < y.numel(); i++)
    y.data<double>()[i] = (beta == 0 ? 0 : beta * add[size_t(i)]) + alpha * y.data<double>()[i];
  return {y};
}

Cost mm_cost(const std::vector<Tensor>& in, const std::vector<Tensor>& out, const OpArgs&) {
  const Tensor &a = in[in.size() - 2], &b = in.back();
  return {double(a.nbytes() + b.nbytes() + out[0].nbytes()), 2.0 * double(out[0].numel()) * double(a.size(-1))};
}

}  // namespace

void register_matmul(OpTable& table) {
  const std::vector<DType> dtypes = {DType::kF32, DType::kF16, DType::kBF16, DType::kF64};
  std::vector<OpCase> two, three, add;
  for (const Dims& s : {Dims{1, 1, 1}, Dims{3, 0, 5}, Dims{0, 4, 5}, Dims{4, 5, 0}, Dims{1, 64, 33}, Dims{16, 17, 31},
                        Dims{17, 96, 65}, Dims{40, 130, 7}, Dims{65, 33, 129}}) {
    two.push_back({{{{s[0], s[1]}}, {{s[1], s[2]}}}, {}, 4});
    three.push_back({{{{2, s[0], s[1]}}, {{2, s[1], s[2]}}}, {}, 4});
    add.push_back({{{{s[2]}}, {{s[0], s[1]}}, {{s[1], s[2]}}}, {{"beta", 0.5}, {"alpha", 2.0}}, 4});
    add.push_back({{{{s[0], s[2]}}, {{s[0], s[1]}}, {{s[1], s[2]}}}, {}, 4});
  }
  table.add({"mm",
             {},
             [](const auto& in, const OpArgs&) { return std::vector<Tensor>{mm(in.at(0), in.at(1))}; },
             [](const auto& in, const OpArgs&) { return std::vector<Tensor>{reference_mm(in[0], in[1])}; },
             dtypes,
             two,
             true,
             mm_cost});
  table.add({"bmm",
             {},
             [](const auto& in, const OpArgs&) { return std::vector<Tensor>{bmm(in.at(0), in.at(1))}; },
             [](const auto& in, const OpArgs&) { return std::vector<Tensor>{reference_bmm(in[0], in[1])}; },
             dtypes,
             three,
             true,
             mm_cost});
  table.add({"addmm",
             {"beta", "alpha"},
             [](const auto& in, const OpArgs& args) {
               return std::vector<Tensor>{
                   addmm(in.at(0), in.at(1), in.at(2), args.get_double("beta", 1.0), args.get_double("alpha", 1.0))};
             },
             reference_addmm,
             dtypes,
             add,
             true,
             mm_cost});
}

}  // namespace ingot
