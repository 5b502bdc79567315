// Operators that work element by element. Names, argument order and type promotion are PyTorch's.
//
// Operands of any strides broadcast as in NumPy; the result is contiguous. f16 and bf16 compute in f32 and round once
// at the end, f64 in f64, integers in two's complement that wraps. A tensor without dimensions, or a number, decides
// the result's dtype only if it is of a higher category (bool < integer < float) than the other operand; a number
// without fraction counts as an integer. Float8 tensors are refused: cast first (where moves them as they are). NaN
// goes in, NaN comes out, unless said otherwise. Empty tensors give empty results.
#pragma once
#include <optional>

#include "ingot/tensor/tensor.h"

namespace ingot {

// Of integers: integers of the same dtype. Bool is refused but by abs, floor, ceil, round, sign and clamp.
INGOT_API Tensor abs(const Tensor& x);  // wraps for the smallest integer
INGOT_API Tensor neg(const Tensor& x);
INGOT_API Tensor relu(const Tensor& x);  // x < 0 ? 0 : x
INGOT_API Tensor square(const Tensor& x);
INGOT_API Tensor floor(const Tensor& x);
INGOT_API Tensor ceil(const Tensor& x);
INGOT_API Tensor round(const Tensor& x);  // half to even
INGOT_API Tensor sign(const Tensor& x);   // 0 for NaN
// Absent bounds do not bound; max where min > max. Error if both are absent.
INGOT_API Tensor clamp(const Tensor& x, std::optional<double> min, std::optional<double> max);

// Of integers and bool: f32.
INGOT_API Tensor exp(const Tensor& x);
INGOT_API Tensor log(const Tensor& x);  // -inf at 0, NaN below
INGOT_API Tensor sqrt(const Tensor& x);
INGOT_API Tensor rsqrt(const Tensor& x);
INGOT_API Tensor sin(const Tensor& x);  // accurate for arguments of any size
INGOT_API Tensor cos(const Tensor& x);
INGOT_API Tensor tanh(const Tensor& x);
INGOT_API Tensor sigmoid(const Tensor& x);
INGOT_API Tensor reciprocal(const Tensor& x);
INGOT_API Tensor erf(const Tensor& x);
INGOT_API Tensor expm1(const Tensor& x);
INGOT_API Tensor log1p(const Tensor& x);

// Floating only. For finite x none of them gives NaN; silu, gelu, gelu_tanh, mish and hardswish of -inf are NaN (-inf
// times 0), as in PyTorch.
INGOT_API Tensor silu(const Tensor& x);                   // x sigmoid(x)
INGOT_API Tensor gelu(const Tensor& x);                   // x (1 + erf(x / sqrt 2)) / 2
INGOT_API Tensor gelu_tanh(const Tensor& x);              // x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))) / 2
INGOT_API Tensor elu(const Tensor& x, double alpha = 1);  // x > 0 ? x : alpha (e^x - 1)
INGOT_API Tensor mish(const Tensor& x);                   // x tanh(log(1 + e^x))
INGOT_API Tensor hardswish(const Tensor& x);              // x clamp(x + 3, 0, 6) / 6
INGOT_API Tensor hardsigmoid(const Tensor& x);            // clamp(x + 3, 0, 6) / 6
INGOT_API Tensor softplus(const Tensor& x, double beta = 1,
                          double threshold = 20);  // log(1 + e^(beta x)) / beta; x where beta x > threshold
INGOT_API Tensor leaky_relu(const Tensor& x, double negative_slope = 0.01);
INGOT_API Tensor relu6(const Tensor& x);  // clamp(x, 0, 6)

INGOT_API Tensor logical_not(const Tensor& x);  // bool

// Arithmetic in the promoted dtype. sub refuses bool; div of integers gives f32.
INGOT_API Tensor add(const Tensor& x, const Tensor& y);
INGOT_API Tensor sub(const Tensor& x, const Tensor& y);
INGOT_API Tensor mul(const Tensor& x, const Tensor& y);
INGOT_API Tensor div(const Tensor& x, const Tensor& y);
INGOT_API Tensor pow(const Tensor& x, const Tensor& y);  // integers: a negative exponent gives 0 but for bases 1 and -1
INGOT_API Tensor maximum(const Tensor& x, const Tensor& y);
INGOT_API Tensor minimum(const Tensor& x, const Tensor& y);
INGOT_API Tensor remainder(const Tensor& x, const Tensor& y);  // has the sign of y; by integer 0: 0
INGOT_API Tensor add(const Tensor& x, double y);
INGOT_API Tensor sub(const Tensor& x, double y);
INGOT_API Tensor mul(const Tensor& x, double y);
INGOT_API Tensor div(const Tensor& x, double y);
INGOT_API Tensor pow(const Tensor& x, double y);
INGOT_API Tensor maximum(const Tensor& x, double y);
INGOT_API Tensor minimum(const Tensor& x, double y);
INGOT_API Tensor remainder(const Tensor& x, double y);

// Comparisons, in the promoted dtype; bool results. NaN is unequal to everything.
INGOT_API Tensor eq(const Tensor& x, const Tensor& y);
INGOT_API Tensor ne(const Tensor& x, const Tensor& y);
INGOT_API Tensor lt(const Tensor& x, const Tensor& y);
INGOT_API Tensor le(const Tensor& x, const Tensor& y);
INGOT_API Tensor gt(const Tensor& x, const Tensor& y);
INGOT_API Tensor ge(const Tensor& x, const Tensor& y);
INGOT_API Tensor eq(const Tensor& x, double y);
INGOT_API Tensor ne(const Tensor& x, double y);
INGOT_API Tensor lt(const Tensor& x, double y);
INGOT_API Tensor le(const Tensor& x, double y);
INGOT_API Tensor gt(const Tensor& x, double y);
INGOT_API Tensor ge(const Tensor& x, double y);

// Of x != 0 and y != 0 (NaN counts as true); bool results.
INGOT_API Tensor logical_and(const Tensor& x, const Tensor& y);
INGOT_API Tensor logical_or(const Tensor& x, const Tensor& y);
// Integers and bool only.
INGOT_API Tensor bitwise_and(const Tensor& x, const Tensor& y);
INGOT_API Tensor bitwise_or(const Tensor& x, const Tensor& y);
INGOT_API Tensor bitwise_xor(const Tensor& x, const Tensor& y);
INGOT_API Tensor bitwise_and(const Tensor& x, double y);
INGOT_API Tensor bitwise_or(const Tensor& x, double y);
INGOT_API Tensor bitwise_xor(const Tensor& x, double y);

// silu(gate) * up, rounded once; floating only.
INGOT_API Tensor swiglu(const Tensor& gate, const Tensor& up);

// condition != 0 ? x : y; any dtypes that promote.
INGOT_API Tensor where(const Tensor& condition, const Tensor& x, const Tensor& y);
// x + value * y * z. For integers value must have no fraction.
INGOT_API Tensor addcmul(const Tensor& x, const Tensor& y, const Tensor& z, double value = 1);
// x + weight (y - x), exact at weights 0 and 1; floating only.
INGOT_API Tensor lerp(const Tensor& x, const Tensor& y, double weight);
INGOT_API Tensor lerp(const Tensor& x, const Tensor& y, const Tensor& weight);

}  // namespace ingot
