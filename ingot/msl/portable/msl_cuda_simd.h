// Barriers and simdgroup operations for CUDA: a simdgroup is a warp, and all its lanes take part.
#pragma once
#include "msl_types.h"

namespace metal {

MSL_INLINE void threadgroup_barrier(mem_flags) { ::__syncthreads(); }
MSL_INLINE void simdgroup_barrier(mem_flags) { ::__syncwarp(); }

namespace simd_ {
constexpr uint kAll = 0xFFFFFFFFu;

MSL_INLINE uint lane_id() {
  uint lane;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  return lane;
}

// The four shuffles of the hardware on one 32-bit word.
struct FromLane {
  static MSL_INLINE uint of(uint v, uint lane) { return ::__shfl_sync(kAll, v, int(lane)); }
};
struct FromXor {
  static MSL_INLINE uint of(uint v, uint mask) { return ::__shfl_xor_sync(kAll, v, int(mask)); }
};
struct FromBelow {
  static MSL_INLINE uint of(uint v, uint delta) { return ::__shfl_up_sync(kAll, v, delta); }
};
struct FromAbove {
  static MSL_INLINE uint of(uint v, uint delta) { return ::__shfl_down_sync(kAll, v, delta); }
};

// Any type, word by word.
template <class Shuffle, class T>
MSL_INLINE T shuffle(T value, uint argument) {
  if constexpr (sizeof(T) == 4) {
    return as_type<T>(Shuffle::of(as_type<uint>(value), argument));
  } else if constexpr (sizeof(T) == 2) {
    return as_type<T>(ushort(Shuffle::of(as_type<ushort>(value), argument)));
  } else if constexpr (sizeof(T) == 1) {
    return as_type<T>(uchar(Shuffle::of(as_type<uchar>(value), argument)));
  } else {
    static_assert(sizeof(T) % 4 == 0, "a simdgroup shuffle of this type is not supported");
    struct Words {
      uint w[sizeof(T) / 4];
    } words = as_type<Words>(value);
#pragma unroll
    for (uint i = 0; i < sizeof(T) / 4; ++i) words.w[i] = Shuffle::of(words.w[i], argument);
    return as_type<T>(words);
  }
}

struct Sum {
  template <class T>
  static MSL_INLINE T of(T a, T b) {
    return T(a + b);
  }
};
struct Product {
  template <class T>
  static MSL_INLINE T of(T a, T b) {
    return T(a * b);
  }
};
struct Max {
  template <class T>
  static MSL_INLINE T of(T a, T b) {
    return max(a, b);
  }
};
struct Min {
  template <class T>
  static MSL_INLINE T of(T a, T b) {
    return min(a, b);
  }
};
struct And {
  template <class T>
  static MSL_INLINE T of(T a, T b) {
    return T(a & b);
  }
};
struct Or {
  template <class T>
  static MSL_INLINE T of(T a, T b) {
    return T(a | b);
  }
};
struct Xor {
  template <class T>
  static MSL_INLINE T of(T a, T b) {
    return T(a ^ b);
  }
};

template <class Op, class T>
MSL_INLINE T reduce(T value) {  // a butterfly: every lane gets the same bits
#pragma unroll
  for (uint mask = 16; mask > 0; mask /= 2) value = Op::of(value, shuffle<FromXor>(value, mask));
  return value;
}
template <class Op, class T>
MSL_INLINE T prefix(T value, bool inclusive, T identity) {
  T own = value;
  const uint lane = lane_id();
#pragma unroll
  for (uint delta = 1; delta < 32; delta *= 2) {
    T below = shuffle<FromBelow>(own, delta);
    if (lane >= delta) own = Op::of(below, own);
  }
  if (inclusive) return own;
  T below = shuffle<FromBelow>(own, 1);
  return lane == 0 ? identity : below;
}
}  // namespace simd_

#define MSL_REDUCTION(name, Op)             \
  template <class T>                        \
  MSL_INLINE T name(T value) {              \
    return simd_::reduce<simd_::Op>(value); \
  }
MSL_REDUCTION(simd_sum, Sum)
MSL_REDUCTION(simd_product, Product)
MSL_REDUCTION(simd_max, Max)
MSL_REDUCTION(simd_min, Min)
MSL_REDUCTION(simd_and, And)
MSL_REDUCTION(simd_or, Or)
MSL_REDUCTION(simd_xor, Xor)
#undef MSL_REDUCTION
// The hardware reduces 32-bit integers itself.
MSL_INLINE int simd_sum(int value) { return ::__reduce_add_sync(simd_::kAll, value); }
MSL_INLINE uint simd_sum(uint value) { return ::__reduce_add_sync(simd_::kAll, value); }
MSL_INLINE int simd_max(int value) { return ::__reduce_max_sync(simd_::kAll, value); }
MSL_INLINE uint simd_max(uint value) { return ::__reduce_max_sync(simd_::kAll, value); }
MSL_INLINE int simd_min(int value) { return ::__reduce_min_sync(simd_::kAll, value); }
MSL_INLINE uint simd_min(uint value) { return ::__reduce_min_sync(simd_::kAll, value); }
MSL_INLINE uint simd_and(uint value) { return ::__reduce_and_sync(simd_::kAll, value); }
MSL_INLINE uint simd_or(uint value) { return ::__reduce_or_sync(simd_::kAll, value); }
MSL_INLINE uint simd_xor(uint value) { return ::__reduce_xor_sync(simd_::kAll, value); }

template <class T>
MSL_INLINE T simd_prefix_inclusive_sum(T value) {
  return simd_::prefix<simd_::Sum>(value, true, T(0));
}
template <class T>
MSL_INLINE T simd_prefix_exclusive_sum(T value) {
  return simd_::prefix<simd_::Sum>(value, false, T(0));
}
template <class T>
MSL_INLINE T simd_prefix_inclusive_product(T value) {
  return simd_::prefix<simd_::Product>(value, true, T(1));
}
template <class T>
MSL_INLINE T simd_prefix_exclusive_product(T value) {
  return simd_::prefix<simd_::Product>(value, false, T(1));
}

template <class T>
MSL_INLINE T simd_shuffle(T value, ushort lane) {
  return simd_::shuffle<simd_::FromLane>(value, lane);
}
template <class T>
MSL_INLINE T simd_shuffle_xor(T value, ushort mask) {
  return simd_::shuffle<simd_::FromXor>(value, mask);
}
template <class T>
MSL_INLINE T simd_shuffle_up(T value, ushort delta) {
  return simd_::shuffle<simd_::FromBelow>(value, delta);
}
template <class T>
MSL_INLINE T simd_shuffle_down(T value, ushort delta) {
  return simd_::shuffle<simd_::FromAbove>(value, delta);
}
template <class T>
MSL_INLINE T simd_broadcast(T value, ushort lane) {
  return simd_::shuffle<simd_::FromLane>(value, lane);
}
template <class T>
MSL_INLINE T simd_broadcast_first(T value) {
  return simd_::shuffle<simd_::FromLane>(value, 0);
}

class simd_vote {
 public:
  typedef ulong vote_t;
  explicit MSL_INLINE simd_vote(vote_t mask = 0) : mask_(mask) {}
  explicit MSL_INLINE operator vote_t() const { return mask_; }
  MSL_INLINE bool all() const { return mask_ == 0xFFFFFFFFul; }
  MSL_INLINE bool any() const { return mask_ != 0; }

 private:
  vote_t mask_;
};
MSL_INLINE simd_vote simd_ballot(bool value) { return simd_vote(::__ballot_sync(simd_::kAll, value)); }
MSL_INLINE bool simd_any(bool value) { return ::__any_sync(simd_::kAll, value) != 0; }
MSL_INLINE bool simd_all(bool value) { return ::__all_sync(simd_::kAll, value) != 0; }
MSL_INLINE bool simd_is_first() { return simd_::lane_id() == 0; }

}  // namespace metal
