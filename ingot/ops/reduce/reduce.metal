// Reductions along any axes. Each output's elements are taken by a thread, a simdgroup or a group, joined in a fixed tree,
// and, where they were cut into chunks, joined again by reduce_join: the same bits at every run.
#include <metal_stdlib>
#include "ingot/msl/wait_inputs.h"
#include "ingot/ops/elementwise_kernel.h"
#include "ingot/ops/reduce/reduce_ops.h"
using namespace metal;

constant int kOp       [[function_constant(0)]];  // Reduction
constant int kFinish   [[function_constant(1)]];  // Finish
constant bool kInteger [[function_constant(2)]];  // in i64, wrapping
constant int kX        [[function_constant(3)]];  // ElementType
constant int kY        [[function_constant(4)]];
constant int kBy       [[function_constant(5)]];  // ReduceBy
constant bool kPartial [[function_constant(6)]];  // states are written, not results
constant bool kCentred [[function_constant(7)]];  // kDeviations and kExpSum

// Sums of floats are held in two: `low` is what adding to `high` has lost. Everything else needs one of the members.
struct State {
    float high;
    float low;
    int64_t whole;
};

static inline bool is_sum() {
    return kOp == int(Reduction::kSum) || kOp == int(Reduction::kDeviations) || kOp == int(Reduction::kExpSum);
}

static inline State start() {
    State s;
    s.high = 0.0f;
    s.low = 0.0f;
    s.whole = 0;
    if (kOp == int(Reduction::kProd)) {
        s.high = 1.0f;
        s.whole = 1;
    } else if (kOp == int(Reduction::kMax)) {
        s.high = -INFINITY;
        s.whole = -0x7FFFFFFFFFFFFFFF - 1;
    } else if (kOp == int(Reduction::kMin)) {
        s.high = INFINITY;
        s.whole = 0x7FFFFFFFFFFFFFFF;
    }
    return s;
}

static inline State joined(State a, State b) {
    if (kInteger) {
        if (kOp == int(Reduction::kMax)) {
            a.whole = max(a.whole, b.whole);
        } else if (kOp == int(Reduction::kMin)) {
            a.whole = min(a.whole, b.whole);
        } else if (kOp == int(Reduction::kProd)) {
            a.whole = int64_t(ulong(a.whole) * ulong(b.whole));
        } else {
            a.whole = int64_t(ulong(a.whole) + ulong(b.whole));
        }
    } else if (is_sum()) {
        float sum = a.high + b.high;
        float back = sum - a.high;
        a.low += b.low + ((a.high - (sum - back)) + (b.high - back));
        a.high = sum;
    } else if (kOp == int(Reduction::kProd)) {
        a.high *= b.high;
    } else if (kOp == int(Reduction::kMax)) {
        a.high = b.high > a.high || isnan(b.high) ? b.high : a.high;
    } else {
        a.high = b.high < a.high || isnan(b.high) ? b.high : a.high;
    }
    return a;
}

// `center` is the output's mean for kDeviations, its largest for kExpSum.
template <typename I>
State element(device const uchar* x, I at, float center) {
    State s;
    s.high = 0.0f;
    s.low = 0.0f;
    s.whole = 0;
    if (kInteger) {
        s.whole = load_int(x, kX, at);
        return s;
    }
    float v = load_float(x, kX, at);
    if (kOp == int(Reduction::kDeviations)) v = (v - center) * (v - center);
    if (kOp == int(Reduction::kExpSum)) v = exp(v - center);
    s.high = v;
    return s;
}

static inline State from_lane(State s, ushort distance) {
    State other;
    other.high = simd_shuffle_xor(s.high, distance);
    other.low = simd_shuffle_xor(s.low, distance);
    uint low = simd_shuffle_xor(uint(s.whole), distance);
    uint high = simd_shuffle_xor(uint(s.whole >> 32), distance);
    other.whole = int64_t((ulong(high) << 32) | ulong(low));
    return other;
}

static inline State joined_lanes(State s) {
    for (ushort distance = 16; distance > 0; distance >>= 1) s = joined(s, from_lane(s, distance));
    return s;
}

static inline State joined_group(State s, threadgroup float* floats, threadgroup int64_t* wholes, uint lane,
                                 uint simdgroup, uint simdgroups) {
    s = joined_lanes(s);
    if (lane == 0) {
        floats[2 * simdgroup] = s.high;
        floats[2 * simdgroup + 1] = s.low;
        wholes[simdgroup] = s.whole;
    }
    threadgroup_barrier(mem_flags::mem_threadgroup);
    s = start();
    if (lane < simdgroups) {
        s.high = floats[2 * lane];
        s.low = floats[2 * lane + 1];
        s.whole = wholes[lane];
    }
    return joined_lanes(s);
}

// high + low; once the sum was infinite or NaN, what is lost means nothing.
static inline float value_of(State s) { return is_sum() && isfinite(s.high) ? s.high + s.low : s.high; }

// (high + low) / n, rounded about once: equal elements have themselves as their mean.
static inline float mean_of(State s, float n) {
    float q = s.high / n;
    if (!isfinite(q)) return q;
    float rest = fma(-q, n, s.high) + s.low;
    return q + rest / n;
}

static inline void finish(device uchar* y, int64_t at, State s, float center, constant ReduceParams& p) {
    if (kInteger) {
        store_int(y, kY, at, s.whole);
        return;
    }
    float n = float(p.length);
    float v = value_of(s);
    if (kFinish == int(Finish::kMean)) v = mean_of(s, n);
    if (kFinish == int(Finish::kVar) || kFinish == int(Finish::kStd)) v = v / max(0.0f, n - p.correction);
    if (kFinish == int(Finish::kStd)) v = sqrt(v);
    if (kFinish == int(Finish::kLogSumExp)) v = center + log(v);
    store_float(y, kY, at, v);
}

