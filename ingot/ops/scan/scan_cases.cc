#include "ingot/ops/op_table.h"
#include "ingot/ops/scan/scan.h"

namespace ingot {

namespace {

template <class T>
Tensor scanned(std::vector<T> v, const Tensor& x, int64_t dim, T (*join)(T, T)) {
  int axis = normalize_dim("reference", dim, x.dim());
  int64_t step = 1, n = x.dim() ? x.size(axis) : 1;
  for (int d = axis + 1; d < x.dim(); d++) step *= x.size(d);
  for (int64_t i = 0; i < int64_t(v.size()); i++)
    if (i / step % n > 0) v[size_t(i)] = join(v[size_t(i - step)], v[size_t(i)]);
  return tensor_of(v, x.sizes());
}

OpEntry entry(const char* name, Tensor (*call)(const Tensor&, int64_t), double (*floats)(double, double),
              int64_t (*integers)(int64_t, int64_t)) {
  OpEntry e{.name = name, .arguments = {"dim"}, .call = {}, .reference = {}, .dtypes = {}, .cases = {}};
  e.call = [call](const std::vector<Tensor>& in, const OpArgs& args) {
    return std::vector{call(in.at(0), args.get_int("dim"))};
  };
  e.reference = [=](const std::vector<Tensor>& in, const OpArgs& args) {
    const Tensor& x = in[0];
    int64_t dim = args.get_int("dim");
    if (is_floating(x.dtype())) return std::vector{scanned(to_doubles(x), x, dim, floats)};
    return std::vector{scanned(to_int64s(x), x, dim, integers)};
  };
  e.dtypes = {DType::kBool, DType::kU8,  DType::kI8,   DType::kI16, DType::kI32,
              DType::kI64,  DType::kF16, DType::kBF16, DType::kF32, DType::kF64};
  for (int64_t d : {0, 1, -1}) {
    e.cases.push_back({{{{5, 7, 19}}}, {{"dim", d}}});
    e.cases.push_back({{{{2, 0, 3}}}, {{"dim", d}}});
    e.cases.push_back({{{{6, 37}, Fill::kSpecial}}, {{"dim", d}}});
  }
  e.cases.push_back({{{{}}}, {{"dim", int64_t{0}}}});
  e.cases.push_back({{{{600}}}, {{"dim", int64_t{0}}}});
  e.cases.push_back({{{{2, 1, 3, 1, 2, 2, 1, 4}}}, {{"dim", int64_t{5}}}});
  return e;
}

}  // namespace

void register_scan(OpTable& table) {
  OpEntry sums = entry(
      "cumsum", cumsum, [](double a, double b) { return a + b; },
      [](int64_t a, int64_t b) { return int64_t(uint64_t(a) + uint64_t(b)); });
  sums.cases.push_back({{{{2, 70000}, Fill::kTies}}, {{"dim", int64_t{1}}}});
  sums.cases.push_back({{{{40000, 2}, Fill::kTies}}, {{"dim", int64_t{0}}}});
  table.add(sums);
  table.add(entry(
      "cumprod", cumprod, [](double a, double b) { return a * b; },
      [](int64_t a, int64_t b) { return int64_t(uint64_t(a) * uint64_t(b)); }));
}

}  // namespace ingot
