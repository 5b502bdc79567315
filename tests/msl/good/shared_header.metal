// A header beside this file, for hosts too; namespaces, default template arguments, overloads, macros for numbers.
#include <metal_stdlib>
using namespace metal;
#include "shared_scalar.h"
#include "shared_scalar.h"

#define CLAMPED(x) clamp((x), -1.0f, 1.0f)

namespace detail {
inline float twice(float x) { return 2.0f * x; }
inline half twice(half x) { return 2.0h * x; }
}  // namespace detail

template <typename Pointer>
float first_of(Pointer p) { return float(p[0]); }

template <typename T, uint N = 4>
[[kernel, max_total_threads_per_threadgroup(64)]]
void apply(device const T* x [[buffer(0)]], device T* y [[buffer(1)]], constant uint& count [[buffer(2)]],
           uint i [[thread_position_in_grid]], uint lane [[thread_index_in_simdgroup]])
{
    threadgroup float once[1];
    if (lane == 0) once[0] = first_of(x);
    simdgroup_barrier(mem_flags::mem_threadgroup);
#pragma unroll
    for (uint k = 0; k < N; ++k) {
        if (i * N + k < count) y[i * N + k] = T(silu(CLAMPED(detail::twice(float(x[i * N + k])))) + first_of(once));
    }
}

template [[host_name("apply_f32")]] [[kernel]] decltype(apply<float>) apply<float>;
template [[host_name("apply_f16_by_2")]] [[kernel]] decltype(apply<half, 2>) apply<half, 2>;
