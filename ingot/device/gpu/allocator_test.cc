#include "ingot/device/gpu/allocator.h"

#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <random>

#include "ingot/base/error.h"
#include "ingot/device/gpu/fake_driver_test.h"

namespace ingot::gpu {
namespace {

constexpr size_t kMiB = size_t(1) << 20;

TEST(GpuAllocator, SmallBlocksShareMemory) {
  FakeDriver driver;
  Allocator a(driver);
  Allocation x = a.allocate(1), y = a.allocate(513), z = a.allocate(1 << 20);
  EXPECT_EQ(driver.live, 1u);
  EXPECT_EQ(x.bytes(), 1u);
  EXPECT_EQ(x.slice().memory, y.slice().memory);
  EXPECT_EQ(y.slice().offset, 512u);
  EXPECT_EQ(z.slice().offset, 512u + 1024u);
  MemoryUse use = a.use();
  EXPECT_EQ(use.in_use, 512 + 1024 + kMiB);
  EXPECT_EQ(use.driver, 4 * kMiB);
  EXPECT_EQ(use.cached, use.driver - use.in_use);
}

TEST(GpuAllocator, NothingTakesNothing) {
  FakeDriver driver;
  Allocator a(driver);
  Allocation none = a.allocate(0);
  EXPECT_EQ(none.slice().memory, nullptr);
  EXPECT_EQ(driver.live, 0u);
}

TEST(GpuAllocator, FreedBlocksAreUsedAgainAndMerge) {
  FakeDriver driver;
  Allocator a(driver);
  Allocation x = a.allocate(30 * kMiB);
  const Memory* memory = x.slice().memory;
  x = {};
  EXPECT_EQ(a.use().in_use, 0u);
  EXPECT_EQ(a.use().cached, 30 * kMiB);
  Allocation y = a.allocate(10 * kMiB), z = a.allocate(20 * kMiB);
  EXPECT_EQ(y.slice().memory, memory);
  EXPECT_EQ(z.slice().memory, memory);
  EXPECT_EQ(z.slice().offset, 10 * kMiB);
  y = {};
  z = {};
  EXPECT_EQ(a.allocate(30 * kMiB).slice().memory, memory);
  EXPECT_EQ(driver.allocations, 1u);
}

TEST(GpuAllocator, BestFit) {
  FakeDriver driver;
  Allocator a(driver);
  Allocation big = a.allocate(64 * kMiB), fit = a.allocate(16 * kMiB);
  const Memory* fitting = fit.slice().memory;
  big = {};
  fit = {};
  EXPECT_EQ(a.allocate(16 * kMiB).slice().memory, fitting);
}

TEST(GpuAllocator, WasteIsAtMostAnEighth) {
  FakeDriver driver;
  Allocator a(driver);
  for (size_t bytes : {size_t(4097), size_t(5000), size_t(100001), 3 * kMiB + 1, 100 * kMiB + 7, 129 * kMiB}) {
    Allocation x = a.allocate(bytes);
    EXPECT_LE(a.use().in_use, bytes + bytes / 8 + 512) << bytes;
  }
}

TEST(GpuAllocator, TrimGivesBackWhatIsWhollyFree) {
  FakeDriver driver;
  Allocator a(driver);
  Allocation keep = a.allocate(100), large = a.allocate(50 * kMiB);
  large = {};
  a.trim();
  EXPECT_EQ(driver.live, 1u);
  EXPECT_EQ(a.use().driver, 4 * kMiB);
  keep = {};
  a.trim();
  EXPECT_EQ(driver.live, 0u);
  EXPECT_EQ(a.use().driver, 0u);
  EXPECT_EQ(a.use().peak, 512 + 52 * kMiB);
  a.reset_peak();
  EXPECT_EQ(a.use().peak, 0u);
}

TEST(GpuAllocator, LimitRefusesAfterGivingBackTheCache) {
  FakeDriver driver;
  Allocator a(driver);
  a.set_limit(64 * kMiB);
  a.allocate(40 * kMiB);  // freed at once: cached
  Allocation x = a.allocate(60 * kMiB);
  EXPECT_EQ(a.use().driver, 60 * kMiB);
  Allocation small = a.allocate(4000);  // a segment of 4 MiB fits just so
  Allocation odd;
  try {
    odd = a.allocate(5 * kMiB);
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.kind(), ErrorKind::kMemory);
    EXPECT_EQ(std::string(e.what()),
              "cuda:0: refused by the limit: asked for 5.00 MiB, in use 60.00 MiB, cached 4.00 MiB, limit "
              "64.00 MiB, free on the device 960.00 MiB");
  }
  a.set_limit(0);
  odd = a.allocate(5 * kMiB);
}

TEST(GpuAllocator, LimitTooTightForASegmentStillServesTheBlock) {
  FakeDriver driver;
  Allocator a(driver);
  a.set_limit(kMiB);
  Allocation x = a.allocate(4096);
  EXPECT_EQ(a.use().driver, 4096u);
}

TEST(GpuAllocator, DriverWithoutMemory) {
  FakeDriver driver;
  driver.capacity = 100 * kMiB;
  Allocator a(driver);
  a.allocate(60 * kMiB);
  Allocation x = a.allocate(80 * kMiB);  // the cached 60 went back
  Allocation y = a.allocate(5 * kMiB);   // no room for a segment of 32
  try {
    a.allocate(40 * kMiB);
    FAIL();
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("refused by the driver: asked for 40.00 MiB"), std::string::npos) << e.what();
  }
}

