#include <cmath>

#include "ingot/base/error.h"
#include "ingot/ops/op_table.h"
#include "ingot/ops/pointwise/pointwise.h"

namespace ingot {

namespace {

constexpr double kInf = INFINITY;

// Reading operands as if they had the result's shape.
Tensor broadcast(const Tensor& x, const Dims& sizes) { return x.expand(sizes); }

Tensor of_integers(const std::vector<int64_t>& v, const Dims& sizes, DType dtype) {
  Tensor y = empty(sizes, dtype);
  visit_dtype(dtype, [&](auto zero) {
    using T = decltype(zero);
    if constexpr (std::is_integral_v<T>)
      for (size_t i = 0; i < v.size(); i++) static_cast<T*>(y.raw_data())[i] = static_cast<T>(v[i]);
  });
  return y;
}

using F1 = double (*)(double, const OpArgs&);
using I1 = int64_t (*)(int64_t, const OpArgs&);
using F2 = double (*)(double, double);
using I2 = int64_t (*)(int64_t, int64_t);

const std::vector<DType> kFloats = {DType::kF16, DType::kBF16, DType::kF32, DType::kF64};
const std::vector<DType> kNumbers = {DType::kU8,  DType::kI8,   DType::kI16, DType::kI32, DType::kI64,
                                     DType::kF16, DType::kBF16, DType::kF32, DType::kF64};
const std::vector<DType> kAll = {DType::kBool, DType::kU8,  DType::kI8,   DType::kI16, DType::kI32,
                                 DType::kI64,  DType::kF16, DType::kBF16, DType::kF32, DType::kF64};
const std::vector<DType> kInts = {DType::kBool, DType::kU8, DType::kI8, DType::kI16, DType::kI32, DType::kI64};

std::vector<OpCase> unary_cases(const OpArgs& args, bool special = true) {
  std::vector<OpCase> c = {
      {{{{3, 5}}}, args}, {{{{}}}, args}, {{{{2, 0}}}, args}, {{{{2, 1300}}}, args}, {{{{2, 3, 2, 5, 3}}}, args}};
  c.push_back({{{{4, 31}, special ? Fill::kSpecial : Fill::kPositive}}, args});
  c.push_back({{{{2, 70}, Fill::kIndex, {}, -80, 80}}, args});
  return c;
}

struct UnaryRow {
  const char* name;
  std::function<Tensor(const Tensor&, const OpArgs&)> call;
  F1 f;
  I1 i = nullptr;  // integers keep their dtype; null: they become floats, or are not taken
  std::vector<std::string> arguments = {};
  std::vector<OpArgs> args = {{}};
  bool bool_result = false;
  bool ints_to_float = false;
  bool grows = false;  // past the range of f32 for some u8
};

void add_unary(OpTable& table, const UnaryRow& row) {
  OpEntry e{.name = row.name, .arguments = row.arguments, .call = {}, .reference = {}, .dtypes = kFloats, .cases = {}};
  auto call = row.call;
  e.call = [call](const std::vector<Tensor>& in, const OpArgs& args) { return std::vector{call(in.at(0), args)}; };
  e.reference = [row](const std::vector<Tensor>& in, const OpArgs& args) {
    const Tensor& x = in[0];
    if (!is_floating(x.dtype()) && row.i) {
      std::vector<int64_t> v = to_int64s(x);
      for (int64_t& a : v) a = row.i(a, args);
      return std::vector{of_integers(v, x.sizes(), row.bool_result ? DType::kBool : x.dtype())};
    }
    std::vector<double> v = to_doubles(x);
    for (double& a : v) a = row.f(a, args);
    if (row.bool_result)
      return std::vector{of_integers(std::vector<int64_t>(v.begin(), v.end()), x.sizes(), DType::kBool)};
    return std::vector{tensor_of(v, x.sizes())};
  };
  if (row.i) e.dtypes = row.bool_result ? kAll : kNumbers;
  if (row.ints_to_float) e.dtypes = kAll;
  if (row.grows) std::erase(e.dtypes, DType::kU8);
  for (const OpArgs& args : row.args)
    for (OpCase& c : unary_cases(args)) e.cases.push_back(c);
  table.add(e);
}

double softplus_of(double x) { return x > 0 ? x + std::log1p(std::exp(-x)) : std::log1p(std::exp(x)); }
double times(double x, double y) { return x * y; }

void register_unary(OpTable& table) {
  using A = const OpArgs&;
  auto keep = [&](const char* name, Tensor (*f)(const Tensor&), F1 reference, I1 ints) {
    add_unary(table, {name, [f](const Tensor& x, A) { return f(x); }, reference, ints});
  };
  auto to_float = [&](const char* name, Tensor (*f)(const Tensor&), F1 reference, bool overflows = false) {
    UnaryRow row{name, [f](const Tensor& x, A) { return f(x); }, reference};
    row.ints_to_float = true;
    row.grows = overflows;
    add_unary(table, row);
  };
  auto floats = [&](const char* name, Tensor (*f)(const Tensor&), F1 reference) {
    add_unary(table, {name, [f](const Tensor& x, A) { return f(x); }, reference});
  };
  keep(
      "abs", abs, [](double x, A) { return std::fabs(x); },
      [](int64_t x, A) { return x < 0 ? int64_t(-uint64_t(x)) : x; });
  keep(
      "neg", neg, [](double x, A) { return -x; }, [](int64_t x, A) { return int64_t(-uint64_t(x)); });
  keep(
      "relu", relu, [](double x, A) { return x < 0 ? 0 : x; }, [](int64_t x, A) { return x < 0 ? 0 : x; });
  keep(
      "square", square, [](double x, A) { return x * x; },
      [](int64_t x, A) { return int64_t(uint64_t(x) * uint64_t(x)); });
  keep(
      "floor", floor, [](double x, A) { return std::floor(x); }, [](int64_t x, A) { return x; });
  keep(
      "ceil", ceil, [](double x, A) { return std::ceil(x); }, [](int64_t x, A) { return x; });
  keep(
      "round", round, [](double x, A) { return std::nearbyint(x); }, [](int64_t x, A) { return x; });
  keep(
      "sign", sign, [](double x, A) { return double((x > 0) - (x < 0)); },
      [](int64_t x, A) { return int64_t((x > 0) - (x < 0)); });
  to_float(
      "exp", exp, [](double x, A) { return std::exp(x); }, true);
  to_float("log", log, [](double x, A) { return std::log(x); });
  to_float("sqrt", sqrt, [](double x, A) { return std::sqrt(x); });
  to_float("rsqrt", rsqrt, [](double x, A) { return 1 / std::sqrt(x); });
  to_float("sin", sin, [](double x, A) { return std::sin(x); });
  to_float("cos", cos, [](double x, A) { return std::cos(x); });
  to_float("tanh", tanh, [](double x, A) { return std::tanh(x); });
  to_float("sigmoid", sigmoid, [](double x, A) { return 1 / (1 + std::exp(-x)); });
  to_float("reciprocal", reciprocal, [](double x, A) { return 1 / x; });
  to_float("erf", erf, [](double x, A) { return std::erf(x); });
  to_float(
      "expm1", expm1, [](double x, A) { return std::expm1(x); }, true);
  to_float("log1p", log1p, [](double x, A) { return std::log1p(x); });
  floats("silu", silu, [](double x, A) { return x / (1 + std::exp(-x)); });
  floats("gelu", gelu, [](double x, A) { return 0.5 * x * (1 + std::erf(x / std::sqrt(2.0))); });
  floats("gelu_tanh", gelu_tanh,
         [](double x, A) { return 0.5 * x * (1 + std::tanh(std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x))); });
  floats("mish", mish, [](double x, A) { return times(x, std::tanh(softplus_of(x))); });
  floats("hardswish", hardswish,
         [](double x, A) { return std::isnan(x) ? x : x * std::fmin(std::fmax(x + 3, 0), 6) / 6; });
  floats("hardsigmoid", hardsigmoid,
         [](double x, A) { return std::isnan(x) ? x : std::fmin(std::fmax(x + 3, 0), 6) / 6; });
  floats("relu6", relu6, [](double x, A) { return std::isnan(x) ? x : std::fmin(std::fmax(x, 0), 6); });
  add_unary(table, {"elu",
                    [](const Tensor& x, A a) { return elu(x, a.get_double("alpha", 1)); },
                    [](double x, A a) { return x > 0 ? x : a.get_double("alpha", 1) * std::expm1(x); },
                    nullptr,
                    {"alpha"},
                    {{}, {{"alpha", 0.3}}}});
  add_unary(table, {"leaky_relu",
                    [](const Tensor& x, A a) { return leaky_relu(x, a.get_double("negative_slope", 0.01)); },
                    [](double x, A a) { return x > 0 ? x : x * a.get_double("negative_slope", 0.01); },
                    nullptr,
                    {"negative_slope"},
                    {{}, {{"negative_slope", 0.2}}}});
  add_unary(table,
            {"softplus",
             [](const Tensor& x, A a) { return softplus(x, a.get_double("beta", 1), a.get_double("threshold", 20)); },
             [](double x, A a) {
               double beta = a.get_double("beta", 1);
               return x * beta > a.get_double("threshold", 20) ? x : softplus_of(x * beta) / beta;
             },
             nullptr,
             {"beta", "threshold"},
             {{}, {{"beta", 2.5}, {"threshold", 3.0}}}});
  auto bound = [](A a, const char* key) { return a.has(key) ? std::optional(a.get_double(key)) : std::nullopt; };
  add_unary(
      table,
      {"clamp",
       [bound](const Tensor& x, A a) { return clamp(x, bound(a, "min"), bound(a, "max")); },
       [](double x, A a) {
         double y = x < a.get_double("min", -kInf) ? a.get_double("min", -kInf) : x;
         return y > a.get_double("max", kInf) ? a.get_double("max", kInf) : y;
       },
       [](int64_t x, A a) {
         if (a.has("min")) x = std::max(x, int64_t(a.get_double("min")));
         return a.has("max") ? std::min(x, int64_t(a.get_double("max"))) : x;
       },
       {"min", "max"},
       {{{"min", int64_t{1}}, {"max", int64_t{3}}}, {{"min", 2.0}}, {{"max", 1.0}}, {{"min", 2.0}, {"max", 1.0}}}});
  UnaryRow not_row{"logical_not", [](const Tensor& x, A) { return logical_not(x); },
                   [](double x, A) { return double(x == 0); }, [](int64_t x, A) { return int64_t(x == 0); }};
  not_row.bool_result = true;
  add_unary(table, not_row);
}

using Both = Tensor (*)(const Tensor&, const Tensor&);
using WithNumber = Tensor (*)(const Tensor&, double);

struct BinaryRow {
  const char* name;
  Both call;
  WithNumber call_number;
  F2 f;  // null: integers only
  I2 i;  // null: integers become floats, or are not taken
  bool bool_result = false;
  bool positive = false;  // operands in [0.5, 2)
  std::vector<DType> dtypes = kAll;
};

void add_binary(OpTable& table, const BinaryRow& row) {
  OpEntry e{.name = row.name, .arguments = {"other"}, .call = {}, .reference = {}, .dtypes = row.dtypes, .cases = {}};
  e.call = [row](const std::vector<Tensor>& in, const OpArgs& args) {
    if (in.size() == 1 && row.call_number) return std::vector{row.call_number(in[0], args.get_double("other"))};
    return std::vector{row.call(in.at(0), in.at(1))};
  };
  e.reference = [row](const std::vector<Tensor>& in, const OpArgs& args) {
    Dims sizes = in.size() == 1 ? in[0].sizes() : broadcast_shapes("reference", in[0].sizes(), in[1].sizes());
    Tensor x = broadcast(in[0], sizes);
    DType common = in.size() == 1 ? (in[0].dtype() == DType::kBool ? DType::kI64 : in[0].dtype())
                                  : promote(in[0].dtype(), in[1].dtype());
    if (!is_floating(common) && row.i) {
      std::vector<int64_t> a = to_int64s(x), b(a.size());
      if (in.size() == 2) b = to_int64s(broadcast(in[1], sizes));
      for (size_t k = 0; k < a.size(); k++)
        a[k] = row.i(a[k], in.size() == 2 ? b[k] : int64_t(args.get_double("other")));
      return std::vector{of_integers(a, sizes, row.bool_result ? DType::kBool : common)};
    }
    std::vector<double> a = to_doubles(x), b(a.size());
    if (in.size() == 2) b = to_doubles(broadcast(in[1], sizes));
    for (size_t k = 0; k < a.size(); k++) a[k] = row.f(a[k], in.size() == 2 ? b[k] : args.get_double("other"));
    if (row.bool_result) return std::vector{of_integers(std::vector<int64_t>(a.begin(), a.end()), sizes, DType::kBool)};
    return std::vector{tensor_of(a, sizes)};
  };
  Fill normal = row.positive ? Fill::kPositive : Fill::kNormal,
       special = row.positive ? Fill::kPositive : Fill::kSpecial;
  e.cases = {{{{{3, 5}, normal}, {{3, 5}, normal}}},
             {{{{2, 1300}, normal}, {{1300}, normal}}},
             {{{{2, 3, 4}, normal}, {{3, 1}, normal}}},
             {{{{3, 1}, normal}, {{2, 1, 4}, normal}}},
             {{{{0, 3}, normal}, {{1, 3}, normal}}},
             {{{{}, normal}, {{}, normal}}},
             {{{{6, 31}, special}, {{6, 31}, special}}},
             {{{{50}, Fill::kTies}, {{50}, row.positive ? Fill::kPositive : Fill::kTies}}},
             {{{{50}, Fill::kIndex, {}, 1, 12}, {{50}, Fill::kIndex, {}, 1, 5}}}};
  if (row.call_number)
    for (double other : {3.0, 1.0}) e.cases.push_back({{{{5, 33}, normal}}, {{"other", other}}});
  if (row.positive) e.cases.erase(e.cases.begin() + 7);
  table.add(e);
}

int64_t floor_mod(int64_t x, int64_t y) {
  if (y == 0 || y == -1) return 0;
  int64_t r = x % y;
  return (r < 0 && y > 0) || (r > 0 && y < 0) ? r + y : r;
}

void register_binary(OpTable& table) {
  using D = double;
  using I = int64_t;
  add_binary(table,
             {"add", add, add, [](D x, D y) { return x + y; }, [](I x, I y) { return I(uint64_t(x) + uint64_t(y)); }});
  add_binary(table, {"sub", sub, sub, [](D x, D y) { return x - y; },
                     [](I x, I y) { return I(uint64_t(x) - uint64_t(y)); }, false, false, kNumbers});
  add_binary(table,
             {"mul", mul, mul, [](D x, D y) { return x * y; }, [](I x, I y) { return I(uint64_t(x) * uint64_t(y)); }});
  add_binary(table, {"div", div, div, [](D x, D y) { return x / y; }, nullptr});
  add_binary(table, {"pow", pow, pow, [](D x, D y) { return std::pow(x, y); },
                     [](I x, I y) {
                       I r = 1;
                       for (I k = 0; k < y; k++) r = I(uint64_t(r) * uint64_t(x));
                       return y < 0 ? I(x == 1) - I(x == -1) * (y % 2 ? 1 : -1) : r;
                     },
                     false, true, kNumbers});
  add_binary(table, {"maximum", maximum, maximum,
                     [](D x, D y) { return std::isnan(x) || std::isnan(y) ? D(NAN) : std::fmax(x, y); },
                     [](I x, I y) { return std::max(x, y); }});
  add_binary(table, {"minimum", minimum, minimum,
                     [](D x, D y) { return std::isnan(x) || std::isnan(y) ? D(NAN) : std::fmin(x, y); },
                     [](I x, I y) { return std::min(x, y); }});
  add_binary(table, {"remainder", remainder, remainder,
                     [](D x, D y) {
                       D r = std::fmod(x, y);
                       return r != 0 && (r < 0) != (y < 0) ? r + y : r;
                     },
                     floor_mod});
  add_binary(table, {"eq", eq, eq, [](D x, D y) { return D(x == y); }, [](I x, I y) { return I(x == y); }, true});
  add_binary(table, {"ne", ne, ne, [](D x, D y) { return D(x != y); }, [](I x, I y) { return I(x != y); }, true});
  add_binary(table, {"lt", lt, lt, [](D x, D y) { return D(x < y); }, [](I x, I y) { return I(x < y); }, true});
  add_binary(table, {"le", le, le, [](D x, D y) { return D(x <= y); }, [](I x, I y) { return I(x <= y); }, true});
  add_binary(table, {"gt", gt, gt, [](D x, D y) { return D(x > y); }, [](I x, I y) { return I(x > y); }, true});
  add_binary(table, {"ge", ge, ge, [](D x, D y) { return D(x >= y); }, [](I x, I y) { return I(x >= y); }, true});
  add_binary(table, {"logical_and", logical_and, nullptr, [](D x, D y) { return D(x != 0 && y != 0); },
                     [](I x, I y) { return I(x && y); }, true});
  add_binary(table, {"logical_or", logical_or, nullptr, [](D x, D y) { return D(x != 0 || y != 0); },
                     [](I x, I y) { return I(x || y); }, true});
  add_binary(table,
             {"bitwise_and", bitwise_and, bitwise_and, nullptr, [](I x, I y) { return x & y; }, false, false, kInts});
  add_binary(table,
             {"bitwise_or", bitwise_or, bitwise_or, nullptr, [](I x, I y) { return x | y; }, false, false, kInts});
  add_binary(table,
             {"bitwise_xor", bitwise_xor, bitwise_xor, nullptr, [](I x, I y) { return x ^ y; }, false, false, kInts});
  add_binary(table, {"swiglu", swiglu, nullptr, [](D x, D y) { return x / (1 + std::exp(-x)) * y; }, nullptr, false,
                     false, kFloats});
}

void register_ternary(OpTable& table) {
  auto lists = [](const std::vector<Tensor>& in, Dims& sizes) {
    sizes = in[0].sizes();
    for (const Tensor& t : in) sizes = broadcast_shapes("reference", sizes, t.sizes());
    std::vector<std::vector<double>> v;
    for (const Tensor& t : in) v.push_back(to_doubles(broadcast(t, sizes)));
    return v;
  };
  auto result = [](const std::vector<double>& v, const Dims& sizes, DType like) {
    if (is_floating(like)) return std::vector{tensor_of(v, sizes)};
    return std::vector{of_integers(std::vector<int64_t>(v.begin(), v.end()), sizes, like)};
  };
  auto shapes = [](std::optional<DType> first, const OpArgs& args, Fill special = Fill::kSpecial) {
    auto spec = [&](Dims sizes, Fill fill = Fill::kNormal) { return InputSpec{sizes, fill, first}; };
    return std::vector<OpCase>{
        {{spec({3, 5}, first ? Fill::kTies : Fill::kNormal), {{3, 5}}, {{3, 5}}}, args},
        {{spec({2, 1, 1300}, first ? Fill::kTies : Fill::kNormal), {{1300}}, {{2, 1}}}, args},
        {{spec({}, Fill::kNormal), {{3, 4}}, {{}}}, args},
        {{spec({0, 4}, Fill::kNormal), {{4}}, {{1, 4}}}, args},
        {{spec({5, 37}, first ? Fill::kTies : special), {{5, 37}, special}, {{5, 37}, special}}, args}};
  };
  OpEntry where_entry{.name = "where", .arguments = {}, .call = {}, .reference = {}, .dtypes = kAll, .cases = {}};
  where_entry.dtypes.insert(where_entry.dtypes.end(), {DType::kF8E4M3, DType::kF8E5M2, DType::kF8E8M0});
  where_entry.call = [](const std::vector<Tensor>& in, const OpArgs&) {
    return std::vector{where(in.at(0), in.at(1), in.at(2))};
  };
  where_entry.reference = [=](const std::vector<Tensor>& in, const OpArgs&) {
    Dims sizes;
    auto v = lists(in, sizes);
    for (size_t i = 0; i < v[0].size(); i++) v[0][i] = v[0][i] != 0 ? v[1][i] : v[2][i];
    return result(v[0], sizes, in[1].dtype());
  };
  for (DType condition : {DType::kBool, DType::kF32, DType::kI64})
    for (OpCase& c : shapes(condition, {})) where_entry.cases.push_back(c);
  table.add(where_entry);

  OpEntry addcmul_entry{
      .name = "addcmul", .arguments = {"value"}, .call = {}, .reference = {}, .dtypes = kNumbers, .cases = {}};
  addcmul_entry.call = [](const std::vector<Tensor>& in, const OpArgs& args) {
    return std::vector{addcmul(in.at(0), in.at(1), in.at(2), args.get_double("value", 1))};
  };
  addcmul_entry.reference = [=](const std::vector<Tensor>& in, const OpArgs& args) {
    Dims sizes;
    if (!is_floating(in[0].dtype())) {
      lists(in, sizes);
      std::vector<int64_t> a = to_int64s(broadcast(in[0], sizes)), b = to_int64s(broadcast(in[1], sizes)),
                           c = to_int64s(broadcast(in[2], sizes));
      for (size_t i = 0; i < a.size(); i++)
        a[i] = int64_t(uint64_t(a[i]) + uint64_t(args.get_double("value", 1)) * uint64_t(b[i]) * uint64_t(c[i]));
      return std::vector{of_integers(a, sizes, in[0].dtype())};
    }
    auto v = lists(in, sizes);
    for (size_t i = 0; i < v[0].size(); i++) v[0][i] += args.get_double("value", 1) * v[1][i] * v[2][i];
    return result(v[0], sizes, in[1].dtype());
  };
  for (const OpArgs& args : {OpArgs{}, OpArgs{{"value", int64_t{3}}}})
    for (OpCase& c : shapes({}, args)) addcmul_entry.cases.push_back(c);
  table.add(addcmul_entry);

  OpEntry lerp_entry{
      .name = "lerp", .arguments = {"weight"}, .call = {}, .reference = {}, .dtypes = kFloats, .cases = {}};
  lerp_entry.call = [](const std::vector<Tensor>& in, const OpArgs& args) {
    return std::vector{in.size() > 2 ? lerp(in[0], in[1], in[2]) : lerp(in.at(0), in.at(1), args.get_double("weight"))};
  };
  lerp_entry.reference = [=](const std::vector<Tensor>& in, const OpArgs& args) {
    Dims sizes;
    auto v = lists(in, sizes);
    for (size_t i = 0; i < v[0].size(); i++)
      v[0][i] += (in.size() > 2 ? v[2][i] : args.get_double("weight")) * (v[1][i] - v[0][i]);
    return result(v[0], sizes, DType::kF64);
  };
  lerp_entry.cases = shapes({}, {}, Fill::kUniform);
  for (double weight : {0.0, 0.25, 0.75, 1.0}) lerp_entry.cases.push_back({{{{3, 50}}, {{50}}}, {{"weight", weight}}});
  table.add(lerp_entry);
}

}  // namespace

void register_pointwise(OpTable& table) {
  register_unary(table);
  register_binary(table);
  register_ternary(table);
}

}  // namespace ingot
