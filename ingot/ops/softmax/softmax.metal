// Softmax and its logarithm along the rows of x. One read finds a row's largest value and the sum of exp(x - largest),
// kept together as the largest grows; a second one writes. A long row is cut among several groups, whose (largest, sum)
// pairs go through memory.
#include <metal_stdlib>
#include "ingot/msl/wait_inputs.h"
#include "ingot/ops/elementwise_kernel.h"
#include "ingot/ops/rows_kernel.h"
using namespace metal;

constant bool kLog    [[function_constant(0)]];
constant int kX       [[function_constant(1)]];  // ElementType
constant int kY       [[function_constant(2)]];
constant bool kWide   [[function_constant(3)]];  // a row is done by a whole group, not by a simdgroup
constant bool kVector [[function_constant(4)]];  // 4 elements at a time: dense, aligned rows

struct Stats {
    float largest;
    float sum;
};

// Below every number, so that exp(x - largest) is right from the first on; of -inf alone the sum stays 0, which makes the
// row NaN in the end. A NaN or +inf makes the sum NaN.
static inline Stats no_stats() {
    Stats s;
    s.largest = -3.402823466e38f;
    s.sum = 0.0f;
    return s;
}

static inline Stats joined(Stats a, Stats b) {
    Stats s;
    s.largest = max(a.largest, b.largest);
    s.sum = a.sum * exp(a.largest - s.largest) + b.sum * exp(b.largest - s.largest);
    return s;
}

static inline Stats joined_lanes(Stats s) {
    float largest = simd_max(s.largest);
    s.sum = simd_sum(s.sum * exp(s.largest - largest));
    s.largest = largest;
    return s;
}

// Of elements [begin, end), the caller taking every width-th from its own on.
static inline Stats stats_of(device const uchar* x, int64_t at, int64_t step, int64_t begin, int64_t end, uint own,
                             uint width) {
    Stats s = no_stats();
    if (kVector) {
        for (int64_t i = begin / 4 + own; i < end / 4; i += width) {
            float4 v = load_float4(x, kX, at / 4 + i);
            float largest = max(s.largest, max(max(v.x, v.y), max(v.z, v.w)));
            float sum = exp(v.x - largest) + exp(v.y - largest) + exp(v.z - largest) + exp(v.w - largest);
            s.sum = s.sum * exp(s.largest - largest) + sum;
            s.largest = largest;
        }
        return s;
    }
    for (int64_t i = begin + own; i < end; i += width) {
        float v = load_float(x, kX, at + i * step);
        float largest = max(s.largest, v);
        s.sum = s.sum * exp(s.largest - largest) + exp(v - largest);
        s.largest = largest;
    }
    return s;
}

static inline float result_of(float v, Stats row, float last) {
    return kLog ? (v - row.largest) - last : exp(v - row.largest) * last;
}

static inline void write(device const uchar* x, device uchar* y, constant RowsParams& p, RowPlaces row, Stats s,
                         int64_t begin, int64_t end, uint own, uint width) {
    float last = kLog ? log(s.sum) : 1.0f / s.sum;
    if (kVector) {
        for (int64_t i = begin / 4 + own; i < end / 4; i += width) {
            float4 v = load_float4(x, kX, row.at[1] / 4 + i);
            v = float4(result_of(v.x, s, last), result_of(v.y, s, last), result_of(v.z, s, last),
                       result_of(v.w, s, last));
            store_float4(y, kY, row.at[0] / 4 + i, v);
        }
        return;
    }
    for (int64_t i = begin + own; i < end; i += width) {
        float v = load_float(x, kX, row.at[1] + i * p.steps[1]);
        store_float(y, kY, row.at[0] + i * p.steps[0], result_of(v, s, last));
    }
}

// Joins the statistics of all threads of a group.
static inline Stats joined_group(Stats s, threadgroup float* largests, threadgroup float* sums, uint lane, uint simdgroup,
                                 uint simdgroups) {
    s = joined_lanes(s);
    if (lane == 0) {
        largests[simdgroup] = s.largest;
        sums[simdgroup] = s.sum;
    }
    threadgroup_barrier(mem_flags::mem_threadgroup);
    s = no_stats();
    if (lane < simdgroups) {
        s.largest = largests[lane];
        s.sum = sums[lane];
    }
    return joined_lanes(s);
}

