// Positions, threadgroup arguments and atomics, for ingot/device/sim/dispatch_test.cc.
#include <metal_stdlib>
using namespace metal;

[[kernel, max_total_threads_per_threadgroup(256)]]
void positions(device uint* out      [[buffer(0)]],
               uint3 in_grid         [[thread_position_in_grid]],
               uint3 group           [[threadgroup_position_in_grid]],
               uint3 in_group        [[thread_position_in_threadgroup]],
               uint3 group_size      [[threads_per_threadgroup]],
               uint3 groups          [[threadgroups_per_grid]],
               uint3 grid            [[threads_per_grid]],
               uint index            [[thread_index_in_threadgroup]],
               uint lane             [[thread_index_in_simdgroup]],
               uint simdgroup        [[simdgroup_index_in_threadgroup]],
               uint simdgroups       [[simdgroups_per_threadgroup]],
               uint width            [[threads_per_simdgroup]])
{
    uint linear = (in_grid.z * grid.y + in_grid.y) * grid.x + in_grid.x;
    device uint* p = out + linear * 12;
    p[0] = group.x; p[1] = group.y; p[2] = group.z;
    p[3] = in_group.x; p[4] = in_group.y; p[5] = in_group.z;
    p[6] = index; p[7] = lane; p[8] = simdgroup; p[9] = simdgroups; p[10] = width;
    p[11] = group_size.x * groups.x + group_size.y * groups.y + group_size.z * groups.z;
}

// Reverses each group's values through a threadgroup argument and counts threads with atomics in both memories.
[[kernel, max_total_threads_per_threadgroup(1024)]]
void reverse_groups(device const float* in      [[buffer(0)]],
                    device float* out           [[buffer(1)]],
                    device atomic_uint* count   [[buffer(2)]],
                    device atomic_float* total  [[buffer(3)]],
                    threadgroup float* staged   [[threadgroup(0)]],
                    uint i                      [[thread_position_in_grid]],
                    uint local                  [[thread_position_in_threadgroup]],
                    uint size                   [[threads_per_threadgroup]])
{
    threadgroup atomic_uint in_group[1];
    if (local == 0) atomic_store_explicit(&in_group[0], 0u, memory_order_relaxed);
    staged[local] = in[i];
    threadgroup_barrier(mem_flags::mem_threadgroup);
    atomic_fetch_add_explicit(&in_group[0], 1u, memory_order_relaxed);
    out[i] = staged[size - 1 - local];
    atomic_fetch_add_explicit(total, in[i], memory_order_relaxed);
    threadgroup_barrier(mem_flags::mem_threadgroup);
    if (local == 0) {
        atomic_fetch_add_explicit(count, atomic_load_explicit(&in_group[0], memory_order_relaxed), memory_order_relaxed);
    }
}

[[kernel, max_total_threads_per_threadgroup(64)]]
void atomics(device atomic_uint* u [[buffer(0)]],
             device atomic_int* s  [[buffer(1)]],
             uint i                [[thread_position_in_grid]])
{
    atomic_fetch_max_explicit(&u[0], i, memory_order_relaxed);
    atomic_fetch_min_explicit(&u[1], i, memory_order_relaxed);
    atomic_fetch_or_explicit(&u[2], 1u << (i % 32u), memory_order_relaxed);
    uint seen = atomic_load_explicit(&u[3], memory_order_relaxed);
    while (!atomic_compare_exchange_weak_explicit(&u[3], &seen, seen + 2u, memory_order_relaxed, memory_order_relaxed)) {
    }
    atomic_fetch_max_explicit(&s[0], -int(i), memory_order_relaxed);
    atomic_fetch_min_explicit(&s[1], -int(i), memory_order_relaxed);
    atomic_fetch_add_explicit(&s[2], -int(i), memory_order_relaxed);
    if (i == 5) atomic_exchange_explicit(&s[3], -7, memory_order_relaxed);
}
