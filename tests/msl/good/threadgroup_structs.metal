// Structs and atomics in threadgroup memory, read and written by members; every header for kernels at once.
#include <metal_stdlib>
#include "ingot/msl/erf.h"
#include "ingot/msl/errors.h"
#include "ingot/msl/float8.h"
#include "ingot/msl/tile.h"
#include "ingot/msl/wait_inputs.h"
using namespace metal;

struct Best {
    float value;
    uint at;
};

static void take(threadgroup Best& best, float value, uint at)
{
    if (value > best.value) {
        best.value = value;
        best.at = at;
    }
}

[[kernel, max_total_threads_per_threadgroup(64)]]
void best_of_64(device const float* x [[buffer(0)]], device uint* at [[buffer(1)]], uint i [[thread_index_in_threadgroup]])
{
    threadgroup Best best[2];
    threadgroup atomic_uint done[1], seen;
    if (i < 2) {
        best[i].value = x[i * 32];
        best[i].at = i * 32;
    }
    if (i == 0) {
        atomic_store_explicit(&done[0], 0u, memory_order_relaxed);
        atomic_store_explicit(&seen, 0u, memory_order_relaxed);
    }
    threadgroup_barrier(mem_flags::mem_threadgroup);
    if (i % 32 == 0) {
        for (uint k = 1; k < 32; ++k) take(best[i / 32], erf(x[i + k]), i + k);
        atomic_fetch_add_explicit(&done[0], 1u, memory_order_relaxed);
    }
    threadgroup_barrier(mem_flags::mem_threadgroup);
    if (i == 0 && atomic_load_explicit(&done[0], memory_order_relaxed) == 2u)
        at[0] = best[0].value >= best[1].value ? best[0].at : best[1].at;
}