[[kernel, max_total_threads_per_threadgroup(256)]]
void softmax_rows(device const uchar* x  [[buffer(0)]],
                  device uchar* y        [[buffer(1)]],
                  constant RowsParams& p [[buffer(2)]],
                  uint group             [[threadgroup_position_in_grid]],
                  uint tid               [[thread_position_in_threadgroup]],
                  uint lane              [[thread_index_in_simdgroup]],
                  uint simdgroup         [[simdgroup_index_in_threadgroup]],
                  uint simdgroups        [[simdgroups_per_threadgroup]])
{
    threadgroup float largests[8];
    threadgroup float sums[8];
    wait_inputs();
    int64_t index = kWide ? int64_t(group) : int64_t(group) * simdgroups + simdgroup;
    if (index >= p.count) return;
    RowPlaces row = row_places(p, index, 2);
    uint own = kWide ? tid : lane;
    uint width = kWide ? simdgroups * 32 : 32;
    Stats s = stats_of(x, row.at[1], p.steps[1], 0, p.length, own, width);
    if (kWide) {
        s = joined_group(s, largests, sums, lane, simdgroup, simdgroups);
    } else {
        s = joined_lanes(s);
    }
    write(x, y, p, row, s, 0, p.length, own, width);
}

// A row is p.splits groups' work, each taking p.split_length elements of it.
[[kernel, max_total_threads_per_threadgroup(256)]]
void softmax_partial(device const uchar* x  [[buffer(0)]],
                     device float* partial  [[buffer(1)]],
                     constant RowsParams& p [[buffer(2)]],
                     uint group             [[threadgroup_position_in_grid]],
                     uint tid               [[thread_position_in_threadgroup]],
                     uint lane              [[thread_index_in_simdgroup]],
                     uint simdgroup         [[simdgroup_index_in_threadgroup]],
                     uint simdgroups        [[simdgroups_per_threadgroup]])
{
    threadgroup float largests[8];
    threadgroup float sums[8];
    wait_inputs();
    RowPlaces row = row_places(p, int64_t(group / uint(p.splits)), 2);
    int64_t begin = int64_t(group % uint(p.splits)) * p.split_length;
    int64_t end = min(begin + p.split_length, int64_t(p.length));
    Stats s = stats_of(x, row.at[1], p.steps[1], begin, end, tid, simdgroups * 32);
    s = joined_group(s, largests, sums, lane, simdgroup, simdgroups);
    if (tid == 0) {
        partial[int64_t(group) * 2] = s.largest;
        partial[int64_t(group) * 2 + 1] = s.sum;
    }
}

[[kernel, max_total_threads_per_threadgroup(256)]]
void softmax_finish(device const uchar* x       [[buffer(0)]],
                    device const float* partial [[buffer(1)]],
                    device uchar* y             [[buffer(2)]],
                    constant RowsParams& p      [[buffer(3)]],
                    uint group                  [[threadgroup_position_in_grid]],
                    uint tid                    [[thread_position_in_threadgroup]],
                    uint lane                   [[thread_index_in_simdgroup]],
                    uint simdgroups             [[simdgroups_per_threadgroup]])
{
    wait_inputs();
    int64_t index = int64_t(group / uint(p.splits));
    RowPlaces row = row_places(p, index, 2);
    Stats s = no_stats();
    for (int i = int(lane); i < p.splits; i += 32) {
        Stats other;
        other.largest = partial[(index * p.splits + i) * 2];
        other.sum = partial[(index * p.splits + i) * 2 + 1];
        s = joined(s, other);
    }
    s = joined_lanes(s);
    int64_t begin = int64_t(group % uint(p.splits)) * p.split_length;
    int64_t end = min(begin + p.split_length, int64_t(p.length));
    write(x, y, p, row, s, begin, end, tid, simdgroups * 32);
}
