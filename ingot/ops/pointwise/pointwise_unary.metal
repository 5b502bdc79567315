// The operators of one operand: y = op(x), with up to two numbers.
#include <metal_stdlib>
#include "ingot/msl/wait_inputs.h"
#include "ingot/ops/pointwise/pointwise_kernel.h"
using namespace metal;

constant int kOp       [[function_constant(0)]];  // Unary
constant bool kInteger [[function_constant(1)]];  // computed in i64, not in f32
constant int kX        [[function_constant(2)]];  // ElementType
constant int kY        [[function_constant(3)]];

static inline float unary_float(float x, float a, float b) {
  switch (kOp) {
    case int(Unary::kAbs): return e_abs(x);
    case int(Unary::kNeg): return e_neg(x);
    case int(Unary::kExp): return e_exp(x);
    case int(Unary::kLog): return e_log(x);
    case int(Unary::kSqrt): return e_sqrt(x);
    case int(Unary::kRsqrt): return e_rsqrt(x);
    case int(Unary::kSin): return e_sin(x);
    case int(Unary::kCos): return e_cos(x);
    case int(Unary::kTanh): return e_tanh(x);
    case int(Unary::kSigmoid): return e_sigmoid(x);
    case int(Unary::kRelu): return e_relu(x);
    case int(Unary::kSilu): return e_silu(x);
    case int(Unary::kGelu): return e_gelu(x);
    case int(Unary::kGeluTanh): return e_gelu_tanh(x);
    case int(Unary::kElu): return e_elu(x, a);
    case int(Unary::kMish): return e_mish(x);
    case int(Unary::kHardswish): return e_hardswish(x);
    case int(Unary::kSoftplus): return e_softplus(x, a, b);
    case int(Unary::kSquare): return e_square(x);
    case int(Unary::kReciprocal): return e_reciprocal(x);
    case int(Unary::kFloor): return e_floor(x);
    case int(Unary::kCeil): return e_ceil(x);
    case int(Unary::kRound): return e_round(x);
    case int(Unary::kSign): return e_sign(x);
    case int(Unary::kErf): return e_erf(x);
    case int(Unary::kExpm1): return e_expm1(x);
    case int(Unary::kLog1p): return e_log1p(x);
    case int(Unary::kLogicalNot): return e_logical_not(x);
    case int(Unary::kClamp): return e_clamp(x, a, b);
    case int(Unary::kHardsigmoid): return e_hardsigmoid(x);
    case int(Unary::kLeakyRelu): return e_leaky_relu(x, a);
    case int(Unary::kRelu6): return e_relu6(x);
  }
  return x;
}

static inline int64_t unary_int(int64_t x, int64_t a, int64_t b) {
  switch (kOp) {
    case int(Unary::kAbs): return i_abs(x);
    case int(Unary::kNeg): return i_neg(x);
    case int(Unary::kRelu): return e_relu(x);
    case int(Unary::kSquare): return i_square(x);
    case int(Unary::kSign): return e_sign(x);
    case int(Unary::kLogicalNot): return e_logical_not(x);
    case int(Unary::kClamp): return e_clamp(x, a, b);
  }
  return x;  // floor, ceil and round
}

template <typename I, typename U>
[[kernel, max_total_threads_per_threadgroup(256)]]
void pointwise_unary(device const uchar* x         [[buffer(0)]],
                     device uchar* y               [[buffer(1)]],
                     constant ElementwiseParams& p [[buffer(2)]],
                     uint group                    [[threadgroup_position_in_grid]],
                     uint tid                      [[thread_position_in_threadgroup]])
{
    wait_inputs();
    I first = I(group) * (kElementwiseThreads * kElementsPerThread) + I(tid);
    for (int k = 0; k < kElementsPerThread; ++k) {
        I i = first + I(k * kElementwiseThreads);
        if (i >= I(p.count)) return;
        ElementPlaces<I> place = places_of<I, U>(p, i, 2);
        if (kInteger) {
            store_int(y, kY, place.at[0], unary_int(load_int(x, kX, place.at[1]), p.int_a, p.int_b));
        } else {
            store_float(y, kY, place.at[0], unary_float(load_float(x, kX, place.at[1]), p.a, p.b));
        }
    }
}

template [[host_name("pointwise_unary_i32")]] [[kernel]] decltype(pointwise_unary<int, uint>) pointwise_unary<int, uint>;
template [[host_name("pointwise_unary_i64")]] [[kernel]] decltype(pointwise_unary<int64_t, ulong>) pointwise_unary<int64_t, ulong>;
