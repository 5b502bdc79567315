#include <cmath>

#include "ingot/base/error.h"
#include "ingot/ops/copy/copy.h"
#include "ingot/ops/op_table.h"

namespace ingot {

namespace {

// The conversion rules once more, one element at a time through double.
double rounded_as(double v, DType dtype) {
  float f = static_cast<float>(v);
  switch (dtype) {
    case DType::kF8E4M3:
      return f8e4m3(f);
    case DType::kF8E5M2:
      return f8e5m2(f);
    case DType::kF8E8M0:
      return f8e8m0(f);
    case DType::kF16:
      return half(f);
    case DType::kBF16:
      return bfloat(f);
    case DType::kF32:
      return f;
    default:
      return v;
  }
}
int64_t truncated_as(double v, DType dtype) {
  if (dtype == DType::kBool) return v != 0;
  if (std::isnan(v)) return 0;
  int bits = int(itemsize(dtype)) * 8;
  double high = dtype == DType::kU8 ? 255 : std::ldexp(1.0, bits - 1) - 1,
         low = dtype == DType::kU8 ? 0 : -std::ldexp(1.0, bits - 1);
  if (v >= high) return dtype == DType::kI64 ? INT64_MAX : static_cast<int64_t>(high);
  return v <= low ? static_cast<int64_t>(low) : static_cast<int64_t>(v);
}
int64_t wrapped_as(int64_t v, DType dtype) {
  return visit_dtype(dtype, [&](auto zero) -> int64_t {
    using T = decltype(zero);
    if constexpr (std::is_same_v<T, bool>) return v != 0;
    if constexpr (std::is_integral_v<T>) return static_cast<T>(v);
    return v;
  });
}

Tensor reference_to(const Tensor& x, DType dtype) {
  std::vector<double> floats;
  std::vector<int64_t> integers;
  if (is_floating(x.dtype())) {
    for (double v : to_doubles(x))
      is_floating(dtype) ? floats.push_back(rounded_as(v, dtype)) : integers.push_back(truncated_as(v, dtype));
  } else {
    for (int64_t v : to_int64s(x))
      is_floating(dtype) ? floats.push_back(rounded_as(double(v), dtype)) : integers.push_back(wrapped_as(v, dtype));
  }
  return is_floating(dtype) ? tensor_of(floats, x.sizes()) : tensor_of(integers, x.sizes());
}

const std::vector<DType> kAll = {DType::kBool, DType::kU8,     DType::kI8,     DType::kI16,    DType::kI32,
                                 DType::kI64,  DType::kF8E4M3, DType::kF8E5M2, DType::kF8E8M0, DType::kF16,
                                 DType::kBF16, DType::kF32,    DType::kF64};

std::vector<OpCase> shapes() {
  return {{{{{3, 5}}}},
          {{{{}}}},
          {{{{0}}}},
          {{{{2, 0, 3}}}},
          {{{{40, 33}}}},
          {{{{2, 3, 17, 9}}}},
          {{{{1, 1, 2, 1, 3, 2, 1, 5}}}},
          {{{{2, 700}}}}};
}

}  // namespace

void register_copy(OpTable& table) {
  OpEntry cast{.name = "to", .arguments = {"dtype"}, .call = {}, .reference = {}, .dtypes = kAll, .cases = {}};
  auto target = [](const OpArgs& args) {
    std::optional<DType> dtype = args.get_dtype("dtype");
    if (!dtype) fail(ErrorKind::kArgument, "to", "argument 'dtype' is missing");
    return *dtype;
  };
  cast.call = [=](const std::vector<Tensor>& in, const OpArgs& args) {
    return std::vector{to(in.at(0), target(args))};
  };
  cast.reference = [=](const std::vector<Tensor>& in, const OpArgs& args) {
    return std::vector{reference_to(in[0], target(args))};
  };
  for (DType dtype : kAll) {
    OpArgs args{{"dtype", std::string(name(dtype))}};
    for (OpCase c : shapes()) cast.cases.push_back({c.inputs, args});
    cast.cases.push_back({{{{6, 37}, Fill::kSpecial}}, args});
    cast.cases.push_back({{{{300}, Fill::kIndex, {}, -70000, 70000}}, args});
  }
  table.add(cast);

  OpFunction same = [](const std::vector<Tensor>& in, const OpArgs&) { return std::vector{in[0]}; };
  std::vector<OpCase> cases = shapes();
  cases.push_back({{{{6, 37}, Fill::kSpecial}}});
  table.add({.name = "contiguous",
             .arguments = {},
             .call = [](const std::vector<Tensor>& in, const OpArgs&) { return std::vector{contiguous(in.at(0))}; },
             .reference = same,
             .dtypes = kAll,
             .cases = cases});
  table.add({.name = "clone",
             .arguments = {},
             .call = [](const std::vector<Tensor>& in, const OpArgs&) { return std::vector{clone(in.at(0))}; },
             .reference = same,
             .dtypes = kAll,
             .cases = cases});
}

}  // namespace ingot
