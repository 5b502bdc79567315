// Picking elements by index, and adding to them. An index outside its axis is reported and skipped.
#include <metal_stdlib>
#include "ingot/msl/errors.h"
#include "ingot/msl/wait_inputs.h"
#include "ingot/ops/elementwise_kernel.h"
#include "ingot/ops/index/index_params.h"
using namespace metal;

constant int kType        [[function_constant(0)]];  // ElementType of x and y; picked elements move as integers
constant int kIndex       [[function_constant(1)]];  // kElementI32 or kElementI64
constant bool kFromTheEnd [[function_constant(2)]];  // negative indices count from the end

// The place along the axis, or -1 after a report.
static inline int64_t checked(int64_t index, int64_t limit, device ErrorSlot& errors) {
    if (index >= 0 && index < limit) return index;
    if (kFromTheEnd && index < 0 && index >= -limit) return index + limit;
    report_error(errors, 1, index, limit);
    return -1;
}

template <typename I, typename U>
[[kernel, max_total_threads_per_threadgroup(256)]]
void pick_elements(device const uchar* x     [[buffer(0)]],
                   device const uchar* index [[buffer(1)]],
                   device uchar* y           [[buffer(2)]],
                   constant IndexParams& p   [[buffer(3)]],
                   device ErrorSlot& errors  [[buffer(4)]],
                   uint group                [[threadgroup_position_in_grid]],
                   uint tid                  [[thread_position_in_threadgroup]])
{
    wait_inputs();
    I i = I(group) * 256 + I(tid);
    if (i >= I(p.count)) return;
    ElementPlaces<I> place = places_of<I, U>(p, i, 3);
    int64_t at = checked(load_int(index, kIndex, place.at[2]), p.limit, errors);
    if (at < 0) return;
    store_int(y, kType, place.at[0], load_int(x, kType, place.at[1] + I(at) * I(p.step)));
}

template [[host_name("pick_elements_i32")]] [[kernel]] decltype(pick_elements<int, uint>) pick_elements<int, uint>;
template [[host_name("pick_elements_i64")]] [[kernel]] decltype(pick_elements<int64_t, ulong>) pick_elements<int64_t, ulong>;

// A thread adds one column of `from`, in order, so repeated indices always add up alike.
[[kernel, max_total_threads_per_threadgroup(256)]]
void add_columns(device const uchar* from  [[buffer(0)]],
                 device const uchar* index [[buffer(1)]],
                 device uchar* y           [[buffer(2)]],
                 constant IndexParams& p   [[buffer(3)]],
                 device ErrorSlot& errors  [[buffer(4)]],
                 uint group                [[threadgroup_position_in_grid]],
                 uint tid                  [[thread_position_in_threadgroup]])
{
    wait_inputs();
    int64_t i = int64_t(group) * 256 + tid;
    if (i >= p.count) return;
    ElementPlaces<int64_t> column = places_of<int64_t, ulong>(p, i, 3);
    for (int64_t k = 0; k < p.length; ++k) {
        int64_t at = checked(load_int(index, kIndex, column.at[2] + k * p.index_step), p.limit, errors);
        if (at < 0) continue;
        int64_t to = column.at[0] + at * p.step;
        int64_t source = column.at[1] + k * p.source_step;
        if (is_float_element(kType)) {
            float v = load_float(from, kType, source);
            store_float(y, kType, to, load_float(y, kType, to) + (p.alpha == 1.0f ? v : v * p.alpha));
        } else {
            ulong v = ulong(load_int(from, kType, source)) * ulong(p.int_alpha);
            store_int(y, kType, to, int64_t(ulong(load_int(y, kType, to)) + v));
        }
    }
}
