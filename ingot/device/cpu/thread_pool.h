// Our own small pool: workers spin briefly, then sleep, so that the next region of a decode step starts in well under a
// microsecond while an idle process uses no CPU.
#pragma once
#include <cstdint>
#include <memory>
#include <type_traits>

#include "ingot/base/export.h"

namespace ingot {

// A reference to a callable, without ownership or allocation.
template <class Signature>
class FunctionRef;
template <class R, class... Args>
class FunctionRef<R(Args...)> {
 public:
  template <class F, class = std::enable_if_t<!std::is_same_v<std::decay_t<F>, FunctionRef>>>
  FunctionRef(F&& f)  // NOLINT: implicit on purpose
      : object_(const_cast<void*>(static_cast<const void*>(&f))),
        call_([](void* o, Args... args) -> R { return (*static_cast<std::remove_reference_t<F>*>(o))(args...); }) {}
  R operator()(Args... args) const { return call_(object_, args...); }

 private:
  void* object_;
  R (*call_)(void*, Args...);
};

// Threads that regions use, the caller's included. Starts as INGOT_THREADS or the number of cores this process may run
// on.
INGOT_API int num_threads();
INGOT_API void set_num_threads(int n);  // >= 1; not while a region runs

// Runs body(thread) once on each of `threads` threads (0 .. threads-1; thread 0 is the caller) and returns when all are
// done. At most num_threads() run at once. The first exception of a body is thrown again here. A region inside a region
// runs its bodies one after another on the calling thread.
INGOT_API void parallel_region(int threads, FunctionRef<void(int)> body);

// Splits [0, n) into contiguous ranges, one per thread at most, none smaller than `grain`, and runs body(begin, end) on
// each. The split depends on n, grain and the number of threads only.
INGOT_API void parallel_for(int64_t n, int64_t grain, FunctionRef<void(int64_t, int64_t)> body);

}  // namespace ingot
