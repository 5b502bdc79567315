#include "ingot/device/cpu/memory.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <thread>
#include <vector>

#include "ingot/base/error.h"

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#endif

namespace ingot {
namespace {

class CpuMemoryTest : public testing::Test {
 protected:
  void SetUp() override { empty_cpu_cache(); }
  void TearDown() override {
    set_cpu_budget(0);
    empty_cpu_cache();
  }
};

TEST_F(CpuMemoryTest, IsAlignedAndWritable) {
  size_t before = cpu_memory().used;
  for (size_t bytes : {size_t{0}, size_t{1}, size_t{63}, size_t{64}, size_t{65}, size_t{1000}, size_t{4097},
                       size_t{1} << 20, (size_t{5} << 20) + 3, (size_t{70} << 20) + 1}) {
    void* p = cpu_allocate(bytes);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(p) % kCpuAlignment, 0u) << bytes;
    memset(p, 0x5A, bytes);
    EXPECT_GE(cpu_memory().used, before + bytes);
    cpu_free(p);
    EXPECT_EQ(cpu_memory().used, before);
  }
  cpu_free(nullptr);
}

TEST_F(CpuMemoryTest, WastesAtMostAQuarter) {
  for (size_t bytes = 512; bytes < size_t{40} << 20; bytes = bytes * 17 / 16 + 1) {
    size_t before = cpu_memory().used;
    void* p = cpu_allocate(bytes);
    EXPECT_LE(cpu_memory().used - before, (bytes + 64) + (bytes + 64) / 4 + 1) << bytes;
    cpu_free(p);
  }
}

TEST_F(CpuMemoryTest, ReusesFreedBlocks) {
  void* a = cpu_allocate(10000);
  cpu_free(a);
  EXPECT_GE(cpu_memory().cached, 10000u);
  EXPECT_EQ(cpu_allocate(9900), a);
  EXPECT_EQ(cpu_memory().cached, 0u);
  cpu_free(a);
  empty_cpu_cache();
  EXPECT_EQ(cpu_memory().cached, 0u);
}

TEST_F(CpuMemoryTest, NeverCachesHugeBlocks) {
  cpu_free(cpu_allocate(size_t{65} << 20));
  EXPECT_EQ(cpu_memory().cached, 0u);
}

TEST_F(CpuMemoryTest, CacheIsBounded) {
  std::vector<void*> blocks;
  for (int i = 0; i < 20; i++)
    blocks.push_back(cpu_allocate(size_t{20} << 20));  // untouched, so no memory is really used
  for (void* p : blocks) cpu_free(p);
  EXPECT_LE(cpu_memory().cached, size_t{256} << 20);
  EXPECT_GT(cpu_memory().cached, size_t{200} << 20);
}

TEST_F(CpuMemoryTest, PeakCountsFromReset) {
  reset_cpu_peak();
  size_t base = cpu_memory().peak;
  cpu_free(cpu_allocate(size_t{3} << 20));
  EXPECT_GE(cpu_memory().peak, base + (size_t{3} << 20));
  empty_cpu_cache();
  reset_cpu_peak();
  EXPECT_EQ(cpu_memory().peak, cpu_memory().used);
}

TEST_F(CpuMemoryTest, BudgetRefusesBeforeTheWorkStarts) {
  size_t used = cpu_memory().used;
  set_cpu_budget(used + (size_t{8} << 20));
  void* a = cpu_allocate(size_t{5} << 20);
  try {
    cpu_allocate(size_t{5} << 20);
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.kind(), ErrorKind::kMemory);
    EXPECT_NE(std::string(e.what()).find("cpu memory: cannot allocate 5.00 MiB: in use "), std::string::npos)
        << e.what();
    EXPECT_NE(std::string(e.what()).find(", budget "), std::string::npos) << e.what();
  }
  EXPECT_LE(cpu_memory().used, cpu_memory().budget);
  cpu_free(a);
  void* b = cpu_allocate(size_t{6} << 20);  // what is cached gives way
  EXPECT_LE(cpu_memory().used + cpu_memory().cached, cpu_memory().budget);
  cpu_free(b);
}

TEST_F(CpuMemoryTest, AbsurdSizesAreRefused) {
  size_t used = cpu_memory().used;
  for (size_t bytes : {SIZE_MAX, SIZE_MAX - 63, size_t{1} << 63, (size_t{1} << 52) + 1, size_t{1} << 50}) {
    try {
      cpu_allocate(bytes);
      ADD_FAILURE() << bytes;
    } catch (const Error& e) {
      EXPECT_EQ(e.kind(), ErrorKind::kMemory);
    }
  }
  EXPECT_EQ(cpu_memory().used, used);
}

TEST_F(CpuMemoryTest, ManyThreadsNeverShareABlock) {
  size_t before = cpu_memory().used;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; t++) {
    threads.emplace_back([t] {
      std::mt19937 random{unsigned(t)};
      std::vector<std::pair<unsigned char*, size_t>> held;
      for (int i = 0; i < 2000; i++) {
        if (held.size() > 20 || (!held.empty() && random() % 2)) {
          size_t at = random() % held.size();
          auto [p, n] = held[at];
          for (size_t k = 0; k < n; k++) ASSERT_EQ(p[k], t);
          cpu_free(p);
          held.erase(held.begin() + long(at));
        } else {
          size_t n = random() % 3000;
          auto* p = static_cast<unsigned char*>(cpu_allocate(n));
          memset(p, t, n);
          held.push_back({p, n});
        }
      }
      for (auto& h : held) cpu_free(h.first);
    });
  }
  for (auto& t : threads) t.join();
  EXPECT_EQ(cpu_memory().used, before);
}

#if defined(__SANITIZE_ADDRESS__)
TEST_F(CpuMemoryTest, TheSanitizerSeesThroughTheCache) {
  char* p = static_cast<char*>(cpu_allocate(100));
  EXPECT_FALSE(__asan_address_is_poisoned(p + 99));
  EXPECT_TRUE(__asan_address_is_poisoned(p + 100));
  cpu_free(p);
  EXPECT_TRUE(__asan_address_is_poisoned(p));
}
#endif

TEST(ProcessMemoryTest, ReportsWhatTheSystemSays) {
  ProcessMemory m = process_memory();
  EXPECT_GE(m.peak_resident, m.resident);
#if defined(__linux__)
  EXPECT_GT(m.resident, 0u);
  EXPECT_GE(m.machine_total, m.machine_available);
#endif
}

}  // namespace
}  // namespace ingot
