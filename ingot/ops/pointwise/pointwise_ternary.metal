// The operators of three operands: y = op(x, z, w, b); w may be a number.
#include <metal_stdlib>
#include "ingot/msl/wait_inputs.h"
#include "ingot/ops/pointwise/pointwise_kernel.h"
using namespace metal;

constant int kOp       [[function_constant(0)]];  // Ternary
constant bool kInteger [[function_constant(1)]];  // computed in i64, not in f32
constant int kX        [[function_constant(2)]];  // ElementType
constant int kZ        [[function_constant(3)]];
constant int kW        [[function_constant(4)]];  // or kElementNumber
constant int kY        [[function_constant(5)]];

static inline float ternary_float(float x, float z, float w, float b) {
  switch (kOp) {
    case int(Ternary::kWhere): return e_where(x, z, w);
    case int(Ternary::kAddcmul): return e_addcmul(x, z, w, b);
  }
  return e_lerp(x, z, w);
}

static inline int64_t ternary_int(int64_t x, int64_t z, int64_t w, int64_t b) {
  return kOp == int(Ternary::kWhere) ? e_where(x, z, w) : i_addcmul(x, z, w, b);
}

template <typename I, typename U>
[[kernel, max_total_threads_per_threadgroup(256)]]
void pointwise_ternary(device const uchar* x         [[buffer(0)]],
                     device const uchar* z         [[buffer(1)]],
                     device const uchar* w         [[buffer(2)]],
                     device uchar* y               [[buffer(3)]],
                     constant ElementwiseParams& p [[buffer(4)]],
                     uint group                    [[threadgroup_position_in_grid]],
                     uint tid                      [[thread_position_in_threadgroup]])
{
    wait_inputs();
    I first = I(group) * (kElementwiseThreads * kElementsPerThread) + I(tid);
    for (int k = 0; k < kElementsPerThread; ++k) {
        I i = first + I(k * kElementwiseThreads);
        if (i >= I(p.count)) return;
        ElementPlaces<I> place = places_of<I, U>(p, i, 4);
        if (kInteger) {
            int64_t a = load_int(x, kX, place.at[1]), b = load_int(z, kZ, place.at[2]);
            int64_t c = int_operand(w, kW, place.at[3], p);
            store_int(y, kY, place.at[0], ternary_int(a, b, c, p.int_b));
        } else {
            float a = load_float(x, kX, place.at[1]), b = load_float(z, kZ, place.at[2]);
            float c = float_operand(w, kW, place.at[3], p);
            store_float(y, kY, place.at[0], ternary_float(a, b, c, p.b));
        }
    }
}

template [[host_name("pointwise_ternary_i32")]] [[kernel]] decltype(pointwise_ternary<int, uint>) pointwise_ternary<int, uint>;
template [[host_name("pointwise_ternary_i64")]] [[kernel]] decltype(pointwise_ternary<int64_t, ulong>) pointwise_ternary<int64_t, ulong>;
