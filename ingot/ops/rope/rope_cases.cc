#include <cmath>

#include "ingot/base/error.h"
#include "ingot/ops/op_table.h"
#include "ingot/ops/rope/rope.h"

namespace ingot {

namespace {

bool halves(const OpArgs& args) {
  std::string style = args.get_string("style", "half");
  if (style != "half" && style != "interleaved") fail_argument("rope", "style", "half or interleaved", quoted(style));
  return style == "half";
}

std::vector<Tensor> reference(const std::vector<Tensor>& in, const OpArgs& args) {
  std::vector<double> x = to_doubles(in[0]), y = x, freq = to_doubles(in[2]);
  std::vector<int64_t> positions = to_int64s(in[1]);
  size_t tokens = size_t(in[0].size(-3)), heads = size_t(in[0].size(-2)), dim = size_t(in[0].size(-1)),
         half = freq.size();
  double scale = args.get_double("scale", 1);
  for (size_t row = 0; dim > 0 && row < x.size() / dim; row++) {
    int64_t position = positions[row / heads % tokens];
    for (size_t i = 0; i < half; i++) {
      double angle = static_cast<float>(static_cast<float>(position) * static_cast<float>(freq[i]));
      double c = std::cos(angle) * scale, s = std::sin(angle) * scale;
      size_t a = row * dim + (halves(args) ? i : 2 * i), b = row * dim + (halves(args) ? i + half : 2 * i + 1);
      y[a] = x[a] * c - x[b] * s;
      y[b] = x[b] * c + x[a] * s;
    }
  }
  return {tensor_of(y, in[0].sizes())};
}

OpCase make_case(Dims x, int64_t frequencies, double last_position, OpArgs args) {
  int64_t tokens = x[x.size() - 3];
  return {{{x}, {{tokens}, Fill::kIndex, DType::kI64, 0, last_position}, {{frequencies}, Fill::kUniform, DType::kF32}},
          std::move(args)};
}

}  // namespace

void register_rope(OpTable& table) {
  OpEntry e;
  e.name = "rope";
  e.arguments = {"style", "scale"};
  e.call = [](const std::vector<Tensor>& in, const OpArgs& args) -> std::vector<Tensor> {
    return {rope(in.at(0), in.at(1), in.at(2), halves(args) ? RopeStyle::kHalf : RopeStyle::kInterleaved,
                 args.get_double("scale", 1))};
  };
  e.reference = reference;
  e.dtypes = {DType::kF32, DType::kF16, DType::kBF16, DType::kF64};
  OpArgs half{{"style", std::string("half")}}, interleaved{{"style", std::string("interleaved")}};
  OpArgs scaled{{"style", std::string("half")}, {"scale", 1.25}};
  e.cases = {
      make_case({1, 3, 64}, 32, 100, half),        make_case({5, 2, 16}, 8, 8192, half),
      make_case({5, 2, 16}, 8, 8192, interleaved), make_case({2, 3, 2, 80}, 20, 1e6, half),
      make_case({2, 3, 2, 80}, 20, 1e6, scaled),   make_case({4, 1, 7}, 3, 50, interleaved),
      make_case({70, 9, 64}, 32, 4096, half),      make_case({2, 2, 6}, 0, 10, half),
      make_case({0, 2, 8}, 4, 10, half),           make_case({2, 2, 2, 3, 2, 10}, 5, 1000, half),
      make_case({3, 2, 600}, 300, 1000, half),
  };
  table.add(std::move(e));
}

}  // namespace ingot
