#include <algorithm>
#include <cmath>

#include "ingot/ops/op_table.h"
#include "ingot/ops/sort/sort.h"

namespace ingot {

namespace {

// Rows along an axis of a contiguous tensor, as positions of their elements.
std::vector<std::vector<int64_t>> rows_of(const Tensor& x, int64_t dim) {
  int axis = normalize_dim("reference", dim, x.dim());
  int64_t n = x.dim() ? x.size(axis) : 1, inner = 1;
  for (int d = axis + 1; d < x.dim(); d++) inner *= x.size(d);
  std::vector<std::vector<int64_t>> rows;
  for (int64_t r = 0; n && r < x.numel() / n; r++) {
    rows.emplace_back();
    for (int64_t i = 0; i < n; i++) rows.back().push_back((r / inner * n + i) * inner + r % inner);
  }
  return rows;
}

// The total order, once for floats and once for integers.
bool less(double a, double b) { return std::isnan(b) ? !std::isnan(a) : a < b; }
bool less(int64_t a, int64_t b) { return a < b; }

template <class T>
std::vector<Tensor> reference_top(const Tensor& x, const std::vector<T>& v, int64_t dim, int64_t k, bool descending) {
  Dims sizes = x.sizes();
  int axis = normalize_dim("reference", dim, x.dim());
  if (x.dim()) sizes[axis] = k;
  int64_t inner = 1;
  for (int d = axis + 1; d < x.dim(); d++) inner *= x.size(d);
  std::vector<T> values(size_t(numel(sizes)));
  std::vector<int64_t> indices(values.size());
  int64_t r = 0;
  for (const auto& row : rows_of(x, dim)) {
    std::vector<int64_t> order(row.size());
    for (size_t i = 0; i < order.size(); i++) order[i] = int64_t(i);
    std::stable_sort(order.begin(), order.end(), [&](int64_t a, int64_t b) {
      T p = v[size_t(row[size_t(a)])], q = v[size_t(row[size_t(b)])];
      return descending ? less(q, p) : less(p, q);
    });
    for (int64_t i = 0; i < k; i++) {
      size_t to = size_t((r / inner * k + i) * inner + r % inner);
      indices[to] = order[size_t(i)];
      values[to] = v[size_t(row[size_t(order[size_t(i)])])];
    }
    r++;
  }
  return {tensor_of(values, sizes), tensor_of(indices, sizes)};
}
std::vector<Tensor> reference_top(const Tensor& x, int64_t dim, int64_t k, bool descending) {
  if (is_floating(x.dtype())) return reference_top(x, to_doubles(x), dim, k, descending);
  return reference_top(x, to_int64s(x), dim, k, descending);
}

Tensor reference_arg(const Tensor& x, const OpArgs& args, bool largest) {
  Tensor flat = args.has("dim") ? x : x.view({x.numel()});
  int64_t dim = args.get_int("dim", 0);
  std::vector<double> v = to_doubles(x);
  std::vector<int64_t> out;
  for (const auto& row : rows_of(flat, dim)) {
    int64_t best = 0;
    for (int64_t i = 1; i < int64_t(row.size()); i++) {
      double a = v[size_t(row[size_t(best)])], b = v[size_t(row[size_t(i)])];
      if (!std::isnan(a) && (std::isnan(b) || (largest ? b > a : b < a))) best = i;
    }
    out.push_back(best);
  }
  Dims sizes;
  bool keep = args.get_bool("keepdim", false);
  int axis = normalize_dim("reference", dim, flat.dim());
  for (int d = 0; d < x.dim(); d++) {
    bool gone = !args.has("dim") || d == axis;
    if (!gone || keep) sizes.push_back(gone ? 1 : x.size(d));
  }
  return tensor_of(out, sizes);
}

const std::vector<DType> kAll = {DType::kBool, DType::kU8,  DType::kI8,   DType::kI16, DType::kI32,
                                 DType::kI64,  DType::kF16, DType::kBF16, DType::kF32, DType::kF64};

OpEntry arg_entry(const char* name, Tensor (*call)(const Tensor&, std::optional<int64_t>, bool), bool largest) {
  OpEntry e{.name = name, .arguments = {"dim", "keepdim"}, .call = {}, .reference = {}, .dtypes = kAll, .cases = {}};
  e.call = [call](const std::vector<Tensor>& in, const OpArgs& args) {
    std::optional<int64_t> dim;
    if (args.has("dim")) dim = args.get_int("dim");
    return std::vector{call(in.at(0), dim, args.get_bool("keepdim", false))};
  };
  e.reference = [largest](const std::vector<Tensor>& in, const OpArgs& args) {
    return std::vector{reference_arg(in[0], args, largest)};
  };
  for (Fill fill : {Fill::kNormal, Fill::kTies, Fill::kSpecial})
    for (int64_t d : {0, 1, -1}) e.cases.push_back({{{{5, 7, 19}, fill}}, {{"dim", d}, {"keepdim", d == 1}}});
  for (bool keep : {false, true}) {
    e.cases.push_back({{{{5, 7, 9}, Fill::kTies}}, {{"keepdim", keep}}});
    e.cases.push_back({{{{}}}, {{"dim", int64_t{0}}, {"keepdim", keep}}});
  }
  e.cases.push_back({{{{}}}, {}});
  e.cases.push_back({{{{3, 9000}, Fill::kTies}}, {{"dim", int64_t{1}}}});
  e.cases.push_back({{{{40000}}}, {{"dim", int64_t{0}}}});
  e.cases.push_back({{{{0, 3}}}, {{"dim", int64_t{1}}}});
  e.cases.push_back({{{{1, 2, 3, 1, 2, 2, 1, 3}, Fill::kTies}}, {{"dim", int64_t{4}}}});
  return e;
}

}  // namespace

void register_sort(OpTable& table) {
  table.add(arg_entry("argmax", argmax, true));
  table.add(arg_entry("argmin", argmin, false));

  OpEntry top{
      .name = "topk", .arguments = {"k", "dim", "largest"}, .call = {}, .reference = {}, .dtypes = kAll, .cases = {}};
  top.call = [](const std::vector<Tensor>& in, const OpArgs& args) {
    Sorted s = topk(in.at(0), args.get_int("k"), args.get_int("dim", -1), args.get_bool("largest", true));
    return std::vector{s.values, s.indices};
  };
  top.reference = [](const std::vector<Tensor>& in, const OpArgs& args) {
    return reference_top(in[0], args.get_int("dim", -1), args.get_int("k"), args.get_bool("largest", true));
  };
  for (Fill fill : {Fill::kNormal, Fill::kTies, Fill::kSpecial})
    for (bool largest : {true, false}) {
      for (int64_t k : {0, 1, 7, 42}) top.cases.push_back({{{{3, 42}, fill}}, {{"k", k}, {"largest", largest}}});
      top.cases.push_back({{{{9, 4, 5}, fill}}, {{"k", int64_t{3}}, {"dim", int64_t{0}}, {"largest", largest}}});
      top.cases.push_back({{{{2, 3000}, fill}}, {{"k", int64_t{50}}, {"largest", largest}}});
      top.cases.push_back({{{{700}, fill}}, {{"k", int64_t{300}}, {"largest", largest}}});
    }
  top.cases.push_back({{{{40000}, Fill::kTies}}, {{"k", int64_t{20}}}});
  top.cases.push_back({{{{0, 4}}}, {{"k", int64_t{2}}}});
  top.cases.push_back({{{{4, 0}}}, {{"k", int64_t{0}}}});
  top.cases.push_back({{{{}}}, {{"k", int64_t{1}}}});
  table.add(top);

  OpEntry all{.name = "sort",
              .arguments = {"dim", "descending", "stable"},
              .call = {},
              .reference = {},
              .dtypes = kAll,
              .cases = {}};
  all.call = [](const std::vector<Tensor>& in, const OpArgs& args) {
    Sorted s = sort(in.at(0), args.get_int("dim", -1), args.get_bool("descending", false));
    return std::vector{s.values, s.indices};
  };
  all.reference = [](const std::vector<Tensor>& in, const OpArgs& args) {
    int64_t dim = args.get_int("dim", -1);
    return reference_top(in[0], dim, in[0].dim() ? in[0].size(dim) : 1, args.get_bool("descending", false));
  };
  for (Fill fill : {Fill::kNormal, Fill::kTies, Fill::kSpecial})
    for (bool descending : {false, true}) {
      for (int64_t d : {0, 1, -1})
        all.cases.push_back({{{{4, 5, 19}, fill}}, {{"dim", d}, {"descending", descending}}});
      all.cases.push_back({{{{2, 600}, fill}}, {{"descending", descending}}});
      all.cases.push_back({{{{400, 3}, fill}}, {{"dim", int64_t{0}}, {"descending", descending}}});
    }
  all.cases.push_back({{{{500}, Fill::kIndex, {}, -100000, 100000}}, {}});
  all.cases.push_back({{{{2, 0}}}, {}});
  all.cases.push_back({{{{}}}, {}});
  table.add(all);
}

}  // namespace ingot
