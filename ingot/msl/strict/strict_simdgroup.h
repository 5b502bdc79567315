// What the lanes of a simdgroup and the threads of a threadgroup do together.
#pragma once
#pragma clang system_header

namespace metal {

enum class mem_flags { mem_none = 0, mem_device = 1, mem_threadgroup = 2, mem_texture = 4 };
mem_flags operator|(mem_flags, mem_flags);
void threadgroup_barrier(mem_flags);
void simdgroup_barrier(mem_flags);

#define MSL_LANES(T)                   \
  T simd_sum(T);                       \
  T simd_product(T);                   \
  T simd_max(T);                       \
  T simd_min(T);                       \
  T simd_prefix_inclusive_sum(T);      \
  T simd_prefix_exclusive_sum(T);      \
  T simd_prefix_inclusive_product(T);  \
  T simd_prefix_exclusive_product(T);  \
  T simd_broadcast_first(T);           \
  T simd_broadcast(T, ushort);         \
  T simd_shuffle(T, ushort);           \
  T simd_shuffle_xor(T, ushort);       \
  T simd_shuffle_up(T, ushort);        \
  T simd_shuffle_down(T, ushort);      \
  T simd_shuffle_rotate_up(T, ushort); \
  T simd_shuffle_rotate_down(T, ushort);
MSL_LANES(float)
MSL_LANES(half)
MSL_LANES(int)
MSL_LANES(uint)
MSL_LANES(short)
MSL_LANES(ushort)
MSL_LANES(float2)
MSL_LANES(float3)
MSL_LANES(float4)
MSL_LANES(half2)
MSL_LANES(half4)
MSL_LANES(int2)
MSL_LANES(int4)
MSL_LANES(uint2)
MSL_LANES(uint4)
#undef MSL_LANES
MSL_NO_BFLOAT(simd_sum)
MSL_NO_BFLOAT(simd_product)
MSL_NO_BFLOAT(simd_max)
MSL_NO_BFLOAT(simd_min)
MSL_NO_BFLOAT(simd_prefix_inclusive_sum)
MSL_NO_BFLOAT(simd_prefix_exclusive_sum)
MSL_NO_BFLOAT(simd_prefix_inclusive_product)
MSL_NO_BFLOAT(simd_prefix_exclusive_product)
MSL_NO_BFLOAT(simd_broadcast_first)
MSL_NO_BFLOAT(simd_broadcast)
MSL_NO_BFLOAT(simd_shuffle)
MSL_NO_BFLOAT(simd_shuffle_xor)
MSL_NO_BFLOAT(simd_shuffle_up)
MSL_NO_BFLOAT(simd_shuffle_down)
MSL_NO_BFLOAT(simd_shuffle_rotate_up)
MSL_NO_BFLOAT(simd_shuffle_rotate_down)

#define MSL_BITWISE(T) \
  T simd_and(T);       \
  T simd_or(T);        \
  T simd_xor(T);
MSL_BITWISE(int)
MSL_BITWISE(uint)
MSL_BITWISE(short)
MSL_BITWISE(ushort)
#undef MSL_BITWISE

bool simd_all(bool);
bool simd_any(bool);
bool simd_is_first();
struct simd_vote {
  typedef ulong vote_t;
  explicit operator vote_t() const;
  bool all() const;
  bool any() const;
};
simd_vote simd_ballot(bool);

}  // namespace metal
