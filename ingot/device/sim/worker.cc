#include "ingot/device/sim/worker.h"

#include <utility>

#include "ingot/base/error.h"

namespace ingot::sim {

namespace {

std::string text(msl_sim::Where where) { return std::string(where.file) + ":" + std::to_string(where.line); }

std::string count_of(size_t n, const char* one, const char* many) {
  return std::to_string(n) + " " + (n == 1 ? one : many);
}

}  // namespace

Worker& Worker::of_this_thread() {
  static thread_local Worker worker;
  return worker;
}

void Worker::begin(const Job& job) {
  OwnAccesses own;
  job_ = job;
  thread_count_ = job.threads.x * job.threads.y * job.threads.z;
  group_ = {{}, job.threads, job.groups};
  simdgroups_.resize(thread_count_ / 32);
  memory_.begin_dispatch();
  error_.clear();
  failed_ = false;
  switches_ = 0;
  // To the race detector, who makes a fiber comes before it: a GPU thread must not be the one.
  while (kRaceDetector && threads_.size() < thread_count_) idle_.push_back(new_thread());
  order_before(&job_);
}

void Worker::end() { order_after(&returned_); }

bool Worker::run_group(uint64_t group) {
  OwnAccesses own;
  const msl_sim::Size& groups = job_.groups;
  group_.position = {uint32_t(group % groups.x), uint32_t(group / groups.x % groups.y),
                     uint32_t(group / (uint64_t(groups.x) * groups.y))};
  started_ = returned_ = 0;
  memory_.begin_group();
  if (job_.seed != 0) {
    random_state_ = (job_.seed ^ (group + 1) * 0xD1342543DE82EF95ull) * 0x9E3779B97F4A7C15ull | 1;
    order_.resize(thread_count_);
    for (uint32_t i = 0; i < thread_count_; ++i) order_[i] = i;
    for (uint32_t i = thread_count_; i > 1; --i) std::swap(order_[i - 1], order_[random(i)]);
  }
  for (uint32_t fiber : returned_fibers_) idle_.push_back(fiber);
  returned_fibers_.clear();

  current_ = idle_thread();
  ++switches_;
  Fiber::switch_to(main_, running().fiber);

  if (!failed_ && returned_ < thread_count_) describe_stuck_threads();
  if (failed_) abandon();
  return !failed_;
}

// ---- the fibers

INGOT_UNSEEN_BY_TSAN void Worker::fiber_main(void* worker) {
  OwnAccesses own;
  static_cast<Worker*>(worker)->run_threads();
}

void Worker::run_threads() {
  for (;;) {
    Thread& me = running();
    me.idle = false;
    while (started_ < thread_count_) {
      start_thread(started_++);
      ++returned_;
      if (kRaceDetector) break;  // one GPU thread per fiber, or races between those on one would not be seen
    }
    me.idle = true;
    (kRaceDetector ? returned_fibers_ : idle_).push_back(current_);
    go_on();
  }
}

void Worker::start_thread(uint32_t next) {
  const uint32_t linear = job_.seed != 0 ? order_[next] : next;
  const msl_sim::Size& size = group_.size;
  msl_sim::Builtins& builtins = running().builtins;
  builtins.group = &group_;
  builtins.linear = linear;
  if (size.y == 1 && size.z == 1) {
    builtins.thread = {linear, 0, 0};
  } else {
    builtins.thread = {linear % size.x, linear / size.x % size.y, linear / (size.x * size.y)};
  }
  const msl_sim::Call call = job_.kernel->call;
  order_after(&job_);
  {
    KernelAccesses visible;
    call(*job_.args, builtins);
  }
  order_before(&returned_);
}

uint32_t Worker::new_thread() {
  threads_.push_back(std::make_unique<Thread>(this));
  return uint32_t(threads_.size() - 1);
}

uint32_t Worker::idle_thread() {
  if (idle_.empty()) return new_thread();
  uint32_t fiber = idle_.back();
  idle_.pop_back();
  return fiber;
}

// The running fiber can do no more for now: the next one that can, or back to run_group.
void Worker::go_on() {
  const uint32_t me = current_;
  const bool may_start = started_ < thread_count_;
  if (ready_begin_ < ready_.size() && !(may_start && job_.seed != 0 && random(4) == 0)) {
    current_ = ready_[ready_begin_++];
    if (ready_begin_ == ready_.size()) {
      ready_.clear();
      ready_begin_ = 0;
    }
  } else if (may_start) {
    current_ = idle_thread();
  } else {
    leave();
    return;
  }
  if (current_ == me) return;
  ++switches_;
  Fiber::switch_to(threads_[me]->fiber, running().fiber);
  if (failed_) stop();
}

void Worker::leave() {
  ++switches_;
  Fiber::switch_to(running().fiber, main_);
  if (failed_) stop();
}

// Everybody who waits may go on. Without a seed the last to arrive, who runs, does so first.
void Worker::release(std::vector<uint32_t>& waiting) {
  const uint32_t me = current_;
  if (job_.seed != 0) {
    for (size_t i = waiting.size(); i > 1; --i) std::swap(waiting[i - 1], waiting[random(uint32_t(i))]);
  }
  for (uint32_t fiber : waiting) {
    if (fiber != me) ready_.push_back(fiber);
  }
  waiting.clear();
  if (job_.seed != 0 && random(2) == 0) {
    ready_.push_back(me);
    go_on();
  }
}

uint32_t Worker::random(uint32_t below) {
  random_state_ ^= random_state_ << 13;
  random_state_ ^= random_state_ >> 7;
  random_state_ ^= random_state_ << 17;
  return uint32_t((random_state_ >> 32) % below);
}

// ---- operations of many threads

void Worker::barrier(bool orders_memory, msl_sim::Where where) {
  OwnAccesses own;
  if (!at_barrier_.empty() && (barrier_where_.line != where.line || barrier_where_.file != where.file)) {
    report(text(where) + ": threadgroup_barrier: other threads wait at the one of " + text(barrier_where_));
    stop();
  }
  barrier_where_ = where;
  at_barrier_.push_back(current_);
  char* passage = &barrier_order_[barriers_passed_ % 2];
  if (orders_memory) order_before(passage);
  if (at_barrier_.size() < thread_count_) {
    go_on();
  } else {
    ++barriers_passed_;
    release(at_barrier_);
  }
  if (orders_memory) order_after(passage);
}

void Worker::simd_op(const char* what, bool orders_memory, void* data, msl_sim::Together together,
                     msl_sim::Where where) {
  OwnAccesses own;
  const uint32_t linear = running().builtins.linear;
  Simdgroup& group = simdgroups_[linear / 32];
  if (group.arrived == 0) {
    group.what = what;
    group.where = where;
    group.together = together;
  } else if (group.where.line != where.line || group.where.file != where.file || group.together != together) {
    report(text(where) + ": " + what + ": other lanes of simdgroup " + std::to_string(linear / 32) + " wait at the " +
           group.what + " of " + text(group.where));
    stop();
  }
  group.threads[linear % 32] = current_;
  group.data[linear % 32] = data;
  char* passage = &group.order[group.passed % 2];
  if (orders_memory) order_before(passage);
  if (++group.arrived < 32) {
    go_on();
  } else {
    if (together) together(group.data);
    group.arrived = 0;
    ++group.passed;
    if (job_.seed == 0) {
      for (uint32_t fiber : group.threads) {
        if (fiber != current_) ready_.push_back(fiber);
      }
    } else {
      released_.assign(group.threads, group.threads + 32);
      release(released_);
    }
  }
  if (orders_memory) order_after(passage);
}

void* Worker::threadgroup_block(int id, size_t bytes, size_t alignment, msl_sim::Where where) {
  OwnAccesses own;
  void* block = memory_.get(id, bytes, alignment);
  if (!block) {
    report(text(where) + ": threadgroup memory: expected at most " + std::to_string(ThreadgroupMemory::kLimit) +
           " bytes, got " + std::to_string(memory_.used()));
    stop();
  }
  return block;
}

void* Worker::threadgroup_argument(int index) {
  constexpr int kFirst = 1 << 12;  // above the numbers of variables inside kernels
  return threadgroup_block(kFirst + index, job_.args->tg_bytes[index], 16, {"threadgroup argument", index});
}

// ---- errors

void Worker::fail(const char* message, msl_sim::Where where) {
  OwnAccesses own;
  report(text(where) + ": " + message);
  stop();
}

void Worker::report(std::string message) {
  failed_ = true;
  error_ = std::move(message);
}

// abandon() gives the fiber up; whoever calls may hold nothing that needs a destructor.
void Worker::stop() {
  order_before(&returned_);
  for (;;) Fiber::switch_to(running().fiber, main_);
}

void Worker::describe_stuck_threads() {
  failed_ = true;
  std::string returned = returned_ == 0 ? "" : "; " + count_of(returned_, "thread", "threads") + " returned";
  if (!at_barrier_.empty()) {
    error_ = text(barrier_where_) + ": threadgroup_barrier: " + std::to_string(at_barrier_.size()) + " of " +
             std::to_string(thread_count_) + " threads arrived" + returned;
  }
  for (size_t i = 0; i < simdgroups_.size(); ++i) {
    const Simdgroup& group = simdgroups_[i];
    if (group.arrived == 0) continue;
    std::string stuck = text(group.where) + ": " + group.what + ": " + std::to_string(group.arrived) +
                        " of 32 lanes of simdgroup " + std::to_string(i) + " arrived";
    error_ = error_.empty() ? stuck + returned : error_ + "; " + stuck;
    return;
  }
}

// Gives up every GPU thread that has not returned, so that the next dispatch finds all fibers idle.
void Worker::abandon() {
  for (uint32_t i = 0; i < threads_.size(); ++i) {
    if (threads_[i]->idle) continue;
    if (kRaceDetector) {  // it comes to stop(), so that all it did is ordered before the end
      current_ = i;
      Fiber::switch_to(main_, threads_[i]->fiber);
    }
    threads_[i]->fiber.restart();
    threads_[i]->idle = true;
    idle_.push_back(i);
  }
  for (Simdgroup& group : simdgroups_) group.arrived = 0;
  at_barrier_.clear();
  ready_.clear();
  ready_begin_ = 0;
}

}  // namespace ingot::sim
