#include "ingot/ops/linear/bandwidth.h"

#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <mutex>

#include "ingot/base/error.h"
#include "ingot/device/cpu/memory.h"
#include "ingot/device/cpu/thread_pool.h"
#include "ingot/ops/linear/bandwidth_kernels.h"

namespace ingot {

namespace {

constexpr int64_t kSegment = 4 << 20;  // read by one thread before it looks for the next

struct Buffer {
  std::mutex mutex;
  uint8_t* data = nullptr;
  int64_t bytes = 0;
};
Buffer& buffer() {
  static Buffer b;
  return b;
}

// 1 GiB, or a quarter of what is free.
void allocate(Buffer& b) {
  if (b.data) return;
  int64_t free = static_cast<int64_t>(process_memory().machine_available) / 4;
  int64_t bytes = std::clamp<int64_t>(free, 16 * kSegment, int64_t{1} << 30) / kSegment * kSegment;
  void* p = mmap(nullptr, static_cast<size_t>(bytes), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (p == MAP_FAILED)
    fail(ErrorKind::kMemory, "read_bandwidth_gb_s", cat("no buffer of ", human_bytes(static_cast<double>(bytes))));
#if defined(MADV_HUGEPAGE)
  madvise(p, static_cast<size_t>(bytes), MADV_HUGEPAGE);
#endif
  b.data = static_cast<uint8_t*>(p);
  b.bytes = bytes;
  // Every page must be real: untouched ones would all be read from one page of zeros.
  parallel_for(bytes / kSegment, 1, [&](int64_t begin, int64_t end) {
    memset(b.data + begin * kSegment, 1, static_cast<size_t>((end - begin) * kSegment));
  });
}

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

}  // namespace

double read_bandwidth_gb_s(int threads, double seconds) {
  if (threads < 1) fail_argument("read_bandwidth_gb_s", "threads", "a number >= 1", cat(threads));
  Buffer& b = buffer();
  std::lock_guard lock(b.mutex);
  allocate(b);
  const BandwidthKernels& kernels = simd_pick(INGOT_SIMD_LEVELS(bandwidth_kernels));
  struct Pattern {
    int streams;
    int64_t prefetch;
  };
  constexpr Pattern kPatterns[] = {{1, 0}, {2, 0}, {4, 0}, {8, 0}, {1, 4096}, {2, 4096}, {4, 2048}, {8, 1024}};
  constexpr int kCount = sizeof kPatterns / sizeof *kPatterns;
  double best = 0;
  std::atomic<uint64_t> sink{0};
  int64_t segments = b.bytes / kSegment;
  for (const Pattern& pattern : kPatterns) {
    // Short rounds, a few milliseconds each, so that some are undisturbed on a busy machine.
    int64_t round = std::min<int64_t>(std::max(16, 4 * threads), segments), at = 0;
    double start = now(), end;
    do {
      std::atomic<int64_t> next{0};
      double from = now();
      parallel_region(threads, [&](int) {
        uint64_t sum = 0;
        for (int64_t i; (i = next.fetch_add(1)) < round;)
          sum ^= kernels.read(b.data + (at + i) % segments * kSegment, kSegment, pattern.streams, pattern.prefetch);
        sink ^= sum;
      });
      end = now();
      best = std::max(best, static_cast<double>(round * kSegment) / (end - from) * 1e-9);
      at = (at + round) % segments;
    } while (end - start < seconds / kCount);
  }
  return best;
}

void release_bandwidth_buffer() {
  Buffer& b = buffer();
  std::lock_guard lock(b.mutex);
  if (b.data) munmap(b.data, static_cast<size_t>(b.bytes));
  b.data = nullptr;
  b.bytes = 0;
}

}  // namespace ingot
