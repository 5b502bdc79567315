// The operators of two operands: y = op(x, z); z may be a number.
#include <metal_stdlib>
#include "ingot/msl/wait_inputs.h"
#include "ingot/ops/pointwise/pointwise_kernel.h"
using namespace metal;

constant int kOp       [[function_constant(0)]];  // Binary
constant bool kInteger [[function_constant(1)]];  // computed in i64, not in f32
constant int kX        [[function_constant(2)]];  // ElementType
constant int kZ        [[function_constant(3)]];  // or kElementNumber
constant int kY        [[function_constant(4)]];

static inline float binary_float(float x, float z) {
  switch (kOp) {
    case int(Binary::kAdd): return e_add(x, z);
    case int(Binary::kSub): return e_sub(x, z);
    case int(Binary::kMul): return e_mul(x, z);
    case int(Binary::kDiv): return e_div(x, z);
    case int(Binary::kPow): return e_pow(x, z);
    case int(Binary::kMaximum): return e_maximum(x, z);
    case int(Binary::kMinimum): return e_minimum(x, z);
    case int(Binary::kRemainder): return e_remainder(x, z);
    case int(Binary::kEq): return e_eq(x, z);
    case int(Binary::kNe): return e_ne(x, z);
    case int(Binary::kLt): return e_lt(x, z);
    case int(Binary::kLe): return e_le(x, z);
    case int(Binary::kGt): return e_gt(x, z);
    case int(Binary::kGe): return e_ge(x, z);
    case int(Binary::kLogicalAnd): return e_logical_and(x, z);
    case int(Binary::kLogicalOr): return e_logical_or(x, z);
    case int(Binary::kSwiglu): return e_swiglu(x, z);
  }
  return x;
}

static inline int64_t binary_int(int64_t x, int64_t z) {
  switch (kOp) {
    case int(Binary::kAdd): return i_add(x, z);
    case int(Binary::kSub): return i_sub(x, z);
    case int(Binary::kMul): return i_mul(x, z);
    case int(Binary::kPow): return i_pow(x, z);
    case int(Binary::kMaximum): return e_maximum(x, z);
    case int(Binary::kMinimum): return e_minimum(x, z);
    case int(Binary::kRemainder): return i_remainder(x, z);
    case int(Binary::kEq): return e_eq(x, z);
    case int(Binary::kNe): return e_ne(x, z);
    case int(Binary::kLt): return e_lt(x, z);
    case int(Binary::kLe): return e_le(x, z);
    case int(Binary::kGt): return e_gt(x, z);
    case int(Binary::kGe): return e_ge(x, z);
    case int(Binary::kLogicalAnd): return e_logical_and(x, z);
    case int(Binary::kLogicalOr): return e_logical_or(x, z);
    case int(Binary::kBitwiseAnd): return i_and(x, z);
    case int(Binary::kBitwiseOr): return i_or(x, z);
    case int(Binary::kBitwiseXor): return i_xor(x, z);
  }
  return x;
}

template <typename I, typename U>
[[kernel, max_total_threads_per_threadgroup(256)]]
void pointwise_binary(device const uchar* x         [[buffer(0)]],
                     device const uchar* z         [[buffer(1)]],
                     device uchar* y               [[buffer(2)]],
                     constant ElementwiseParams& p [[buffer(3)]],
                     uint group                    [[threadgroup_position_in_grid]],
                     uint tid                      [[thread_position_in_threadgroup]])
{
    wait_inputs();
    I first = I(group) * (kElementwiseThreads * kElementsPerThread) + I(tid);
    for (int k = 0; k < kElementsPerThread; ++k) {
        I i = first + I(k * kElementwiseThreads);
        if (i >= I(p.count)) return;
        ElementPlaces<I> place = places_of<I, U>(p, i, 3);
        if (kInteger) {
            int64_t a = load_int(x, kX, place.at[1]), b = int_operand(z, kZ, place.at[2], p);
            store_int(y, kY, place.at[0], binary_int(a, b));
        } else {
            float a = load_float(x, kX, place.at[1]), b = float_operand(z, kZ, place.at[2], p);
            store_float(y, kY, place.at[0], binary_float(a, b));
        }
    }
}

template [[host_name("pointwise_binary_i32")]] [[kernel]] decltype(pointwise_binary<int, uint>) pointwise_binary<int, uint>;
template [[host_name("pointwise_binary_i64")]] [[kernel]] decltype(pointwise_binary<int64_t, ulong>) pointwise_binary<int64_t, ulong>;
