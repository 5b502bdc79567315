// A fiber: a stack of its own and a place where it was left. One OS thread switches among its fibers; a fiber never
// moves to another thread.
#pragma once
#include <cstddef>

#include "ingot/device/sim/sanitizers.h"

namespace ingot::sim {

class Fiber {
 public:
  // The running OS thread itself, to switch back to. Call on that thread.
  Fiber();
  // A fiber that calls entry(argument), which never returns, at its first switch. Error kMemory where no stack is to be
  // had. A page below the stack is protected, so running over its end is a segmentation fault.
  Fiber(void (*entry)(void*), void* argument);
  ~Fiber();
  Fiber(const Fiber&) = delete;
  Fiber& operator=(const Fiber&) = delete;

  // Leaves `from`, which is running, and goes on in `to`; returns when something switches to `from` again. The caller
  // holds exactly one OwnAccesses.
  static void switch_to(Fiber& from, Fiber& to);

  // Forgets where the fiber was left: the next switch starts entry(argument) anew. What its frames held is lost, so
  // nothing that needs a destructor may live across a switch.
  void restart();

 private:
  static void start();
  void prepare();

  void* stack_pointer_ = nullptr;
  char* stack_ = nullptr;  // lowest address, the protected page included
  size_t stack_size_ = 0;
  size_t colour_ = 0;  // bytes left unused at the top
  void (*entry_)(void*) = nullptr;
  void* argument_ = nullptr;
  void* context_ = nullptr;  // where the switch is not written by hand: a ucontext_t
  void* asan_frames_ = nullptr;
  void* tsan_fiber_ = nullptr;
};

}  // namespace ingot::sim
