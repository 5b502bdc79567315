// The kernels in f64 (the C library's functions) and in i64 (two's complement, wrapping).
#include <math.h>

#include <cstring>

#include "ingot/ops/pointwise/pointwise_kernels.h"

namespace ingot {

namespace {

#define INGOT_INLINE static inline __attribute__((always_inline, unused))

#include "ingot/ops/pointwise/pointwise_math.h"
//
#include "ingot/ops/pointwise/pointwise_expr.h"
//
#include "ingot/ops/pointwise/pointwise_int.h"
//
#include "ingot/ops/pointwise/pointwise_rows.h"

constexpr PointwiseKernels<double> kF64 = make_pointwise_kernels<double>();

using I = int64_t;

constexpr PointwiseKernels<I> make_i64() {
  PointwiseKernels<I> k{};
  auto unary = [&](Unary op) -> PointwiseKernels<I>::UnaryRow& { return k.unary[int(op)]; };
  auto binary = [&](Binary op) -> PointwiseKernels<I>::BinaryRow& { return k.binary[int(op)]; };
  unary(Unary::kAbs) = row1<I, i_abs>;
  unary(Unary::kNeg) = row1<I, i_neg>;
  unary(Unary::kRelu) = row1<I, e_relu<I>>;
  unary(Unary::kSquare) = row1<I, i_square>;
  unary(Unary::kFloor) = unary(Unary::kCeil) = unary(Unary::kRound) = row1<I, i_same>;
  unary(Unary::kSign) = row1<I, e_sign<I>>;
  unary(Unary::kLogicalNot) = row1<I, e_logical_not<I>>;
  unary(Unary::kClamp) = row1ab<I, e_clamp<I>>;
  binary(Binary::kAdd) = row2<I, i_add>;
  binary(Binary::kSub) = row2<I, i_sub>;
  binary(Binary::kMul) = row2<I, i_mul>;
  binary(Binary::kPow) = row2<I, i_pow>;
  binary(Binary::kMaximum) = row2<I, e_maximum<I>>;
  binary(Binary::kMinimum) = row2<I, e_minimum<I>>;
  binary(Binary::kRemainder) = row2<I, i_remainder>;
  binary(Binary::kEq) = row2<I, e_eq<I>>;
  binary(Binary::kNe) = row2<I, e_ne<I>>;
  binary(Binary::kLt) = row2<I, e_lt<I>>;
  binary(Binary::kLe) = row2<I, e_le<I>>;
  binary(Binary::kGt) = row2<I, e_gt<I>>;
  binary(Binary::kGe) = row2<I, e_ge<I>>;
  binary(Binary::kLogicalAnd) = row2<I, e_logical_and<I>>;
  binary(Binary::kLogicalOr) = row2<I, e_logical_or<I>>;
  binary(Binary::kBitwiseAnd) = row2<I, i_and>;
  binary(Binary::kBitwiseOr) = row2<I, i_or>;
  binary(Binary::kBitwiseXor) = row2<I, i_xor>;
  k.ternary[int(Ternary::kWhere)] = row3<I, e_where<I>>;
  k.ternary[int(Ternary::kAddcmul)] = row3a<I, i_addcmul>;
  return k;
}
constexpr PointwiseKernels<I> kI64 = make_i64();

}  // namespace

const PointwiseKernels<double>& pointwise_f64_kernels() { return kF64; }
const PointwiseKernels<int64_t>& pointwise_i64_kernels() { return kI64; }

}  // namespace ingot
