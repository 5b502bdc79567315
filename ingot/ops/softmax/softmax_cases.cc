#include <cmath>

#include "ingot/ops/op_table.h"
#include "ingot/ops/softmax/softmax.h"

namespace ingot {

namespace {

Tensor reference(const Tensor& x, int64_t dim, bool log) {
  int axis = normalize_dim("softmax", dim, x.dim());
  Tensor y = empty_like(x);
  int64_t n = x.dim() ? x.size(axis) : 1, inner = 1;
  for (int d = axis + 1; d < x.dim(); d++) inner *= x.size(d);
  const double* in = x.data<double>();
  double* out = y.data<double>();
  for (int64_t r = 0; n && r < x.numel() / n; r++) {
    const double* from = in + r / inner * n * inner + r % inner;
    double* to = out + (from - in);
    double max = -INFINITY, sum = 0;
    for (int64_t i = 0; i < n; i++) max = std::fmax(max, from[i * inner]);
    for (int64_t i = 0; i < n; i++) sum += std::exp(from[i * inner] - max);
    for (int64_t i = 0; i < n; i++) {
      double shifted = from[i * inner] - max;
      to[i * inner] = log ? shifted - std::log(sum) : std::exp(shifted) / sum;
    }
  }
  return y;
}

std::vector<OpCase> cases() {
  auto dim = [](int64_t d) { return OpArgs{{"dim", d}}; };
  std::vector<OpCase> out;
  for (int64_t n : {1, 2, 15, 16, 17, 127, 128, 1023, 1024, 1025, 4096, 4097, 4101})
    out.push_back({{{{2, n}}}, dim(-1)});
  out.push_back({{{{1, 128256}}}, dim(-1)});
  out.push_back({{{{3, 9000}}}, dim(1)});
  for (int64_t d : {0, 1, -1}) {
    out.push_back({{{{5, 7, 19}}}, dim(d)});
    out.push_back({{{{4, 33, 3}, Fill::kSpecial}}, dim(d)});
    out.push_back({{{{3, 5}, Fill::kValue, {}, -INFINITY}}, dim(d)});
    out.push_back({{{{2, 0, 3}}}, dim(d)});
  }
  for (int64_t n : {1, 17, 128, 4096, 4097, 8200}) out.push_back({{{{2, n}, Fill::kValue, {}, -INFINITY}}, dim(-1)});
  out.push_back({{{{9000, 3}, Fill::kSpecial}}, dim(0)});
  out.push_back({{{{20, 40}, Fill::kSpecial}}, dim(-1)});
  out.push_back({{{{}}}, dim(0)});
  out.push_back({{{{1, 2, 1, 3, 2, 1, 2, 5}}}, dim(4)});
  return out;
}

const std::vector<DType> kDTypes = {DType::kF16, DType::kBF16, DType::kF32, DType::kF64};

OpEntry entry(const char* name, Tensor (*call)(const Tensor&, int64_t, std::optional<DType>), bool log) {
  return {.name = name,
          .arguments = {"dim", "dtype"},
          .call =
              [call](const std::vector<Tensor>& in, const OpArgs& args) {
                return std::vector{call(in.at(0), args.get_int("dim"), args.get_dtype("dtype"))};
              },
          .reference = [log](const std::vector<Tensor>& in,
                             const OpArgs& args) { return std::vector{reference(in[0], args.get_int("dim"), log)}; },
          .dtypes = kDTypes,
          .cases = cases()};
}

}  // namespace

void register_softmax(OpTable& table) {
  table.add(entry("softmax", softmax, false));
  table.add(entry("log_softmax", log_softmax, true));
}

}  // namespace ingot
