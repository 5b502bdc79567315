#include "ingot/device/cpu/memory.h"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <mutex>
#include <string>
#include <vector>

#include "ingot/base/error.h"

#if defined(__linux__)
#include <sys/mman.h>
#endif
#if !defined(__linux__)
#include <sys/resource.h>
#endif
#if defined(__clang__)
#if __has_feature(address_sanitizer)
#define INGOT_ASAN 1
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define INGOT_ASAN 1
#endif
#if defined(INGOT_ASAN)
#include <sanitizer/asan_interface.h>
#endif

namespace ingot {

namespace {

// A block starts with this header, 64 bytes before the pointer handed out.
struct Header {
  size_t bytes;  // of the whole block
  int size_class;
  uint64_t magic;
};
constexpr size_t kHeader = kCpuAlignment;
static_assert(sizeof(Header) <= kHeader);
constexpr uint64_t kMagic = 0x1A6077A110CA7EDull;

// Four classes per power of two waste at most a quarter.
int class_of(size_t bytes) {
  int log = std::bit_width(bytes - 1);
  if (log < 8) return 0;
  size_t base = size_t{1} << (log - 1), quarter = base / 4;
  return (log - 8) * 4 + 1 + int((bytes - base - 1) / quarter);
}
size_t class_bytes(int c) {
  if (c == 0) return 128;
  size_t base = size_t{1} << ((c - 1) / 4 + 7);
  return base + base / 4 * ((c - 1) % 4 + 1);
}
constexpr int kClasses = 4 * 48;
constexpr size_t kCacheLimit = size_t{256} << 20;  // freed memory beyond this goes back to the system
constexpr size_t kLargest = size_t{64} << 20;      // larger blocks are never cached

// Of the block's memory after the header, the first `bytes` may be touched. Tells the address sanitizer, from which the
// cache would otherwise hide a use after free, and the rounding up to a size class an overrun.
void set_accessible([[maybe_unused]] Header* block, [[maybe_unused]] size_t bytes) {
#if defined(INGOT_ASAN)
  char* data = reinterpret_cast<char*>(block) + kHeader;
  ASAN_UNPOISON_MEMORY_REGION(data, bytes);
  ASAN_POISON_MEMORY_REGION(data + bytes, block->bytes - kHeader - bytes);
#endif
}
void release(Header* block) {
  set_accessible(block, block->bytes - kHeader);
  std::free(block);
}

class Allocator {
 public:
  Allocator() {
    if (size_t total = process_memory().machine_total) largest_ = std::min(largest_, total);
    poison_ = std::getenv("INGOT_POISON") && *std::getenv("INGOT_POISON") == '1';
  }

  void* allocate(size_t bytes) {
    if (bytes > largest_) {
      std::lock_guard lock(mutex_);
      refuse(bytes);
    }
    int c = class_of(bytes + kHeader);
    size_t total = class_bytes(c);
    if (total > kLargest) total = (bytes + kHeader + 4095) / 4096 * 4096;
    Header* block = nullptr;
    {
      std::lock_guard lock(mutex_);
      if (total <= kLargest && !free_[c].empty()) {
        block = free_[c].back();
        free_[c].pop_back();
        cached_ -= total;
      } else if (budget_ && used_ + cached_ + total > budget_) {
        release_locked(0);
        if (used_ + total > budget_) refuse(bytes);
      }
      used_ += total;
      peak_ = std::max(peak_, used_ + cached_);
    }
    if (!block) {
      size_t alignment = total >= (size_t{2} << 20) ? size_t{2} << 20 : kCpuAlignment;
      block = static_cast<Header*>(std::aligned_alloc(alignment, (total + alignment - 1) / alignment * alignment));
      if (!block) {
        std::lock_guard lock(mutex_);
        used_ -= total;
        refuse(bytes);
      }
#if defined(__linux__)
      if (total >= (size_t{4} << 20)) madvise(block, total, MADV_HUGEPAGE);
#endif
      *block = Header{total, c, kMagic};
    }
    set_accessible(block, bytes);
    char* data = reinterpret_cast<char*>(block) + kHeader;
    if (poison_) memset(data, 0xFF, bytes);
    return data;
  }

