// Rotary position embedding: a thread turns one pair of elements, or copies one that is not rotated.
#include <metal_stdlib>
#include "ingot/msl/wait_inputs.h"
#include "ingot/ops/elementwise_kernel.h"
#include "ingot/ops/rope/rope_params.h"
using namespace metal;

constant int kX            [[function_constant(0)]];  // ElementType of x and y
constant int kPositions    [[function_constant(1)]];  // kElementI32 or kElementI64
constant bool kInterleaved [[function_constant(2)]];  // pairs (2 i, 2 i + 1), not (i, i + R / 2)

template <typename I, typename U>
[[kernel, max_total_threads_per_threadgroup(256)]]
void rope(device const uchar* x         [[buffer(0)]],
          device const uchar* positions [[buffer(1)]],
          device const float* inv_freq  [[buffer(2)]],
          device uchar* y               [[buffer(3)]],
          constant RopeParams& p        [[buffer(4)]],
          uint group                    [[threadgroup_position_in_grid]],
          uint tid                      [[thread_position_in_threadgroup]])
{
    wait_inputs();
    I i = I(group) * 256 + I(tid);
    if (i >= I(p.count)) return;
    I pairs = I(p.pairs);
    I in_row = I(p.dim) - pairs;
    I row = I(U(i) / U(in_row));
    I own = i - row * in_row;
    ElementPlaces<I> place = places_of<I, U>(p, row, 2);
    if (own >= pairs) {
        I k = own + pairs;
        store_float(y, kX, place.at[0] + k, load_float(x, kX, place.at[1] + k));
        return;
    }
    I token = I(U(row) / U(p.heads) % U(p.tokens));
    // The angle is rounded to f32, as checkpoints were trained.
    float angle = float(load_int(positions, kPositions, token)) * inv_freq[own];
    float c = cos(angle) * p.scale;
    float s = sin(angle) * p.scale;
    I first = kInterleaved ? 2 * own : own;
    I second = kInterleaved ? 2 * own + 1 : own + pairs;
    float a = load_float(x, kX, place.at[1] + first);
    float b = load_float(x, kX, place.at[1] + second);
    store_float(y, kX, place.at[0] + first, a * c - b * s);
    store_float(y, kX, place.at[0] + second, b * c + a * s);
}

template [[host_name("rope_i32")]] [[kernel]] decltype(rope<int, uint>) rope<int, uint>;
template [[host_name("rope_i64")]] [[kernel]] decltype(rope<int64_t, ulong>) rope<int64_t, ulong>;
