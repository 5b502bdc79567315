// Barriers and simdgroup operations for the simulator: each is a meeting of the lanes, the last of which does the work.
#pragma once
#include "msl_sim.h"
#include "msl_types.h"

namespace metal {

#define MSL_WHERE ::msl_sim::Where where = ::msl_sim::Where::here()

inline void threadgroup_barrier(mem_flags flags, MSL_WHERE) { msl_sim::barrier(flags != mem_flags::mem_none, where); }
inline void simdgroup_barrier(mem_flags flags, MSL_WHERE) {
  msl_sim::simd_op("simdgroup_barrier", flags != mem_flags::mem_none, nullptr, nullptr, where);
}

// ---- reductions: in butterfly order, as on CUDA, so both give the same bits
namespace simd_ {
using msl_sim::lane_id;

struct Sum {
  template <class T>
  static T of(T a, T b) {
    if constexpr (is_integral_v<T>)
      return add_(a, b);
    else
      return T(a + b);
  }
};
struct Product {
  template <class T>
  static T of(T a, T b) {
    if constexpr (is_integral_v<T>)
      return multiply_(a, b);
    else
      return T(a * b);
  }
};
struct Max {
  template <class T>
  static T of(T a, T b) {
    return max(a, b);
  }
};
struct Min {
  template <class T>
  static T of(T a, T b) {
    return min(a, b);
  }
};
struct And {
  template <class T>
  static T of(T a, T b) {
    return T(a & b);
  }
};
struct Or {
  template <class T>
  static T of(T a, T b) {
    return T(a | b);
  }
};
struct Xor {
  template <class T>
  static T of(T a, T b) {
    return T(a ^ b);
  }
};

template <class Op, class T>
inline T reduce(const char* what, T value, msl_sim::Where where) {
  msl_sim::simd_op(
      what, false, &value,
      [](void* const* lanes) {
        T t[32];
        for (int i = 0; i < 32; ++i) t[i] = *static_cast<T*>(lanes[i]);
        for (int half_width = 16; half_width > 0; half_width /= 2) {
          for (int i = 0; i < half_width; ++i) t[i] = Op::of(t[i], t[i + half_width]);
        }
        for (int i = 0; i < 32; ++i) *static_cast<T*>(lanes[i]) = t[0];
      },
      where);
  return value;
}

template <class Op, class T>
inline T prefix(const char* what, T value, bool inclusive, T identity, msl_sim::Where where) {
  struct Lane {
    T value, identity;
    bool inclusive;
  } lane = {value, identity, inclusive};
  msl_sim::simd_op(
      what, false, &lane,
      [](void* const* lanes) {
        T running = static_cast<Lane*>(lanes[0])->identity;
        for (int i = 0; i < 32; ++i) {
          Lane& l = *static_cast<Lane*>(lanes[i]);
          T next = Op::of(running, l.value);
          l.value = l.inclusive ? next : running;
          running = next;
        }
      },
      where);
  return lane.value;
}

// Each lane names the lane it reads. Reading outside 0 .. 31 gives 0xFF bytes: a GPU would give something else again.
template <class T>
inline T gather(const char* what, T value, uint32_t from, msl_sim::Where where) {
  struct Lane {
    T value;
    uint32_t from;
  } lane = {value, from};
  msl_sim::simd_op(
      what, false, &lane,
      [](void* const* lanes) {
        T before[32];
        for (int i = 0; i < 32; ++i) before[i] = static_cast<Lane*>(lanes[i])->value;
        for (int i = 0; i < 32; ++i) {
          Lane& l = *static_cast<Lane*>(lanes[i]);
          if (l.from < 32)
            l.value = before[l.from];
          else
            memset(static_cast<void*>(&l.value), 0xFF, sizeof(T));
        }
      },
      where);
  return lane.value;
}

inline ulong ballot(const char* what, bool value, msl_sim::Where where) {
  struct Lane {
    bool value;
    ulong mask;
  } lane = {value, 0};
  msl_sim::simd_op(
      what, false, &lane,
      [](void* const* lanes) {
        ulong mask = 0;
        for (int i = 0; i < 32; ++i) mask |= ulong(static_cast<Lane*>(lanes[i])->value) << i;
        for (int i = 0; i < 32; ++i) static_cast<Lane*>(lanes[i])->mask = mask;
      },
      where);
  return lane.mask;
}
}  // namespace simd_

#define MSL_REDUCTION(name, Op)                           \
  template <class T>                                      \
  inline T name(T value, MSL_WHERE) {                     \
    return simd_::reduce<simd_::Op>(#name, value, where); \
  }
MSL_REDUCTION(simd_sum, Sum)
MSL_REDUCTION(simd_product, Product)
MSL_REDUCTION(simd_max, Max)
MSL_REDUCTION(simd_min, Min)
MSL_REDUCTION(simd_and, And)
MSL_REDUCTION(simd_or, Or)
MSL_REDUCTION(simd_xor, Xor)
#undef MSL_REDUCTION

template <class T>
inline T simd_prefix_inclusive_sum(T value, MSL_WHERE) {
  return simd_::prefix<simd_::Sum>("simd_prefix_inclusive_sum", value, true, T(0), where);
}
template <class T>
inline T simd_prefix_exclusive_sum(T value, MSL_WHERE) {
  return simd_::prefix<simd_::Sum>("simd_prefix_exclusive_sum", value, false, T(0), where);
}
template <class T>
inline T simd_prefix_inclusive_product(T value, MSL_WHERE) {
  return simd_::prefix<simd_::Product>("simd_prefix_inclusive_product", value, true, T(1), where);
}
template <class T>
inline T simd_prefix_exclusive_product(T value, MSL_WHERE) {
  return simd_::prefix<simd_::Product>("simd_prefix_exclusive_product", value, false, T(1), where);
}

template <class T>
inline T simd_shuffle(T value, ushort lane, MSL_WHERE) {
  return simd_::gather("simd_shuffle", value, lane, where);
}
template <class T>
inline T simd_shuffle_xor(T value, ushort mask, MSL_WHERE) {
  return simd_::gather("simd_shuffle_xor", value, simd_::lane_id() ^ mask, where);
}
template <class T>
inline T simd_shuffle_up(T value, ushort delta, MSL_WHERE) {
  return simd_::gather("simd_shuffle_up", value, simd_::lane_id() - delta, where);
}
template <class T>
inline T simd_shuffle_down(T value, ushort delta, MSL_WHERE) {
  return simd_::gather("simd_shuffle_down", value, simd_::lane_id() + delta, where);
}
template <class T>
inline T simd_broadcast(T value, ushort lane, MSL_WHERE) {
  return simd_::gather("simd_broadcast", value, lane, where);
}
template <class T>
inline T simd_broadcast_first(T value, MSL_WHERE) {
  return simd_::gather("simd_broadcast_first", value, 0, where);
}

class simd_vote {
 public:
  typedef ulong vote_t;
  explicit simd_vote(vote_t mask = 0) : mask_(mask) {}
  explicit operator vote_t() const { return mask_; }
  bool all() const { return mask_ == 0xFFFFFFFFul; }
  bool any() const { return mask_ != 0; }

 private:
  vote_t mask_;
};
inline simd_vote simd_ballot(bool value, MSL_WHERE) { return simd_vote(simd_::ballot("simd_ballot", value, where)); }
inline bool simd_any(bool value, MSL_WHERE) { return simd_::ballot("simd_any", value, where) != 0; }
inline bool simd_all(bool value, MSL_WHERE) { return simd_::ballot("simd_all", value, where) == 0xFFFFFFFFul; }
inline bool simd_is_first() { return simd_::lane_id() == 0; }

}  // namespace metal