static inline void write(device uchar* y, int64_t output, int64_t chunk, State s, float center,
                         constant ReduceParams& p) {
    if (!kPartial) {
        finish(y, output, s, center, p);
    } else if (kInteger) {
        ((device int64_t*)y)[output * p.chunks + chunk] = s.whole;
    } else {
        ((device float*)y)[(output * p.chunks + chunk) * 2] = s.high;
        ((device float*)y)[(output * p.chunks + chunk) * 2 + 1] = s.low;
    }
}

static inline float center_of(device const float* centers, int64_t output) {
    if (kOp == int(Reduction::kDeviations)) return centers[output];
    if (kOp != int(Reduction::kExpSum)) return 0.0f;
    // Infinities cannot be subtracted from themselves; exp of them is right without.
    float largest = centers[output];
    return isinf(largest) ? 0.0f : largest;
}

// The place in x of element i of the axes whose sizes and strides begin at `first`.
template <typename I, typename U>
I place_of(constant ReduceParams& p, int first, int rank, I i) {
    U rest = U(i);
    I at = 0;
    for (int d = rank - 1; d > 0; --d) {
        U next = rest / U(p.sizes[first + d]);
        at += I(rest - next * U(p.sizes[first + d])) * I(p.strides[first + d]);
        rest = next;
    }
    return at + I(rest) * I(p.strides[first]);
}

template <typename I, typename U>
[[kernel, max_total_threads_per_threadgroup(256)]]
void reduce_elements(device const uchar* x         [[buffer(0)]],
                     device const float* centers   [[buffer(1), function_constant(kCentred)]],
                     device uchar* y               [[buffer(2)]],
                     constant ReduceParams& p      [[buffer(3)]],
                     uint group                    [[threadgroup_position_in_grid]],
                     uint tid                      [[thread_position_in_threadgroup]],
                     uint lane                     [[thread_index_in_simdgroup]],
                     uint simdgroup                [[simdgroup_index_in_threadgroup]],
                     uint simdgroups               [[simdgroups_per_threadgroup]])
{
    threadgroup float floats[16];
    threadgroup int64_t wholes[8];
    wait_inputs();
    // Consecutive groups take consecutive outputs of one chunk.
    int64_t unit = group;
    I own = I(tid), width = I(simdgroups * 32);
    if (kBy == int(ReduceBy::kThread)) {
        own = 0;
        width = 1;
    } else if (kBy == int(ReduceBy::kSimdgroup)) {
        own = I(lane);
        width = 32;
    }
    int64_t per_group = kBy == int(ReduceBy::kThread) ? simdgroups * 32 : kBy == int(ReduceBy::kSimdgroup) ? simdgroups : 1;
    int64_t groups_of_chunk = (p.outputs + per_group - 1) / per_group;
    int64_t chunk = unit / groups_of_chunk;
    int64_t output = unit % groups_of_chunk * per_group;
    if (kBy == int(ReduceBy::kThread)) output += tid;
    if (kBy == int(ReduceBy::kSimdgroup)) output += simdgroup;
    if (output >= p.outputs) return;
    float center = center_of(centers, output);
    I from = place_of<I, U>(p, 0, p.kept_rank, I(output));
    I begin = I(chunk * p.chunk_length);
    I end = I(min(chunk * p.chunk_length + p.chunk_length, int64_t(p.length)));
    State s = start();
    for (I i = begin + own; i < end; i += width) {
        s = joined(s, element(x, I(from + place_of<I, U>(p, 8, p.reduced_rank, i)), center));
    }
    if (kBy == int(ReduceBy::kSimdgroup)) s = joined_lanes(s);
    if (kBy == int(ReduceBy::kGroup)) s = joined_group(s, floats, wholes, lane, simdgroup, simdgroups);
    if (own == 0) write(y, output, chunk, s, center, p);
}

template [[host_name("reduce_elements_i32")]] [[kernel]] decltype(reduce_elements<int, uint>) reduce_elements<int, uint>;
template [[host_name("reduce_elements_i64")]] [[kernel]] decltype(reduce_elements<int64_t, ulong>) reduce_elements<int64_t, ulong>;

// The chunks' states of an output, joined by a simdgroup.
[[kernel, max_total_threads_per_threadgroup(256)]]
void reduce_join(device const uchar* partial   [[buffer(0)]],
                 device const float* centers   [[buffer(1), function_constant(kCentred)]],
                 device uchar* y               [[buffer(2)]],
                 constant ReduceParams& p      [[buffer(3)]],
                 uint group                    [[threadgroup_position_in_grid]],
                 uint lane                     [[thread_index_in_simdgroup]],
                 uint simdgroup                [[simdgroup_index_in_threadgroup]],
                 uint simdgroups               [[simdgroups_per_threadgroup]])
{
    wait_inputs();
    int64_t output = int64_t(group) * simdgroups + simdgroup;
    if (output >= p.outputs) return;
    State s = start();
    for (int chunk = int(lane); chunk < p.chunks; chunk += 32) {
        State other = start();
        if (kInteger) {
            other.whole = ((device const int64_t*)partial)[output * p.chunks + chunk];
        } else {
            other.high = ((device const float*)partial)[(output * p.chunks + chunk) * 2];
            other.low = ((device const float*)partial)[(output * p.chunks + chunk) * 2 + 1];
        }
        s = joined(s, other);
    }
    s = joined_lanes(s);
    if (lane == 0) finish(y, output, s, center_of(centers, output), p);
}
