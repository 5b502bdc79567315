// Runs the threads of one group at a time, on one OS thread.
//
// Each GPU thread runs on a fiber until it has to wait at a barrier or at a simdgroup operation; then another goes on.
// A fiber whose GPU thread returns takes the next one that has not started, so kernels that never wait never switch. A
// simdgroup operation is done by the lane that arrives last. Without a seed the order is fixed; with one, threads start
// and go on in a random order that depends on the seed and the group alone.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "ingot/device/sim/fiber.h"
#include "ingot/device/sim/threadgroup_memory.h"
#include "ingot/msl/portable/msl_sim.h"

namespace ingot::sim {

struct Job {
  const msl_sim::Register* kernel;
  const msl_sim::Args* args;
  msl_sim::Size groups, threads;
  uint64_t seed;
};

class Worker {
 public:
  static Worker& of_this_thread();

  // begin, any number of groups, end: between begin and end the host sees nothing of what kernels write.
  void begin(const Job& job);
  void end();
  // False where the kernel went wrong; error() then says "file:line: what" and the worker is ready for a next job.
  bool run_group(uint64_t group);
  const std::string& error() const { return error_; }
  uint64_t switches() const { return switches_; }

  // ---- for the GPU thread that runs
  uint32_t lane() const { return running().builtins.linear % 32; }
  void barrier(bool orders_memory, msl_sim::Where where);
  void simd_op(const char* what, bool orders_memory, void* data, msl_sim::Together together, msl_sim::Where where);
  void* threadgroup_block(int id, size_t bytes, size_t alignment, msl_sim::Where where);
  void* threadgroup_argument(int index);
  [[noreturn]] void fail(const char* message, msl_sim::Where where);

 private:
  struct Thread {  // a fiber and the GPU thread on it
    explicit Thread(Worker* worker) : fiber(&Worker::fiber_main, worker) {}
    Fiber fiber;
    msl_sim::Builtins builtins = {};
    bool idle = true;
  };
  struct Simdgroup {  // the operation at which lanes wait
    const char* what = nullptr;
    msl_sim::Where where = {};
    msl_sim::Together together = nullptr;
    uint32_t arrived = 0, passed = 0;
    char order[2];  // addresses for the race detector: fast lanes may reach the next operation before slow ones leave
    uint32_t threads[32];
    void* data[32];
  };

  Thread& running() const { return *threads_[current_]; }
  static void fiber_main(void* worker);
  void run_threads();
  void start_thread(uint32_t linear);
  uint32_t new_thread();
  uint32_t idle_thread();
  void go_on();
  void leave();
  void release(std::vector<uint32_t>& waiting);
  void report(std::string message);
  [[noreturn]] void stop();
  void describe_stuck_threads();
  void abandon();
  uint32_t random(uint32_t below);

  // the dispatch
  Job job_ = {};
  msl_sim::Group group_ = {};
  uint32_t thread_count_ = 0;
  std::string error_;
  bool failed_ = false;
  uint64_t switches_ = 0;

  // the group
  uint64_t random_state_ = 0;
  std::vector<uint32_t> order_;  // of starting, under a seed
  uint32_t started_ = 0, returned_ = 0;
  std::vector<Simdgroup> simdgroups_;
  std::vector<uint32_t> at_barrier_;
  msl_sim::Where barrier_where_ = {};
  uint32_t barriers_passed_ = 0;
  char barrier_order_[2];  // as Simdgroup::order
  std::vector<uint32_t> released_;
  std::vector<uint32_t> ready_;
  size_t ready_begin_ = 0;
  ThreadgroupMemory memory_;

  // the fibers, kept for the life of the OS thread
  Fiber main_;
  std::vector<std::unique_ptr<Thread>> threads_;
  std::vector<uint32_t> idle_, returned_fibers_;
  uint32_t current_ = 0;
};

}  // namespace ingot::sim
