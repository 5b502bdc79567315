#include "ingot/device/sim/fiber.h"

#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>

#include "ingot/base/error.h"

// The switch is written by hand where somebody has done so. swapcontext is many times slower, since it asks the
// operating system; -DINGOT_FIBER_BY_HAND=0 takes it everywhere.
#if !defined(INGOT_FIBER_BY_HAND)
#if defined(__x86_64__) || defined(__aarch64__)
#define INGOT_FIBER_BY_HAND 1
#else
#define INGOT_FIBER_BY_HAND 0
#endif
#endif
#if !INGOT_FIBER_BY_HAND
#include <ucontext.h>
#endif

namespace ingot::sim {

namespace {

// Kernels have shallow frames; the sanitizers' are several times larger.
constexpr size_t kStackSize = size_t{256} << 10;

thread_local Fiber* starting = nullptr;  // the fiber whose first switch is under way

}  // namespace

#if INGOT_FIBER_BY_HAND
// ingot_fiber_switch(save, to): pushes the registers that a callee keeps, stores the stack pointer to *save, takes `to`
// as the stack pointer and pops that fiber's registers.
extern "C" void ingot_fiber_switch(void** save, void* to);
#if defined(__x86_64__)
constexpr size_t kSavedRegisters = 6;  // below the return address
asm(R"(
  .pushsection .text
  .type ingot_fiber_switch, @function
  .hidden ingot_fiber_switch
  .globl ingot_fiber_switch
ingot_fiber_switch:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
  .size ingot_fiber_switch, .-ingot_fiber_switch
  .popsection
)");
#else
constexpr size_t kSavedRegisters = 20;  // x19-x30, d8-d15
constexpr size_t kLinkRegister = 11;    // x30's place among them
asm(R"(
  .pushsection .text
  .type ingot_fiber_switch, %function
  .hidden ingot_fiber_switch
  .globl ingot_fiber_switch
ingot_fiber_switch:
  sub sp, sp, #160
  stp x19, x20, [sp, #0]
  stp x21, x22, [sp, #16]
  stp x23, x24, [sp, #32]
  stp x25, x26, [sp, #48]
  stp x27, x28, [sp, #64]
  stp x29, x30, [sp, #80]
  stp d8, d9, [sp, #96]
  stp d10, d11, [sp, #112]
  stp d12, d13, [sp, #128]
  stp d14, d15, [sp, #144]
  mov x9, sp
  str x9, [x0]
  mov sp, x1
  ldp x19, x20, [sp, #0]
  ldp x21, x22, [sp, #16]
  ldp x23, x24, [sp, #32]
  ldp x25, x26, [sp, #48]
  ldp x27, x28, [sp, #64]
  ldp x29, x30, [sp, #80]
  ldp d8, d9, [sp, #96]
  ldp d10, d11, [sp, #112]
  ldp d12, d13, [sp, #128]
  ldp d14, d15, [sp, #144]
  add sp, sp, #160
  ret
  .size ingot_fiber_switch, .-ingot_fiber_switch
  .popsection
)");
#endif
#endif

Fiber::Fiber() {
#if INGOT_ASAN
  pthread_attr_t attributes;
  void* bottom = nullptr;
  if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
    pthread_attr_getstack(&attributes, &bottom, &stack_size_);
    pthread_attr_destroy(&attributes);
  }
  stack_ = static_cast<char*>(bottom);
#endif
#if !INGOT_FIBER_BY_HAND
  context_ = new ucontext_t;
#endif
}

Fiber::Fiber(void (*entry)(void*), void* argument) : entry_(entry), argument_(argument) {
  const size_t page = size_t(sysconf(_SC_PAGESIZE));
  stack_size_ = kStackSize * (INGOT_ASAN || INGOT_TSAN ? 2 : 1) + page;
  void* memory = mmap(nullptr, stack_size_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) fail(ErrorKind::kMemory, "simulator", "no memory for a GPU thread's stack");
  stack_ = static_cast<char*>(memory);
  // Frames at the same offset of every stack would fight for the same lines of the cache.
  static thread_local size_t next_colour = 0;
  colour_ = next_colour++ % 32 * 192;
  mprotect(stack_, page, PROT_NONE);
#if !INGOT_FIBER_BY_HAND
  context_ = new ucontext_t;
#endif
  prepare();
}

Fiber::~Fiber() {
#if !INGOT_FIBER_BY_HAND
  delete static_cast<ucontext_t*>(context_);
#endif
  if (!entry_) return;
#if INGOT_TSAN
  __tsan_destroy_fiber(tsan_fiber_);
#endif
  munmap(stack_, stack_size_);
}

void Fiber::prepare() {
#if INGOT_TSAN
  if (tsan_fiber_) __tsan_destroy_fiber(tsan_fiber_);
  tsan_fiber_ = __tsan_create_fiber(0);
#endif
  auto top = reinterpret_cast<uintptr_t*>(stack_ + stack_size_ - colour_);
#if INGOT_FIBER_BY_HAND && defined(__x86_64__)
  *--top = 0;  // where a return address would lie: keeps the alignment of a call
  *--top = reinterpret_cast<uintptr_t>(&Fiber::start);
  for (size_t i = 0; i < kSavedRegisters; ++i) *--top = 0;
  stack_pointer_ = top;
#elif INGOT_FIBER_BY_HAND
  for (size_t i = 0; i < kSavedRegisters; ++i) *--top = 0;
  top[kLinkRegister] = reinterpret_cast<uintptr_t>(&Fiber::start);
  stack_pointer_ = top;
#else
  (void)top;
  auto context = static_cast<ucontext_t*>(context_);
  getcontext(context);
  context->uc_stack.ss_sp = stack_;
  context->uc_stack.ss_size = stack_size_;
  context->uc_link = nullptr;
  makecontext(context, &Fiber::start, 0);
#endif
}

void Fiber::restart() {
#if INGOT_ASAN
  ASAN_UNPOISON_MEMORY_REGION(stack_, stack_size_);  // red zones of the frames that are given up
  asan_frames_ = nullptr;
#endif
  prepare();
}

INGOT_UNSEEN_BY_TSAN void Fiber::start() {
  Fiber& me = *starting;
#if INGOT_ASAN
  __sanitizer_finish_switch_fiber(nullptr, nullptr, nullptr);
#endif
  me.entry_(me.argument_);
  __builtin_trap();  // an entry never returns
}

INGOT_UNSEEN_BY_TSAN void Fiber::switch_to(Fiber& from, Fiber& to) {
  starting = &to;
  KernelAccesses none;  // the detector wants fibers to be left, and given up, without open claims
#if INGOT_ASAN
  __sanitizer_start_switch_fiber(&from.asan_frames_, to.stack_, to.stack_size_);
#endif
#if INGOT_TSAN
  if (!from.entry_) from.tsan_fiber_ = __tsan_get_current_fiber();
  __tsan_switch_to_fiber(to.tsan_fiber_, 1);  // 1: the switch itself orders nothing
#endif
#if INGOT_FIBER_BY_HAND
  ingot_fiber_switch(&from.stack_pointer_, to.stack_pointer_);
#else
  swapcontext(static_cast<ucontext_t*>(from.context_), static_cast<ucontext_t*>(to.context_));
#endif
#if INGOT_ASAN
  __sanitizer_finish_switch_fiber(from.asan_frames_, nullptr, nullptr);
#endif
}

}  // namespace ingot::sim
