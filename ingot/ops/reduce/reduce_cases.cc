#include <algorithm>
#include <cmath>

#include "ingot/ops/op_table.h"
#include "ingot/ops/reduce/reduce.h"

namespace ingot {

namespace {

Dims dims_of(const OpArgs& args) {
  std::vector<int64_t> v = args.get_ints("dim", std::vector<int64_t>{});
  return Dims(std::span<const int64_t>(v));
}

// For each output the list of its elements, and the sizes of the output.
struct Groups {
  std::vector<std::vector<int64_t>> members;  // positions in the contiguous input
  Dims sizes;
};
Groups groups_of(const Tensor& x, const OpArgs& args) {
  Dims dim = dims_of(args);
  unsigned axes = 0;
  for (int64_t d : dim) axes |= 1u << normalize_dim("reference", d, x.dim());
  if (dim.empty()) axes = ~0u;
  Groups g;
  Dims steps = Dims::filled(x.dim(), 0);
  int64_t outputs = 1;
  for (int d = x.dim() - 1; d >= 0; d--)
    if (!(axes >> d & 1u)) steps[d] = outputs, outputs *= x.sizes()[d];
  for (int d = 0; d < x.dim(); d++)
    if (!(axes >> d & 1u) || args.get_bool("keepdim", false)) g.sizes.push_back(axes >> d & 1u ? 1 : x.sizes()[d]);
  g.members.resize(size_t(outputs));
  for (int64_t i = 0; i < x.numel(); i++) {
    int64_t rest = i, output = 0;
    for (int d = x.dim() - 1; d >= 0; d--) output += rest % x.sizes()[d] * steps[d], rest /= x.sizes()[d];
    g.members[size_t(output)].push_back(i);
  }
  return g;
}

using Floats = double (*)(const std::vector<double>&, const OpArgs&);
using Integers = int64_t (*)(const std::vector<int64_t>&);
enum class Result { kFloat, kWidened, kSame, kBool };

OpFunction reference(Floats floats, Integers integers, Result result) {
  return [=](const std::vector<Tensor>& in, const OpArgs& args) {
    const Tensor& x = in[0];
    Groups g = groups_of(x, args);
    if (is_floating(x.dtype()) && result != Result::kBool) {
      std::vector<double> v = to_doubles(x), out;
      for (const auto& members : g.members) {
        std::vector<double> list;
        for (int64_t i : members) list.push_back(v[size_t(i)]);
        out.push_back(floats(list, args));
      }
      return std::vector{tensor_of(out, g.sizes)};
    }
    std::vector<int64_t> v, out;
    if (is_floating(x.dtype())) {
      for (double d : to_doubles(x)) v.push_back(d != 0);
    } else {
      v = to_int64s(x);
    }
    for (const auto& members : g.members) {
      std::vector<int64_t> list;
      for (int64_t i : members) list.push_back(v[size_t(i)]);
      out.push_back(integers(list));
    }
    return std::vector{tensor_of(out, g.sizes)};
  };
}

std::vector<OpCase> cases(bool of_nothing) {
  auto dim = [](std::vector<int64_t> d, bool keep = false) { return OpArgs{{"dim", d}, {"keepdim", keep}}; };
  std::vector<OpCase> c;
  for (int64_t d : {0, 1, 2, -1}) c.push_back({{{{5, 7, 19}}}, dim({d}, d == 1)});
  c.push_back({{{{5, 7, 19}}}, dim({0, 2})});
  c.push_back({{{{5, 7, 19}}}, dim({2, 1}, true)});
  c.push_back({{{{5, 7, 19}}}, {}});
  c.push_back({{{{3, 4}}}, {{"dim", int64_t{1}}}});
  c.push_back({{{{}}}, {}});
  c.push_back({{{{}}}, dim({-1})});
  for (int64_t n : {1, 15, 16, 17, 63, 64, 65, 1023, 1024, 1025, 4097}) {
    c.push_back({{{{2, n}}}, dim({1})});
    c.push_back({{{{n, 6}}}, dim({0})});
  }
  c.push_back({{{{70000}}}, {}});
  c.push_back({{{{70, 520}}}, dim({0})});
  c.push_back({{{{8200, 5}}}, dim({0})});
  for (int64_t d : {0, 1}) c.push_back({{{{6, 37}, Fill::kSpecial}}, dim({d})});
  c.push_back({{{{40, 30}, Fill::kTies}}, dim({1})});
  c.push_back({{{{2, 3, 1, 2, 3, 2, 2, 3}}}, dim({1, 4, 6})});
  c.push_back({{{{2, 3, 1, 2, 3, 2, 2, 3}}}, dim({7, 0})});
  c.push_back({{{{2, 0, 3}}}, dim({0})});
  if (of_nothing) {
    c.push_back({{{{2, 0, 3}}}, dim({1})});
    c.push_back({{{{0}}}, {}});
  }
  return c;
}

const std::vector<DType> kFloats = {DType::kF16, DType::kBF16, DType::kF32, DType::kF64};
const std::vector<DType> kAll = {DType::kBool, DType::kU8,  DType::kI8,   DType::kI16, DType::kI32,
                                 DType::kI64,  DType::kF16, DType::kBF16, DType::kF32, DType::kF64};

double sum_of(const std::vector<double>& v) {
  double s = 0;
  for (double x : v) s += x;
  return s;
}
double var_of(const std::vector<double>& v, const OpArgs& args) {
  double n = double(v.size()), mean = sum_of(v) / n, s = 0;
  // Equal values have variance 0, not rounding noise.
  bool equal = std::all_of(v.begin(), v.end(), [&](double x) { return x == v[0] && std::isfinite(x); });
  if (!equal)
    for (double x : v) s += (x - mean) * (x - mean);
  return s / std::fmax(0, n - args.get_double("correction", 1));
}
double extreme_of(const std::vector<double>& v, int sign) {
  double best = -INFINITY;
  for (double x : v) best = std::isnan(x) || std::isnan(best) ? NAN : std::fmax(best, sign * x);
  return sign * best;
}

}  // namespace

void register_reduce(OpTable& table) {
  using V = const std::vector<double>&;
  using W = const std::vector<int64_t>&;
  using A = const OpArgs&;
  auto add = [&](const char* name, Tensor (*f)(const Tensor&, const Dims&, bool), OpFunction ref,
                 std::vector<DType> dtypes, std::vector<OpCase> list) {
    table.add({.name = name,
               .arguments = {"dim", "keepdim"},
               .call = [f](const std::vector<Tensor>& in,
                           A args) { return std::vector{f(in.at(0), dims_of(args), args.get_bool("keepdim", false))}; },
               .reference = std::move(ref),
               .dtypes = std::move(dtypes),
               .cases = std::move(list)});
  };
  auto add_spread = [&](const char* name, Tensor (*f)(const Tensor&, const Dims&, double, bool), Floats ref) {
    std::vector<OpCase> list = cases(true);
    for (int64_t correction : {0, 1, 3})
      list.push_back({{{{4, 50}}}, {{"dim", int64_t{1}}, {"correction", correction}}});
    table.add({.name = name,
               .arguments = {"dim", "correction", "keepdim"},
               .call =
                   [f](const std::vector<Tensor>& in, A args) {
                     return std::vector{
                         f(in.at(0), dims_of(args), args.get_double("correction", 1), args.get_bool("keepdim", false))};
                   },
               .reference = reference(ref, nullptr, Result::kFloat),
               .dtypes = kFloats,
               .cases = list});
  };
  Integers none = nullptr;
  // The sum of many values of both signs is small beside them: the tolerance is on the terms.
  std::vector<OpCase> sums = cases(true);
  for (OpCase& c : sums) c.tolerance = 10;
  add("sum", sum,
      reference([](V v, A) { return sum_of(v); },
                [](W v) {
                  uint64_t s = 0;
                  for (int64_t x : v) s += uint64_t(x);
                  return int64_t(s);
                },
                Result::kWidened),
      kAll, sums);
  // Products leave the range of f16 and f32 soon: few factors near 1.
  std::vector<OpCase> products;
  for (OpCase& c : cases(true)) {
    if (numel(c.inputs[0].sizes) > 100) continue;
    if (c.inputs[0].fill == Fill::kNormal) c.inputs[0].fill = Fill::kPositive;
    products.push_back(c);
  }
  products.push_back({{{{6, 37}, Fill::kSpecial}}, {{"dim", int64_t{0}}}});
  products.push_back({{{{9, 8}, Fill::kIndex, {}, -100, 100}}, {{"dim", int64_t{1}}}, 1});
  products.push_back({{{{3, 5, 70}, Fill::kPositive}}, {{"dim", int64_t{1}}}});
  add("prod", prod,
      reference(
          [](V v, A) {
            double p = 1;
            for (double x : v) p *= x;
            return p;
          },
          [](W v) {
            uint64_t p = 1;
            for (int64_t x : v) p *= uint64_t(x);
            return int64_t(p);
          },
          Result::kWidened),
      kAll, products);
  add("mean", mean, reference([](V v, A) { return sum_of(v) / double(v.size()); }, none, Result::kFloat), kFloats,
      sums);
  add_spread("var", var, var_of);
  add_spread("std", stddev, [](V v, A args) { return std::sqrt(var_of(v, args)); });
  add("amax", amax,
      reference([](V v, A) { return extreme_of(v, 1); },
                [](W v) {
                  int64_t best = INT64_MIN;
                  for (int64_t x : v) best = std::max(best, x);
                  return best;
                },
                Result::kSame),
      kAll, cases(false));
  add("amin", amin,
      reference([](V v, A) { return extreme_of(v, -1); },
                [](W v) {
                  int64_t best = INT64_MAX;
                  for (int64_t x : v) best = std::min(best, x);
                  return best;
                },
                Result::kSame),
      kAll, cases(false));
  add("logsumexp", logsumexp,
      reference(
          [](V v, A) {
            double max = -INFINITY, s = 0;
            for (double x : v) max = std::fmax(max, x);
            if (std::isinf(max)) max = 0;
            for (double x : v) s += std::exp(x - max);
            return max + std::log(s);
          },
          none, Result::kFloat),
      kFloats, cases(true));
  add("any", any,
      reference(
          nullptr,
          [](W v) {
            for (int64_t x : v)
              if (x) return int64_t{1};
            return int64_t{0};
          },
          Result::kBool),
      kAll, cases(true));
  add("all", all,
      reference(
          nullptr,
          [](W v) {
            for (int64_t x : v)
              if (!x) return int64_t{0};
            return int64_t{1};
          },
          Result::kBool),
      kAll, cases(true));
}

}  // namespace ingot
