// The experts of each token, from their scores: a simdgroup a token. Each choice is the first, in the order of choice, of
// those that come after the one before, so nothing is marked and any number can be chosen.
#include <metal_stdlib>
#include "ingot/msl/wait_inputs.h"
#include "ingot/ops/moe_router/route_params.h"
using namespace metal;

constant bool kHasBias [[function_constant(0)]];

// Grows with the key, NaN greatest, -0 as 0; never 0 itself, which stands for no expert.
static inline uint rank_of(float key) {
    if (isnan(key)) return 0xFFFFFFFFu;
    uint bits = as_type<uint>(key == 0.0f ? 0.0f : key);
    return (bits & 0x80000000u) != 0 ? ~bits : bits | 0x80000000u;
}

[[kernel, max_total_threads_per_threadgroup(128)]]
void moe_router(device const float* scores [[buffer(0)]],
                device int* ids            [[buffer(1)]],
                device float* weights      [[buffer(2)]],
                constant RouteParams& p    [[buffer(3)]],
                device const float* bias   [[buffer(4), function_constant(kHasBias)]],
                uint group                 [[threadgroup_position_in_grid]],
                uint lane                  [[thread_index_in_simdgroup]],
                uint simdgroup             [[simdgroup_index_in_threadgroup]])
{
    wait_inputs();
    int64_t token = int64_t(group) * 4 + simdgroup;
    if (token >= p.tokens) return;
    device const float* score = scores + token * p.experts;
    device int* chosen = ids + token * p.top_k;
    device float* weight = weights + token * p.top_k;
    uint last = 0xFFFFFFFFu;
    uint last_at = 0xFFFFFFFFu;
    float sum = 0.0f;
    for (int slot = 0; slot < p.top_k; ++slot) {
        uint best = 0;
        uint at = 0xFFFFFFFFu;
        for (uint e = lane; e < uint(p.experts); e += 32) {
            float key = score[e];
            if (kHasBias) key += bias[e];
            uint rank = rank_of(key);
            bool left = slot == 0 || rank < last || (rank == last && e > last_at);
            if (left && rank > best) {
                best = rank;
                at = e;
            }
        }
        last = simd_max(best);
        last_at = simd_min(best == last ? at : 0xFFFFFFFFu);
        float s = score[last_at];
        sum += s;
        // A lane reads again below what it wrote here.
        if (lane == uint(slot) % 32) {
            chosen[slot] = int(last_at);
            weight[slot] = s;
        }
    }
    float factor = p.renormalise != 0 ? p.scale / (sum + p.epsilon) : p.scale;
    for (uint slot = lane; slot < uint(p.top_k); slot += 32) weight[slot] = weight[slot] * factor;
}
