#include <algorithm>

#include "ingot/base/error.h"
#include "ingot/ops/join/join.h"
#include "ingot/ops/op_table.h"

namespace ingot {

namespace {

const std::vector<DType> kMost = {DType::kF32, DType::kF16, DType::kBF16, DType::kF64, DType::kI64,
                                  DType::kI32, DType::kI8,  DType::kU8,   DType::kBool};

// Where piece after piece lies along an axis, element by element through doubles.
Tensor reference_cat(std::vector<Tensor> in, int64_t dim) {
  in.erase(std::remove_if(in.begin(), in.end(), [](const Tensor& t) { return t.dim() == 1 && t.numel() == 0; }),
           in.end());
  int axis = normalize_dim("cat", dim, in[0].dim());
  Dims sizes = in[0].sizes();
  sizes[axis] = 0;
  int64_t outer = 1, inner = 1;
  for (int d = 0; d < axis; d++) outer *= sizes[d];
  for (int d = axis + 1; d < sizes.size(); d++) inner *= sizes[d];
  for (const Tensor& t : in) sizes[axis] += t.sizes()[axis];
  std::vector<std::vector<double>> values;
  for (const Tensor& t : in) values.push_back(to_doubles(t));
  std::vector<double> y;
  for (int64_t o = 0; o < outer; o++)
    for (size_t i = 0; i < in.size(); i++) {
      int64_t run = in[i].sizes()[axis] * inner;
      y.insert(y.end(), values[i].begin() + o * run, values[i].begin() + (o + 1) * run);
    }
  bool floating = false;
  for (const Tensor& t : in) floating = floating || is_floating(t.dtype());
  if (floating) return tensor_of(y, sizes);
  std::vector<int64_t> ints(y.begin(), y.end());
  return tensor_of(ints, sizes);
}

OpEntry cat_entry() {
  OpEntry e;
  e.name = "cat";
  e.arguments = {"dim"};
  e.call = [](const std::vector<Tensor>& in, const OpArgs& args) -> std::vector<Tensor> {
    return {cat(in, args.get_int("dim", 0))};
  };
  e.reference = [](const std::vector<Tensor>& in, const OpArgs& args) -> std::vector<Tensor> {
    return {reference_cat(in, args.get_int("dim", 0))};
  };
  e.dtypes = kMost;
  e.cases = {
      {{{{2, 3}}, {{4, 3}}}, {{"dim", int64_t{0}}}},
      {{{{2, 3}}, {{2, 1}}, {{2, 5}}}, {{"dim", int64_t{-1}}}},
      {{{{2, 3, 4}}, {{2, 0, 4}}, {{2, 2, 4}}}, {{"dim", int64_t{1}}}},
      {{{{0}}, {{2, 3}}, {{0}}}, {{"dim", int64_t{1}}}},
      {{{{5}}}},
      {{{{2, 3}}, {{2, 3}, Fill::kNormal, DType::kF32}}},
      {{{{300, 70}}, {{300, 60}}}, {{"dim", int64_t{1}}}},
  };
  return e;
}

OpEntry stack_entry() {
  OpEntry e;
  e.name = "stack";
  e.arguments = {"dim"};
  e.call = [](const std::vector<Tensor>& in, const OpArgs& args) -> std::vector<Tensor> {
    return {stack(in, args.get_int("dim", 0))};
  };
  e.reference = [](const std::vector<Tensor>& in, const OpArgs& args) -> std::vector<Tensor> {
    int axis = normalize_dim("stack", args.get_int("dim", 0), in[0].dim() + 1);
    std::vector<Tensor> pieces;
    for (const Tensor& t : in) pieces.push_back(t.unsqueeze(axis));
    return {reference_cat(pieces, axis)};
  };
  e.dtypes = kMost;
  e.cases = {
      {{{{2, 3}}, {{2, 3}}}},
      {{{{2, 3}}, {{2, 3}}, {{2, 3}}}, {{"dim", int64_t{-1}}}},
      {{{{2, 3}}, {{2, 3}}}, {{"dim", int64_t{1}}}},
      {{{{}}, {{}}}},
      {{{{0, 3}}, {{0, 3}}}, {{"dim", int64_t{2}}}},
  };
  return e;
}

OpEntry split_entry() {
  OpEntry e;
  e.name = "split";
  e.arguments = {"size", "dim"};
  e.call = [](const std::vector<Tensor>& in, const OpArgs& args) -> std::vector<Tensor> {
    std::vector<int64_t> sizes = args.get_ints("size");
    return sizes.size() == 1 ? split(in.at(0), sizes[0], args.get_int("dim", 0))
                             : split(in.at(0), sizes, args.get_int("dim", 0));
  };
  e.reference = [](const std::vector<Tensor>& in, const OpArgs& args) -> std::vector<Tensor> {
    std::vector<int64_t> sizes = args.get_ints("size");
    int axis = normalize_dim("split", args.get_int("dim", 0), in[0].dim());
    std::vector<Tensor> out;
    int64_t at = 0, length = in[0].sizes()[axis];
    for (size_t i = 0; at < length || i < sizes.size(); i++) {
      int64_t n = std::min(sizes.size() == 1 ? sizes[0] : sizes[i], length - at);
      out.push_back(in[0].narrow(axis, at, n));
      at += n;
    }
    return out;
  };
  e.dtypes = {DType::kF32, DType::kBF16, DType::kI64};
  using Ints = std::vector<int64_t>;
  e.cases = {
      {{{{7, 3}}}, {{"size", int64_t{3}}}},
      {{{{2, 7}}}, {{"size", Ints{1, 0, 6}}, {"dim", int64_t{-1}}}},
      {{{{2, 6}}}, {{"size", int64_t{100}}, {"dim", int64_t{1}}}},
      {{{{0, 3}}}, {{"size", int64_t{2}}}},
  };
  return e;
}

OpEntry chunk_entry() {
  OpEntry e;
  e.name = "chunk";
  e.arguments = {"chunks", "dim"};
  e.call = [](const std::vector<Tensor>& in, const OpArgs& args) -> std::vector<Tensor> {
    return chunk(in.at(0), args.get_int("chunks"), args.get_int("dim", 0));
  };
  e.reference = [](const std::vector<Tensor>& in, const OpArgs& args) -> std::vector<Tensor> {
    int axis = normalize_dim("chunk", args.get_int("dim", 0), in[0].dim());
    int64_t length = in[0].sizes()[axis], chunks = args.get_int("chunks"), each = (length + chunks - 1) / chunks;
    std::vector<Tensor> out;
    for (int64_t at = 0; at < length; at += each) out.push_back(in[0].narrow(axis, at, std::min(each, length - at)));
    return out;
  };
  e.dtypes = {DType::kF32, DType::kBF16, DType::kI64};
  e.cases = {
      {{{{7, 3}}}, {{"chunks", int64_t{3}}}},
      {{{{2, 9}}}, {{"chunks", int64_t{3}}, {"dim", int64_t{1}}}},
      {{{{2, 5}}}, {{"chunks", int64_t{4}}, {"dim", int64_t{1}}}},
  };
  return e;
}

}  // namespace

void register_join(OpTable& table) {
  table.add(cat_entry());
  table.add(stack_entry());
  table.add(split_entry());
  table.add(chunk_entry());
}

}  // namespace ingot