  void free(void* pointer) noexcept {
    if (!pointer) return;
    Header* block = reinterpret_cast<Header*>(static_cast<char*>(pointer) - kHeader);
    if (block->magic != kMagic) {
      fputs("ingot: cpu_free: not a pointer from cpu_allocate, or memory before it was overwritten\n", stderr);
      std::abort();
    }
    size_t total = block->bytes;
    {
      std::lock_guard lock(mutex_);
      used_ -= total;
      if (total <= kLargest && cached_ + total <= kCacheLimit && !(budget_ && used_ + cached_ + total > budget_)) {
        set_accessible(block, 0);
        free_[block->size_class].push_back(block);
        cached_ += total;
        return;
      }
    }
    release(block);
  }

  CpuMemory counters() {
    std::lock_guard lock(mutex_);
    return {used_, cached_, peak_, budget_};
  }
  void set_budget(size_t bytes) {
    std::lock_guard lock(mutex_);
    budget_ = bytes;
    if (budget_) release_locked(0);
  }
  void reset_peak() {
    std::lock_guard lock(mutex_);
    peak_ = used_ + cached_;
  }
  void empty_cache() {
    std::lock_guard lock(mutex_);
    release_locked(0);
  }

 private:
  void release_locked(size_t keep) {
    for (int c = kClasses - 1; c >= 0 && cached_ > keep; c--) {
      for (Header* block : free_[c]) {
        cached_ -= block->bytes;
        release(block);
      }
      free_[c].clear();
    }
  }
  [[noreturn]] void refuse(size_t bytes) const {
    fail(ErrorKind::kMemory, "cpu memory",
         cat("cannot allocate ", human_bytes(double(bytes)), ": in use ", human_bytes(double(used_)),
             budget_ ? cat(", budget ", human_bytes(double(budget_))) : std::string(", no budget set")));
  }

  std::mutex mutex_;
  std::vector<Header*> free_[kClasses];
  size_t used_ = 0, cached_ = 0, peak_ = 0, budget_ = 0;
  size_t largest_ =
      size_t{1} << 52;  // no block above the machine's memory: the system might promise it, but never give it
  bool poison_;
};

Allocator& allocator() {
  static Allocator* a = new Allocator;  // never destroyed: tensors may outlive statics
  return *a;
}

}  // namespace

void* cpu_allocate(size_t bytes) { return allocator().allocate(bytes); }
void cpu_free(void* pointer) noexcept { allocator().free(pointer); }
CpuMemory cpu_memory() { return allocator().counters(); }
void set_cpu_budget(size_t bytes) { allocator().set_budget(bytes); }
void reset_cpu_peak() { allocator().reset_peak(); }
void empty_cpu_cache() { allocator().empty_cache(); }

ProcessMemory process_memory() {
  ProcessMemory m{};
#if defined(__linux__)
  auto read = [](const char* file, std::initializer_list<std::pair<const char*, size_t*>> wanted) {
    std::ifstream in(file);
    for (std::string line; std::getline(in, line);)
      for (const auto& w : wanted)
        if (line.starts_with(w.first)) *w.second = std::strtoull(line.c_str() + strlen(w.first), nullptr, 10) * 1024;
  };
  read("/proc/self/status", {{"VmRSS:", &m.resident}, {"VmHWM:", &m.peak_resident}});
  read("/proc/meminfo", {{"MemTotal:", &m.machine_total}, {"MemAvailable:", &m.machine_available}});
#else
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  m.peak_resident = size_t(usage.ru_maxrss);
#endif
  return m;
}

}  // namespace ingot
