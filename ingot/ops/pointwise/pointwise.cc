#include "ingot/ops/pointwise/pointwise.h"

#include <cmath>

#include "ingot/base/error.h"
#include "ingot/ops/copy/copy.h"
#include "ingot/ops/op_devices.h"
#include "ingot/ops/pointwise/pointwise_cpu.h"
#include "ingot/ops/pointwise/pointwise_gpu.h"
#include "ingot/tensor/stream.h"

namespace ingot {

namespace {

void check(const char* op, const Tensor& x) {
  if (!x.defined()) fail(ErrorKind::kArgument, op, "undefined tensor");
}
void refuse_float8(const char* op, DType t) {
  if (is_float8(t)) fail(ErrorKind::kArgument, op, cat("no arithmetic on ", t, ": cast first"));
}

void run_unary(const char* name, Unary op, DType dtype, const Tensor& x, const Tensor& y, double a, double b) {
  if (!y.device().is_cpu()) return unary_gpu(name, op, compute_dtype(dtype), x, y, a, b);
  cpu_stream().run(name, {x}, {y}, [=] { unary_cpu(op, compute_dtype(dtype), x, y, a, b); });
}

void run_binary(const char* name, Binary op, DType dtype, const Tensor& x, const Operand& z, const Tensor& y) {
  if (!y.device().is_cpu()) return binary_gpu(name, op, compute_dtype(dtype), x, z, y);
  cpu_stream().run(name, {x, z.tensor}, {y}, [=] { binary_cpu(op, compute_dtype(dtype), x, z, y); });
}

enum class Ints { kKeep, kKeepBoolToo, kToF32, kRefuse };

Tensor unary(const char* name, Unary op, Ints ints, const Tensor& x, double a = 0, double b = 0) {
  check(name, x);
  DType dtype = x.dtype();
  refuse_float8(name, dtype);
  if (!is_floating(dtype)) {
    if (ints == Ints::kRefuse) fail_argument(name, "dtype", "a floating one", ingot::name(dtype));
    if (ints == Ints::kKeep && dtype == DType::kBool)
      fail_argument(name, "dtype", "an integer or floating one", ingot::name(dtype));
    if (ints == Ints::kToF32) dtype = DType::kF32;
  }
  Tensor y = empty(x.sizes(), op == Unary::kLogicalNot ? DType::kBool : dtype, x.device());
  run_unary(name, op, dtype, x, y, a, b);
  return y;
}

int category(DType t) { return t == DType::kBool ? 0 : is_floating(t) ? 2 : 1; }

// The common dtype of two tensors; one without dimensions gives way to one with, unless of a higher category.
DType common_dtype(const char* op, const Tensor& x, const Tensor& y) {
  DType a = x.dtype(), b = y.dtype();
  if (a == b) return a;
  if (is_float8(a) || is_float8(b))
    fail(ErrorKind::kArgument, op, cat(a, " and ", b, " do not mix: cast the float8 tensor first"));
  if (x.dim() > 0 && y.dim() == 0) return category(b) > category(a) ? promote(a, b) : a;
  if (y.dim() > 0 && x.dim() == 0) return category(a) > category(b) ? promote(a, b) : b;
  return promote(a, b);
}
bool is_integral(double v) { return std::floor(v) == v && std::fabs(v) < 0x1p63; }
DType common_dtype(DType t, double number) {
  if (is_floating(t)) return t;
  if (!is_integral(number)) return DType::kF32;
  return t == DType::kBool ? DType::kI64 : t;
}

bool is_comparison(Binary op) { return op >= Binary::kEq && op <= Binary::kLogicalOr; }

// What the operator computes in, given its operands' common dtype; Error if it does not take it.
DType binary_dtype(const char* name, Binary op, DType t) {
  refuse_float8(name, t);
  if (op >= Binary::kBitwiseAnd && is_floating(t)) fail_argument(name, "dtype", "an integer or bool", ingot::name(t));
  if (op == Binary::kSwiglu && !is_floating(t)) fail_argument(name, "dtype", "a floating one", ingot::name(t));
  if (op == Binary::kSub && t == DType::kBool)
    fail(ErrorKind::kArgument, name, "no subtraction of bool: use bitwise_xor or logical_not");
  return op == Binary::kDiv && !is_floating(t) ? DType::kF32 : t;
}

Tensor binary(const char* name, Binary op, const Tensor& x, const Tensor& z) {
  check(name, x);
  check(name, z);
  check_one_device(name, {&x, &z});
  DType dtype = binary_dtype(name, op, common_dtype(name, x, z));
  Tensor y = empty(broadcast_shapes(name, x.sizes(), z.sizes()), is_comparison(op) ? DType::kBool : dtype, x.device());
  run_binary(name, op, dtype, x, z, y);
  return y;
}

Tensor binary(const char* name, Binary op, const Tensor& x, double number) {
  check(name, x);
  refuse_float8(name, x.dtype());
  // The bound of an integer comparison need not fit the tensor's dtype: it is computed in i64.
  DType dtype = binary_dtype(name, op, common_dtype(x.dtype(), number));
  if (op >= Binary::kBitwiseAnd && !is_integral(number)) fail_argument(name, "other", "an integer", cat(number));
  Tensor y = empty(x.sizes(), is_comparison(op) ? DType::kBool : dtype, x.device());
  if (op == Binary::kPow && number == 2) {
    run_unary(name, Unary::kSquare, dtype, x, y, 0, 0);
  } else {
    run_binary(name, op, dtype, x, number, y);
  }
  return y;
}

// Different dtypes are looked at each for itself: in the common one a small value might become 0.
Tensor logical(const char* name, Binary op, const Tensor& x, const Tensor& y) {
  check(name, x);
  check(name, y);
  if (x.dtype() == y.dtype()) return binary(name, op, x, y);
  refuse_float8(name, x.dtype());
  refuse_float8(name, y.dtype());
  return binary(name, op, to(x, DType::kBool), to(y, DType::kBool));
}

Tensor ternary(const char* name, Ternary op, DType dtype, const Tensor& x, const Tensor& z, const Operand& w,
               double a = 0) {
  check_one_device(name, {&x, &z, &w.tensor});
  Dims sizes = broadcast_shapes(name, x.sizes(), z.sizes());
  if (w.tensor.defined()) sizes = broadcast_shapes(name, sizes, w.tensor.sizes());
  Tensor y = empty(sizes, dtype, x.device());
  if (y.device().is_cpu()) {
    cpu_stream().run(name, {x, z, w.tensor}, {y}, [=] { ternary_cpu(op, compute_dtype(dtype), x, z, w, y, a); });
  } else {
    ternary_gpu(name, op, compute_dtype(dtype), x, z, w, y, a);
  }
  return y;
}

}  // namespace

Tensor abs(const Tensor& x) { return unary("abs", Unary::kAbs, Ints::kKeepBoolToo, x); }
Tensor neg(const Tensor& x) { return unary("neg", Unary::kNeg, Ints::kKeep, x); }
Tensor relu(const Tensor& x) { return unary("relu", Unary::kRelu, Ints::kKeep, x); }
Tensor square(const Tensor& x) { return unary("square", Unary::kSquare, Ints::kKeep, x); }
Tensor floor(const Tensor& x) { return unary("floor", Unary::kFloor, Ints::kKeepBoolToo, x); }
Tensor ceil(const Tensor& x) { return unary("ceil", Unary::kCeil, Ints::kKeepBoolToo, x); }
Tensor round(const Tensor& x) { return unary("round", Unary::kRound, Ints::kKeepBoolToo, x); }
Tensor sign(const Tensor& x) { return unary("sign", Unary::kSign, Ints::kKeepBoolToo, x); }
Tensor exp(const Tensor& x) { return unary("exp", Unary::kExp, Ints::kToF32, x); }
Tensor log(const Tensor& x) { return unary("log", Unary::kLog, Ints::kToF32, x); }
Tensor sqrt(const Tensor& x) { return unary("sqrt", Unary::kSqrt, Ints::kToF32, x); }
Tensor rsqrt(const Tensor& x) { return unary("rsqrt", Unary::kRsqrt, Ints::kToF32, x); }
Tensor sin(const Tensor& x) { return unary("sin", Unary::kSin, Ints::kToF32, x); }
Tensor cos(const Tensor& x) { return unary("cos", Unary::kCos, Ints::kToF32, x); }
Tensor tanh(const Tensor& x) { return unary("tanh", Unary::kTanh, Ints::kToF32, x); }
Tensor sigmoid(const Tensor& x) { return unary("sigmoid", Unary::kSigmoid, Ints::kToF32, x); }
Tensor reciprocal(const Tensor& x) { return unary("reciprocal", Unary::kReciprocal, Ints::kToF32, x); }
Tensor erf(const Tensor& x) { return unary("erf", Unary::kErf, Ints::kToF32, x); }
Tensor expm1(const Tensor& x) { return unary("expm1", Unary::kExpm1, Ints::kToF32, x); }
Tensor log1p(const Tensor& x) { return unary("log1p", Unary::kLog1p, Ints::kToF32, x); }
Tensor silu(const Tensor& x) { return unary("silu", Unary::kSilu, Ints::kRefuse, x); }
Tensor gelu(const Tensor& x) { return unary("gelu", Unary::kGelu, Ints::kRefuse, x); }
Tensor gelu_tanh(const Tensor& x) { return unary("gelu_tanh", Unary::kGeluTanh, Ints::kRefuse, x); }
Tensor elu(const Tensor& x, double alpha) { return unary("elu", Unary::kElu, Ints::kRefuse, x, alpha); }
Tensor mish(const Tensor& x) { return unary("mish", Unary::kMish, Ints::kRefuse, x); }
Tensor hardswish(const Tensor& x) { return unary("hardswish", Unary::kHardswish, Ints::kRefuse, x); }
Tensor hardsigmoid(const Tensor& x) { return unary("hardsigmoid", Unary::kHardsigmoid, Ints::kRefuse, x); }
Tensor softplus(const Tensor& x, double beta, double threshold) {
  return unary("softplus", Unary::kSoftplus, Ints::kRefuse, x, beta, threshold);
}
Tensor leaky_relu(const Tensor& x, double negative_slope) {
  return unary("leaky_relu", Unary::kLeakyRelu, Ints::kRefuse, x, negative_slope);
}
Tensor relu6(const Tensor& x) { return unary("relu6", Unary::kRelu6, Ints::kRefuse, x); }
Tensor logical_not(const Tensor& x) { return unary("logical_not", Unary::kLogicalNot, Ints::kKeepBoolToo, x); }

Tensor clamp(const Tensor& x, std::optional<double> min, std::optional<double> max) {
  check("clamp", x);
  if (!min && !max) fail(ErrorKind::kArgument, "clamp", "neither min nor max is given");
  if (is_floating(x.dtype()))
    return unary("clamp", Unary::kClamp, Ints::kKeep, x, min.value_or(-INFINITY), max.value_or(INFINITY));
  // A bound with a fraction is an error rather than a float result; one beyond the dtype is moved to its end.
  double bits = x.dtype() == DType::kBool ? 1 : 8 * double(itemsize(x.dtype()));
  bool has_sign = x.dtype() != DType::kBool && x.dtype() != DType::kU8;
  double high = std::exp2(has_sign ? bits - 1 : bits) - 1, low = has_sign ? -std::exp2(bits - 1) : 0;
  auto bound = [&](const char* what, std::optional<double> v, double absent) {
    if (!v) return absent;
    if (std::floor(*v) != *v) fail_argument("clamp", what, "an integer for an integer tensor", cat(*v));
    return *v < low ? low : *v > high ? high : *v;
  };
  return unary("clamp", Unary::kClamp, Ints::kKeepBoolToo, x, bound("min", min, -INFINITY),
               bound("max", max, INFINITY));
}

Tensor add(const Tensor& x, const Tensor& y) { return binary("add", Binary::kAdd, x, y); }
Tensor sub(const Tensor& x, const Tensor& y) { return binary("sub", Binary::kSub, x, y); }
Tensor mul(const Tensor& x, const Tensor& y) { return binary("mul", Binary::kMul, x, y); }
Tensor div(const Tensor& x, const Tensor& y) { return binary("div", Binary::kDiv, x, y); }
Tensor pow(const Tensor& x, const Tensor& y) { return binary("pow", Binary::kPow, x, y); }
Tensor maximum(const Tensor& x, const Tensor& y) { return binary("maximum", Binary::kMaximum, x, y); }
Tensor minimum(const Tensor& x, const Tensor& y) { return binary("minimum", Binary::kMinimum, x, y); }
Tensor remainder(const Tensor& x, const Tensor& y) { return binary("remainder", Binary::kRemainder, x, y); }
Tensor eq(const Tensor& x, const Tensor& y) { return binary("eq", Binary::kEq, x, y); }
Tensor ne(const Tensor& x, const Tensor& y) { return binary("ne", Binary::kNe, x, y); }
Tensor lt(const Tensor& x, const Tensor& y) { return binary("lt", Binary::kLt, x, y); }
Tensor le(const Tensor& x, const Tensor& y) { return binary("le", Binary::kLe, x, y); }
Tensor gt(const Tensor& x, const Tensor& y) { return binary("gt", Binary::kGt, x, y); }
Tensor ge(const Tensor& x, const Tensor& y) { return binary("ge", Binary::kGe, x, y); }
Tensor logical_and(const Tensor& x, const Tensor& y) { return logical("logical_and", Binary::kLogicalAnd, x, y); }
Tensor logical_or(const Tensor& x, const Tensor& y) { return logical("logical_or", Binary::kLogicalOr, x, y); }
Tensor bitwise_and(const Tensor& x, const Tensor& y) { return binary("bitwise_and", Binary::kBitwiseAnd, x, y); }
Tensor bitwise_or(const Tensor& x, const Tensor& y) { return binary("bitwise_or", Binary::kBitwiseOr, x, y); }
Tensor bitwise_xor(const Tensor& x, const Tensor& y) { return binary("bitwise_xor", Binary::kBitwiseXor, x, y); }
Tensor swiglu(const Tensor& gate, const Tensor& up) { return binary("swiglu", Binary::kSwiglu, gate, up); }

Tensor add(const Tensor& x, double y) { return binary("add", Binary::kAdd, x, y); }
Tensor sub(const Tensor& x, double y) { return binary("sub", Binary::kSub, x, y); }
Tensor mul(const Tensor& x, double y) { return binary("mul", Binary::kMul, x, y); }
Tensor div(const Tensor& x, double y) { return binary("div", Binary::kDiv, x, y); }
Tensor pow(const Tensor& x, double y) { return binary("pow", Binary::kPow, x, y); }
Tensor maximum(const Tensor& x, double y) { return binary("maximum", Binary::kMaximum, x, y); }
Tensor minimum(const Tensor& x, double y) { return binary("minimum", Binary::kMinimum, x, y); }
Tensor remainder(const Tensor& x, double y) { return binary("remainder", Binary::kRemainder, x, y); }
Tensor eq(const Tensor& x, double y) { return binary("eq", Binary::kEq, x, y); }
Tensor ne(const Tensor& x, double y) { return binary("ne", Binary::kNe, x, y); }
Tensor lt(const Tensor& x, double y) { return binary("lt", Binary::kLt, x, y); }
Tensor le(const Tensor& x, double y) { return binary("le", Binary::kLe, x, y); }
Tensor gt(const Tensor& x, double y) { return binary("gt", Binary::kGt, x, y); }
Tensor ge(const Tensor& x, double y) { return binary("ge", Binary::kGe, x, y); }
Tensor bitwise_and(const Tensor& x, double y) { return binary("bitwise_and", Binary::kBitwiseAnd, x, y); }
Tensor bitwise_or(const Tensor& x, double y) { return binary("bitwise_or", Binary::kBitwiseOr, x, y); }
Tensor bitwise_xor(const Tensor& x, double y) { return binary("bitwise_xor", Binary::kBitwiseXor, x, y); }

Tensor where(const Tensor& condition, const Tensor& x, const Tensor& y) {
  check("where", condition);
  refuse_float8("where", condition.dtype());
  check("where", x);
  check("where", y);
  // Not by way of the result's dtype, in which a small condition might become 0.
  return ternary("where", Ternary::kWhere, common_dtype("where", x, y), to(condition, DType::kBool), x, y);
}

Tensor addcmul(const Tensor& x, const Tensor& y, const Tensor& z, double value) {
  check("addcmul", x);
  check("addcmul", y);
  check("addcmul", z);
  DType dtype = common_dtype("addcmul", x, y);
  if (z.dtype() != dtype) dtype = promote(dtype, z.dtype());
  refuse_float8("addcmul", dtype);
  if (!is_floating(dtype) && !is_integral(value))
    fail_argument("addcmul", "value", "an integer for integer tensors", cat(value));
  return ternary("addcmul", Ternary::kAddcmul, dtype, x, y, z, value);
}

namespace {
DType lerp_dtype(const Tensor& x, const Tensor& y) {
  check("lerp", x);
  check("lerp", y);
  DType dtype = common_dtype("lerp", x, y);
  refuse_float8("lerp", dtype);
  if (!is_floating(dtype)) fail_argument("lerp", "dtype", "a floating one", name(dtype));
  return dtype;
}
}  // namespace

Tensor lerp(const Tensor& x, const Tensor& y, double weight) {
  return ternary("lerp", Ternary::kLerp, lerp_dtype(x, y), x, y, weight);
}
Tensor lerp(const Tensor& x, const Tensor& y, const Tensor& weight) {
  DType dtype = lerp_dtype(x, y);
  check("lerp", weight);
  refuse_float8("lerp", weight.dtype());
  if (weight.dtype() != dtype) dtype = promote(dtype, weight.dtype());
  return ternary("lerp", Ternary::kLerp, dtype, x, y, weight);
}

}  // namespace ingot
