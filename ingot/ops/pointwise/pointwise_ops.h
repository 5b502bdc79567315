// The pointwise operations by number, for C++ and for kernels, which hold them in a function constant.
#pragma once
#ifndef __METAL_VERSION__
namespace ingot {
#endif

enum class Unary : int {
  kAbs,
  kNeg,
  kExp,
  kLog,
  kSqrt,
  kRsqrt,
  kSin,
  kCos,
  kTanh,
  kSigmoid,
  kRelu,
  kSilu,
  kGelu,
  kGeluTanh,
  kElu,
  kMish,
  kHardswish,
  kSoftplus,
  kSquare,
  kReciprocal,
  kFloor,
  kCeil,
  kRound,
  kSign,
  kErf,
  kExpm1,
  kLog1p,
  kLogicalNot,
  kClamp,
  kHardsigmoid,
  kLeakyRelu,
  kRelu6
};

enum class Binary : int {
  kAdd,
  kSub,
  kMul,
  kDiv,
  kPow,
  kMaximum,
  kMinimum,
  kRemainder,
  kEq,
  kNe,
  kLt,
  kLe,
  kGt,
  kGe,
  kLogicalAnd,
  kLogicalOr,
  kSwiglu,
  kBitwiseAnd,
  kBitwiseOr,
  kBitwiseXor
};

enum class Ternary : int { kWhere, kAddcmul, kLerp };

#ifndef __METAL_VERSION__
}  // namespace ingot
#endif
