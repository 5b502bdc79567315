#include "ingot/device/cpu/thread_pool.h"

#include <algorithm>
#include <atomic>
#include <charconv>
#include <condition_variable>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "ingot/base/error.h"
#include "ingot/device/cpu/isa.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace ingot {

namespace {

inline void pause_cpu() {
#if defined(__x86_64__)
  _mm_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

// About 50 us of spinning: longer than the gap between two regions of a decode step, far shorter than anything a person
// notices.
constexpr int kSpins = 2000;
constexpr int kMaxThreads = 1024;

thread_local bool inside_region = false;

// Runs the bodies of a region and keeps the first exception that one of them throws.
class FirstError {
 public:
  void run(FunctionRef<void(int)> body, int i) {
    try {
      body(i);
    } catch (...) {
      std::lock_guard lock(mutex_);
      if (!error_) error_ = std::current_exception();
    }
  }
  void rethrow() {
    if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
  }

 private:
  std::mutex mutex_;
  std::exception_ptr error_;
};

// A worker and what passes between it and the caller of a region. A region costs the time that cache lines take to
// travel between two cores, so all that goes to the worker stands in one line, all that comes back in another; nobody
// else reads or writes them.
class Worker {
 public:
  void start(int index, int step, FirstError& errors) {
    thread_ = std::thread([this, index, step, &errors] { loop(index, step, errors); });
  }
  void stop() {
    give(nullptr, 0);
    thread_.join();
  }

  // Bodies index, index + step, ... below count; no body at all ends the worker.
  void give(const FunctionRef<void(int)>* body, int count) {
    body_ = body;
    count_ = count;
    given_++;
    // By an exchange, so that either the worker's falling asleep is seen here or the new order there.
    if (order_.exchange(given_ << 1, std::memory_order_acq_rel) & kAsleep) {
      std::lock_guard lock(mutex_);
      wake_.notify_one();
    }
  }

  void wait_until_done() const {
    for (int spin = 0; done_.load(std::memory_order_acquire) != given_; spin++) {
      spin < kSpins ? pause_cpu() : std::this_thread::yield();
    }
  }

 private:
  static constexpr uint64_t kAsleep = 1;

  void loop(int index, int step, FirstError& errors) {
    inside_region = true;  // a region begun by a body runs inline
    for (uint64_t order = 0;; done_.store(order >> 1, std::memory_order_release)) {
      order = wait_for_another(order);
      if (!body_) return;
      for (int i = index; i < count_; i += step) errors.run(*body_, i);
    }
  }

  uint64_t wait_for_another(uint64_t order) {
    for (int spin = 0; spin < kSpins; spin++) {
      uint64_t now = order_.load(std::memory_order_acquire);
      if (now != order) return now;
      pause_cpu();
    }
    std::unique_lock lock(mutex_);
    uint64_t now = order;
    if (!order_.compare_exchange_strong(now, order | kAsleep, std::memory_order_acq_rel)) return now;
    wake_.wait(lock, [&] { return (now = order_.load(std::memory_order_acquire)) != (order | kAsleep); });
    return now;
  }

  // Lines are fetched in pairs.
  alignas(128) std::atomic<uint64_t> order_{0};  // its number times two, and whether the worker sleeps
  const FunctionRef<void(int)>* body_ = nullptr;
  int count_ = 0;
  alignas(128) std::atomic<uint64_t> done_{0};  // the number of the order carried out last
  alignas(128) uint64_t given_ = 0;             // read and written by the caller only
  std::mutex mutex_;
  std::condition_variable wake_;
  std::thread thread_;
};

class Pool {
 public:
  explicit Pool(int threads) : workers_(static_cast<size_t>(threads - 1)) {
    for (size_t i = 0; i < workers_.size(); i++) {
      try {
        workers_[i].start(static_cast<int>(i) + 1, threads, errors_);
      } catch (const std::system_error& e) {
        stop(i);
        fail(ErrorKind::kMemory, "threads", cat("cannot start thread ", i + 2, " of ", threads, ": ", e.what()));
      }
    }
  }
  ~Pool() { stop(workers_.size()); }
  int threads() const { return static_cast<int>(workers_.size()) + 1; }

  void run(int bodies, FunctionRef<void(int)> body) {
    std::lock_guard one_region_at_a_time(region_mutex_);
    const size_t helpers = std::min(workers_.size(), static_cast<size_t>(bodies - 1));
    for (size_t i = 0; i < helpers; i++) workers_[i].give(&body, bodies);
    inside_region = true;
    for (int i = 0; i < bodies; i += threads()) errors_.run(body, i);
    inside_region = false;
    for (size_t i = 0; i < helpers; i++) workers_[i].wait_until_done();
    errors_.rethrow();
  }

 private:
  void stop(size_t started) {
    for (size_t i = 0; i < started; i++) workers_[i].stop();
  }

  FirstError errors_;
  std::vector<Worker> workers_;
  std::mutex region_mutex_;
};

int default_threads() {
  int threads = cpu_info().logical_cores;
  if (const char* wish = std::getenv("INGOT_THREADS"); wish && *wish) {
    const char* end = wish + strlen(wish);
    auto [stop, error] = std::from_chars(wish, end, threads);
    if (error != std::errc{} || stop != end || threads < 1 || threads > kMaxThreads)
      fail_argument("INGOT_THREADS", "value", cat("a number of threads in [1, ", kMaxThreads, "]"), quoted(wish));
  }
  return threads;
}

struct PoolHolder {
  std::mutex mutex;
  std::unique_ptr<Pool> pool = std::make_unique<Pool>(default_threads());
};
PoolHolder& holder() {
  static PoolHolder* h = new PoolHolder;  // never destroyed: threads may still run while statics are torn down
  return *h;
}

}  // namespace

int num_threads() { return holder().pool->threads(); }

void set_num_threads(int n) {
  if (n < 1 || n > kMaxThreads)
    fail_argument("set_num_threads", "n", cat("a number in [1, ", kMaxThreads, "]"), cat(n));
  if (inside_region) fail(ErrorKind::kState, "set_num_threads", "called inside a parallel region");
  PoolHolder& h = holder();
  std::lock_guard lock(h.mutex);
  if (h.pool->threads() != n) h.pool = std::make_unique<Pool>(n);
}

void parallel_region(int threads, FunctionRef<void(int)> body) {
  if (threads <= 1 || inside_region || num_threads() == 1) {
    for (int i = 0; i < threads; i++) body(i);
    return;
  }
  holder().pool->run(threads, body);
}

void parallel_for(int64_t n, int64_t grain, FunctionRef<void(int64_t, int64_t)> body) {
  if (n <= 0) return;
  int64_t parts = std::min<int64_t>(num_threads(), n / std::max<int64_t>(grain, 1));
  if (parts <= 1 || inside_region) {
    body(0, n);
    return;
  }
  parallel_region(static_cast<int>(parts), [&](int i) {
    // The first n % parts ranges are one longer.
    int64_t size = n / parts, longer = n % parts;
    int64_t begin = i * size + std::min<int64_t>(i, longer);
    body(begin, begin + size + (i < longer));
  });
}

}  // namespace ingot
