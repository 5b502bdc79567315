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

// Workers wait for `generation_` to change, run the job when it has work for them, and count down `left_`.
class Pool {
 public:
  explicit Pool(int threads) : threads_(threads) {
    try {
      for (int i = 1; i < threads; i++) workers_.emplace_back([this, i] { work(i); });
    } catch (const std::system_error& e) {
      stop();
      fail(ErrorKind::kMemory, "threads",
           cat("cannot start thread ", workers_.size() + 1, " of ", threads, ": ", e.what()));
    }
  }
  ~Pool() { stop(); }
  int threads() const { return threads_; }

  void run(int threads, FunctionRef<void(int)> body) {
    std::lock_guard one_region_at_a_time(region_mutex_);
    Job job{body, threads, {}, {}};
    job_ = &job;
    left_.store(threads_ - 1, std::memory_order_relaxed);
    publish();
    job.execute(0, threads_);
    for (int spin = 0; left_.load(std::memory_order_acquire) != 0;) {
      if (++spin < kSpins) {
        pause_cpu();
      } else {
        std::this_thread::yield();
      }
    }
    if (job.error) std::rethrow_exception(job.error);
  }

 private:
  struct Job {
    FunctionRef<void(int)> body;
    int count;
    std::mutex error_mutex;
    std::exception_ptr error;

    void execute(int first, int step) {
      inside_region = true;
      for (int i = first; i < count; i += step) {
        try {
          body(i);
        } catch (...) {
          std::lock_guard lock(error_mutex);
          if (!error) error = std::current_exception();
        }
      }
      inside_region = false;
    }
  };

  void stop() {
    stop_ = true;
    publish();
    for (auto& w : workers_) w.join();
  }

  void publish() {
    generation_.fetch_add(1, std::memory_order_seq_cst);
    if (sleepers_.load(std::memory_order_seq_cst) > 0) {
      std::lock_guard lock(sleep_mutex_);
      sleep_cv_.notify_all();
    }
  }

  void work(int index) {
    uint64_t seen = 0;
    while (true) {
      seen = wait_for_change(seen);
      if (stop_) return;
      job_->execute(index, threads_);
      left_.fetch_sub(1, std::memory_order_release);
    }
  }

  uint64_t wait_for_change(uint64_t seen) {
    for (int spin = 0; spin < kSpins; spin++) {
      uint64_t now = generation_.load(std::memory_order_acquire);
      if (now != seen) return now;
      pause_cpu();
    }
    std::unique_lock lock(sleep_mutex_);
    sleepers_.fetch_add(1, std::memory_order_seq_cst);
    sleep_cv_.wait(lock, [&] { return generation_.load(std::memory_order_seq_cst) != seen; });
    sleepers_.fetch_sub(1, std::memory_order_seq_cst);
    return generation_.load(std::memory_order_acquire);
  }

  const int threads_;
  std::vector<std::thread> workers_;
  std::mutex region_mutex_;
  Job* job_ = nullptr;
  std::atomic<bool> stop_{false};
  alignas(64) std::atomic<uint64_t> generation_{0};
  alignas(64) std::atomic<int> left_{0};
  alignas(64) std::atomic<int> sleepers_{0};
  std::mutex sleep_mutex_;
  std::condition_variable sleep_cv_;
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
