// What the sanitizers have to be told about fibers, as functions that do nothing in ordinary builds.
//
// AddressSanitizer must know on which stack the program runs. ThreadSanitizer sees each GPU thread as a thread of its
// own: a switch orders nothing, so only what the simulator declares (barriers that order memory, the start and the end
// of a dispatch) keeps two accesses from being a race.
#pragma once
#include <cstddef>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define INGOT_ASAN 1
#endif
#if __has_feature(thread_sanitizer)
#define INGOT_TSAN 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#define INGOT_ASAN 1
#endif
#if defined(__SANITIZE_THREAD__)
#define INGOT_TSAN 1
#endif
#if !defined(INGOT_ASAN)
#define INGOT_ASAN 0
#endif
#if !defined(INGOT_TSAN)
#define INGOT_TSAN 0
#endif

// For functions that run between two fibers.
#if INGOT_TSAN
#define INGOT_UNSEEN_BY_TSAN __attribute__((no_sanitize("thread")))
#else
#define INGOT_UNSEEN_BY_TSAN
#endif

#if INGOT_ASAN
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif
#if INGOT_TSAN
extern "C" {
void* __tsan_get_current_fiber();
void* __tsan_create_fiber(unsigned flags);
void __tsan_destroy_fiber(void* fiber);
void __tsan_switch_to_fiber(void* fiber, unsigned flags);
void __tsan_acquire(void* address);
void __tsan_release(void* address);
void AnnotateIgnoreReadsBegin(const char* file, int line);
void AnnotateIgnoreReadsEnd(const char* file, int line);
void AnnotateIgnoreWritesBegin(const char* file, int line);
void AnnotateIgnoreWritesEnd(const char* file, int line);
}
#endif

namespace ingot::sim {

#if INGOT_TSAN
inline constexpr bool kRaceDetector = true;
inline void order_after(void* address) { __tsan_acquire(address); }   // what was ordered before is seen from here on
inline void order_before(void* address) { __tsan_release(address); }  // what was done up to here is seen there
inline void begin_own_accesses() {
  AnnotateIgnoreReadsBegin(__FILE__, __LINE__);
  AnnotateIgnoreWritesBegin(__FILE__, __LINE__);
}
inline void end_own_accesses() {
  AnnotateIgnoreWritesEnd(__FILE__, __LINE__);
  AnnotateIgnoreReadsEnd(__FILE__, __LINE__);
}
#else
inline constexpr bool kRaceDetector = false;
inline void order_after(void*) {}
inline void order_before(void*) {}
inline void begin_own_accesses() {}
inline void end_own_accesses() {}
#endif

// While one lives, memory accesses of the current fiber are the simulator's own and no evidence of a race.
class OwnAccesses {
 public:
  OwnAccesses() { begin_own_accesses(); }
  ~OwnAccesses() { end_own_accesses(); }
};
// The other way round, inside an OwnAccesses: a kernel runs, or the fiber is left.
class KernelAccesses {
 public:
  KernelAccesses() { end_own_accesses(); }
  ~KernelAccesses() { begin_own_accesses(); }
};

}  // namespace ingot::sim
