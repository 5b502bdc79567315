// What the lanes of a simdgroup and the threads of a threadgroup do together.
#pragma once
#pragma clang system_header

namespace metal {

enum class mem_flags { mem_none = 0, mem_device = 1, mem_threadgroup = 2, mem_texture = 4 };
mem_flags operator|(mem_flags, mem_flags);
void threadgroup_barrier(mem_flags);
void simdgroup_barrier(mem_flags);

#define MSL_LANE_TYPES(DECLARE, name)                                                                          \
  DECLARE(name, float)                                                                                         \
  DECLARE(name, half)                                                                                          \
  DECLARE(name, int)                                                                                           \
  DECLARE(name, uint)                                                                                          \
  DECLARE(name, short) DECLARE(name, ushort) DECLARE(name, float2) DECLARE(name, float3) DECLARE(name, float4) \
      DECLARE(name, half2) DECLARE(name, half4) DECLARE(name, int2) DECLARE(name, int4) DECLARE(name, uint2)   \
          DECLARE(name, uint4)
#define MSL_REDUCE(name) MSL_LANE_TYPES(MSL_ONE, name) MSL_NO_BFLOAT(name)
#define MSL_FROM_LANE(name, T) T name(T, ushort);
#define MSL_SHUFFLE(name) MSL_LANE_TYPES(MSL_FROM_LANE, name) MSL_NO_BFLOAT(name)

MSL_REDUCE(simd_sum)
MSL_REDUCE(simd_product)
MSL_REDUCE(simd_max)
MSL_REDUCE(simd_min)
MSL_REDUCE(simd_prefix_inclusive_sum)
MSL_REDUCE(simd_prefix_exclusive_sum)
MSL_REDUCE(simd_prefix_inclusive_product)
MSL_REDUCE(simd_prefix_exclusive_product)
MSL_REDUCE(simd_broadcast_first)
MSL_SHUFFLE(simd_broadcast)
MSL_SHUFFLE(simd_shuffle)
MSL_SHUFFLE(simd_shuffle_xor)
MSL_SHUFFLE(simd_shuffle_up)
MSL_SHUFFLE(simd_shuffle_down)
MSL_SHUFFLE(simd_shuffle_rotate_up)
MSL_SHUFFLE(simd_shuffle_rotate_down)
#define MSL_BITWISE(name) \
  int name(int);          \
  uint name(uint);        \
  short name(short);      \
  ushort name(ushort);
MSL_BITWISE(simd_and)
MSL_BITWISE(simd_or)
MSL_BITWISE(simd_xor)
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