TEST(GpuAllocator, ExactBlocksAreTheirOwnMemory) {
  FakeDriver driver;
  Allocator a(driver, Allocator::Blocks::kExact);
  Allocation x = a.allocate(7), y = a.allocate(9);
  EXPECT_NE(x.slice().memory, y.slice().memory);
  EXPECT_EQ(x.slice().memory->bytes(), 7u);
  x = {};
  EXPECT_EQ(driver.live, 1u);
  EXPECT_EQ(a.use().driver, 9u);
}

// Blocks never overlap, keep what was written, and all memory is accounted for.
TEST(GpuAllocator, RandomUse) {
  for (unsigned seed = 1; seed <= 20; seed++) {
    FakeDriver driver;
    Allocator a(driver);
    std::mt19937 random(seed);
    struct Live {
      Allocation block;
      uint8_t mark;
    };
    std::vector<Live> live;
    auto sizes = [&]() -> size_t {
      switch (random() % 4) {
        case 0:
          return 1 + random() % 600;
        case 1:
          return 1 + random() % 100000;
        default:
          return 1 + random() % (3 * kMiB);
      }
    };
    auto at = [](const Allocation& b) { return static_cast<uint8_t*>(b.slice().memory->host()) + b.slice().offset; };
    auto intact = [&](const Live& l) { return at(l.block)[0] == l.mark && at(l.block)[l.block.bytes() - 1] == l.mark; };
    size_t asked = 0;
    for (int step = 0; step < 1500; step++) {
      if (live.empty() || random() % 100 < 52) {
        Live l{a.allocate(sizes()), uint8_t(random())};
        EXPECT_EQ(l.block.slice().offset % 256, 0u);
        at(l.block)[0] = at(l.block)[l.block.bytes() - 1] = l.mark;
        asked += l.block.bytes();
        live.push_back(std::move(l));
      } else {
        size_t i = random() % live.size();
        ASSERT_TRUE(intact(live[i]));
        asked -= live[i].block.bytes();
        std::swap(live[i], live.back());
        live.pop_back();
      }
      if (random() % 200 == 0) a.trim();
      MemoryUse use = a.use();
      ASSERT_EQ(use.in_use + use.cached, use.driver);
      ASSERT_EQ(use.driver, driver.counters().driver_bytes);
      ASSERT_GE(use.in_use, asked);
      ASSERT_LE(use.in_use, asked + asked / 8 + 512 * live.size());
    }
    std::map<std::pair<const Memory*, size_t>, size_t> places;
    for (const Live& l : live) {
      ASSERT_TRUE(intact(l));
      places[{l.block.slice().memory, l.block.slice().offset}] = l.block.bytes();
    }
    ASSERT_EQ(places.size(), live.size());
    for (auto it = places.begin(), next = it; it != places.end(); it = next) {
      if (++next != places.end() && next->first.first == it->first.first) {
        ASSERT_LE(it->first.second + it->second, next->first.second);
      }
    }
    live.clear();
    a.trim();
    EXPECT_EQ(driver.live, 0u) << seed;
  }
}

}  // namespace
}  // namespace ingot::gpu
