// Elements from one strided operand to another, converted. Where the dtypes are equal the host passes integers of their
// size, so bits are moved as they are.
#include <metal_stdlib>
#include "ingot/msl/wait_inputs.h"
#include "ingot/ops/elementwise_kernel.h"
using namespace metal;

constant int kFrom     [[function_constant(0)]];  // ElementType
constant int kTo       [[function_constant(1)]];
constant bool kUnusual [[function_constant(2)]];  // the other rule for float8 overflow: f8e4m3 to NaN, f8e5m2 saturating

template <typename I, typename U>
[[kernel, max_total_threads_per_threadgroup(256)]]
void copy_elements(device const uchar* x         [[buffer(0)]],
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
        float v;
        if (is_float_element(kFrom)) {
            v = load_float(x, kFrom, place.at[1]);
        } else {
            int64_t whole = load_int(x, kFrom, place.at[1]);
            if (!is_float_element(kTo)) {
                store_int(y, kTo, place.at[0], whole);
                continue;
            }
            v = float(whole);
        }
        if (!kUnusual) {
            store_float(y, kTo, place.at[0], v);
        } else if (kTo == kElementF8E4M3) {
            y[place.at[0]] = float_to_f8e4m3_nonsaturating(v);
        } else {
            y[place.at[0]] = float_to_f8e5m2_saturating(v);
        }
    }
}

template [[host_name("copy_elements_i32")]] [[kernel]] decltype(copy_elements<int, uint>)      copy_elements<int, uint>;
template [[host_name("copy_elements_i64")]] [[kernel]] decltype(copy_elements<int64_t, ulong>) copy_elements<int64_t, ulong>;
