// Every simdgroup function once, for ingot/device/sim/simd_test.cc: result number r of a lane lies at out[r * 32 + lane].
#include <metal_stdlib>
using namespace metal;

template <typename T>
[[kernel, max_total_threads_per_threadgroup(32)]]
void simd_values(device const T* in [[buffer(0)]],
                 device T* out      [[buffer(1)]],
                 uint lane          [[thread_index_in_simdgroup]])
{
    T v = in[lane];
    out[0 * 32 + lane] = simd_sum(v);
    out[1 * 32 + lane] = simd_product(v);
    out[2 * 32 + lane] = simd_max(v);
    out[3 * 32 + lane] = simd_min(v);
    out[4 * 32 + lane] = simd_prefix_inclusive_sum(v);
    out[5 * 32 + lane] = simd_prefix_exclusive_sum(v);
    out[6 * 32 + lane] = simd_shuffle(v, ushort(31 - lane));
    out[7 * 32 + lane] = simd_shuffle_xor(v, ushort(5));
    out[8 * 32 + lane] = simd_shuffle_up(v, ushort(3));
    out[9 * 32 + lane] = simd_shuffle_down(v, ushort(3));
    out[10 * 32 + lane] = simd_broadcast(v, ushort(7));
    out[11 * 32 + lane] = simd_broadcast_first(v);
}

template [[host_name("simd_values_f32")]] [[kernel]] decltype(simd_values<float>) simd_values<float>;
template [[host_name("simd_values_f16")]] [[kernel]] decltype(simd_values<half>)  simd_values<half>;
template [[host_name("simd_values_i32")]] [[kernel]] decltype(simd_values<int>)   simd_values<int>;
template [[host_name("simd_values_u32")]] [[kernel]] decltype(simd_values<uint>)  simd_values<uint>;

[[kernel, max_total_threads_per_threadgroup(64)]]
void simd_votes(device const uint* in [[buffer(0)]],
                device uint* out      [[buffer(1)]],
                uint thread_index     [[thread_index_in_threadgroup]])
{
    bool odd = (in[thread_index] & 1u) != 0u;
    ulong mask = ulong(simd_ballot(odd));
    out[0 * 64 + thread_index] = uint(mask);
    out[1 * 64 + thread_index] = simd_any(odd) ? 1u : 0u;
    out[2 * 64 + thread_index] = simd_all(odd) ? 1u : 0u;
    out[3 * 64 + thread_index] = simd_is_first() ? 1u : 0u;
}
