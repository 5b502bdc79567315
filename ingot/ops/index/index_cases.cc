#include "ingot/base/error.h"
#include "ingot/ops/index/index.h"
#include "ingot/ops/op_table.h"

namespace ingot {

namespace {

const std::vector<DType> kMost = {DType::kF32, DType::kF16, DType::kBF16, DType::kF64, DType::kI64,
                                  DType::kI32, DType::kI16, DType::kI8,   DType::kU8};

// Results of the reference as its input's kind: f64 or i64.
Tensor as_kind(const std::vector<double>& v, const Dims& sizes, const Tensor& like) {
  if (is_floating(like.dtype())) return tensor_of(v, sizes);
  return tensor_of(std::vector<int64_t>(v.begin(), v.end()), sizes);
}

// Flat place of the coordinates of `at` (row-major in `sizes`) in a row-major tensor of `in`, the coordinate along dim
// replaced.
size_t moved(size_t at, const Dims& sizes, const Dims& in, int dim, int64_t coordinate) {
  int64_t place = 0, step = 1;
  for (int d = sizes.size() - 1; d >= 0; d--) {
    int64_t c = static_cast<int64_t>(at) % sizes[d];
    at /= static_cast<size_t>(sizes[d]);
    place += (d == dim ? (coordinate + in[d]) % in[d] : c) * step;
    step *= in[d];
  }
  return static_cast<size_t>(place);
}
int64_t along(size_t at, const Dims& sizes, int dim) {
  for (int d = sizes.size() - 1; d > dim; d--) at /= static_cast<size_t>(sizes[d]);
  return static_cast<int64_t>(at) % sizes[dim];
}

int axis(const Tensor& x, const OpArgs& args) { return normalize_dim("index", args.get_int("dim"), x.dim()); }

OpEntry embedding_entry() {
  OpEntry e;
  e.name = "embedding";
  e.call = [](const std::vector<Tensor>& in, const OpArgs&) -> std::vector<Tensor> {
    return {embedding(in.at(0), in.at(1))};
  };
  e.reference = [](const std::vector<Tensor>& in, const OpArgs&) -> std::vector<Tensor> {
    std::vector<double> table = to_doubles(in[1]), y;
    size_t width = size_t(in[1].size(1));
    for (int64_t i : to_int64s(in[0]))
      y.insert(y.end(), table.begin() + i * int64_t(width), table.begin() + (i + 1) * int64_t(width));
    Dims sizes = in[0].sizes();
    sizes.push_back(in[1].size(1));
    return {as_kind(y, sizes, in[1])};
  };
  e.dtypes = kMost;
  e.cases = {
      {{{{4, 6}, Fill::kIndex, DType::kI64, 0, 11}, {{11, 5}}}}, {{{{3}, Fill::kIndex, DType::kI32, 0, 7}, {{7, 64}}}},
      {{{{}, Fill::kIndex, DType::kI64, 0, 7}, {{7, 3}}}},       {{{{0}, Fill::kIndex, DType::kI64, 0, 7}, {{7, 3}}}},
      {{{{2}, Fill::kIndex, DType::kI64, 0, 7}, {{7, 0}}}},
  };
  return e;
}

OpEntry gather_entry() {
  OpEntry e;
  e.name = "gather";
  e.arguments = {"dim"};
  e.call = [](const std::vector<Tensor>& in, const OpArgs& args) -> std::vector<Tensor> {
    return {gather(in.at(0), args.get_int("dim"), in.at(1))};
  };
  e.reference = [](const std::vector<Tensor>& in, const OpArgs& args) -> std::vector<Tensor> {
    std::vector<double> x = to_doubles(in[0]), y;
    std::vector<int64_t> index = to_int64s(in[1]);
    for (size_t i = 0; i < index.size(); i++)
      y.push_back(x[moved(i, in[1].sizes(), in[0].sizes(), axis(in[0], args), index[i])]);
    return {as_kind(y, in[1].sizes(), in[0])};
  };
  e.dtypes = kMost;
  e.cases = {
      {{{{4, 6}}, {{3, 6}, Fill::kIndex, DType::kI64, 0, 4}}, {{"dim", int64_t{0}}}},
      {{{{4, 6}}, {{2, 9}, Fill::kIndex, DType::kI32, -6, 6}}, {{"dim", int64_t{-1}}}},
      {{{{3, 4, 5}}, {{2, 7, 3}, Fill::kIndex, DType::kI64, -4, 4}}, {{"dim", int64_t{1}}}},
      {{{{4, 6}}, {{0, 6}, Fill::kIndex, DType::kI64, 0, 4}}, {{"dim", int64_t{0}}}},
  };
  return e;
}

OpEntry index_select_entry() {
  OpEntry e;
  e.name = "index_select";
  e.arguments = {"dim"};
  e.call = [](const std::vector<Tensor>& in, const OpArgs& args) -> std::vector<Tensor> {
    return {index_select(in.at(0), args.get_int("dim"), in.at(1))};
  };
  e.reference = [](const std::vector<Tensor>& in, const OpArgs& args) -> std::vector<Tensor> {
    std::vector<double> x = to_doubles(in[0]), y;
    std::vector<int64_t> index = to_int64s(in[1]);
    Dims sizes = in[0].sizes();
    int dim = axis(in[0], args);
    sizes[dim] = int64_t(index.size());
    for (size_t i = 0; i < size_t(numel(sizes)); i++)
      y.push_back(x[moved(i, sizes, in[0].sizes(), dim, index[size_t(along(i, sizes, dim))])]);
    return {as_kind(y, sizes, in[0])};
  };
  e.dtypes = kMost;
  e.cases = {
      {{{{5, 6}}, {{8}, Fill::kIndex, DType::kI64, 0, 5}}, {{"dim", int64_t{0}}}},
      {{{{3, 4, 5}}, {{6}, Fill::kIndex, DType::kI32, -4, 4}}, {{"dim", int64_t{1}}}},
      {{{{3, 4, 5}}, {{6}, Fill::kIndex, DType::kI64, -5, 5}}, {{"dim", int64_t{-1}}}},
      {{{{5, 6}}, {{0}, Fill::kIndex, DType::kI64, 0, 5}}, {{"dim", int64_t{0}}}},
      {{{{5, 0}}, {{2}, Fill::kIndex, DType::kI64, 0, 5}}, {{"dim", int64_t{0}}}},
  };
  return e;
}

OpEntry scatter_add_entry() {
  OpEntry e;
  e.name = "scatter_add";
  e.arguments = {"dim"};
  e.call = [](const std::vector<Tensor>& in, const OpArgs& args) -> std::vector<Tensor> {
    return {scatter_add(in.at(0), args.get_int("dim"), in.at(1), in.at(2))};
  };
  e.reference = [](const std::vector<Tensor>& in, const OpArgs& args) -> std::vector<Tensor> {
    std::vector<double> y = to_doubles(in[0]), src = to_doubles(in[2]);
    std::vector<int64_t> index = to_int64s(in[1]);
    int dim = axis(in[0], args);
    for (size_t i = 0; i < index.size(); i++)
      y[moved(i, in[1].sizes(), in[0].sizes(), dim, index[i])] +=
          src[moved(i, in[1].sizes(), in[2].sizes(), dim, along(i, in[1].sizes(), dim))];
    return {as_kind(y, in[0].sizes(), in[0])};
  };
  e.dtypes = {DType::kF32, DType::kF16, DType::kBF16, DType::kF64, DType::kI64, DType::kI32, DType::kI16, DType::kI8};
  e.cases = {
      {{{{5, 6}}, {{4, 6}, Fill::kIndex, DType::kI64, 0, 5}, {{4, 6}}}, {{"dim", int64_t{0}}}},
      {{{{5, 6}}, {{3, 20}, Fill::kIndex, DType::kI32, -6, 6}, {{4, 22}}}, {{"dim", int64_t{1}}}},
      {{{{3, 2, 100}}, {{3, 50, 90}, Fill::kIndex, DType::kI64, 0, 2}, {{3, 50, 100}}}, {{"dim", int64_t{1}}}, 2},
      {{{{5, 6}}, {{0, 6}, Fill::kIndex, DType::kI64, 0, 5}, {{4, 6}}}, {{"dim", int64_t{0}}}},
  };
  return e;
}

OpEntry index_add_entry() {
  OpEntry e;
  e.name = "index_add";
  e.arguments = {"dim", "alpha"};
  e.call = [](const std::vector<Tensor>& in, const OpArgs& args) -> std::vector<Tensor> {
    return {index_add(in.at(0), args.get_int("dim"), in.at(1), in.at(2), args.get_double("alpha", 1))};
  };
  e.reference = [](const std::vector<Tensor>& in, const OpArgs& args) -> std::vector<Tensor> {
    std::vector<double> y = to_doubles(in[0]), src = to_doubles(in[2]);
    std::vector<int64_t> index = to_int64s(in[1]);
    int dim = axis(in[0], args);
    const Dims& sizes = in[2].sizes();
    for (size_t i = 0; i < src.size(); i++)
      y[moved(i, sizes, in[0].sizes(), dim, index[size_t(along(i, sizes, dim))])] +=
          src[i] * args.get_double("alpha", 1);
    return {as_kind(y, in[0].sizes(), in[0])};
  };
  e.dtypes = {DType::kF32, DType::kF16, DType::kBF16, DType::kF64, DType::kI64, DType::kI32, DType::kI16, DType::kI8};
  e.cases = {
      {{{{5, 6}}, {{3}, Fill::kIndex, DType::kI64, 0, 5}, {{3, 6}}}, {{"dim", int64_t{0}}}},
      {{{{5, 6}}, {{30}, Fill::kIndex, DType::kI32, -6, 6}, {{5, 30}}},
       {{"dim", int64_t{-1}}, {"alpha", int64_t{-2}}},
       2},
      {{{{2, 3, 70}}, {{9}, Fill::kIndex, DType::kI64, 0, 3}, {{2, 9, 70}}}, {{"dim", int64_t{1}}}},
      {{{{5, 6}}, {{0}, Fill::kIndex, DType::kI64, 0, 5}, {{0, 6}}}, {{"dim", int64_t{0}}}},
  };
  return e;
}

}  // namespace

void register_index(OpTable& table) {
  table.add(embedding_entry());
  table.add(gather_entry());
  table.add(index_select_entry());
  table.add(scatter_add_entry());
  table.add(index_add_entry());
}

}  // namespace ingot
