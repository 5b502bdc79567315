#include "ingot/device/cpu/thread_pool.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <mutex>
#include <numeric>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

#include "ingot/base/error.h"

namespace ingot {
namespace {

class ThreadPoolTest : public testing::Test {
 protected:
  ~ThreadPoolTest() override { set_num_threads(before_); }
  int before_ = num_threads();
};

TEST_F(ThreadPoolTest, EveryBodyRunsOnceAtEveryThreadCount) {
  for (int threads = 1; threads <= 5; threads++) {
    set_num_threads(threads);
    EXPECT_EQ(num_threads(), threads);
    for (int bodies = 0; bodies <= 9; bodies++) {
      std::vector<std::atomic<int>> runs(10);
      parallel_region(bodies, [&](int i) { runs[size_t(i)]++; });
      for (int i = 0; i < 10; i++) EXPECT_EQ(runs[size_t(i)], i < bodies) << threads << " threads, body " << i;
    }
  }
}

TEST_F(ThreadPoolTest, BodiesRunOnDifferentThreadsAndTheCallerTakesTheFirst) {
  set_num_threads(4);
  std::vector<std::thread::id> ids(4);
  parallel_region(4, [&](int i) { ids[size_t(i)] = std::this_thread::get_id(); });
  EXPECT_EQ(ids[0], std::this_thread::get_id());
  EXPECT_EQ(std::set<std::thread::id>(ids.begin(), ids.end()).size(), 4u);
}

TEST_F(ThreadPoolTest, RangesCoverExactlyOnce) {
  for (int threads = 1; threads <= 5; threads++) {
    set_num_threads(threads);
    for (int64_t n : {0, 1, 2, 3, 7, 64, 1001}) {
      for (int64_t grain : {-1, 0, 1, 2, 5, 64, 5000}) {
        std::mutex mutex;
        std::vector<std::pair<int64_t, int64_t>> ranges;
        parallel_for(n, grain, [&](int64_t begin, int64_t end) {
          std::lock_guard lock(mutex);
          ranges.push_back({begin, end});
        });
        std::sort(ranges.begin(), ranges.end());
        EXPECT_LE(ranges.size(), size_t(threads));
        int64_t at = 0;
        for (auto [begin, end] : ranges) {
          EXPECT_EQ(begin, at);
          EXPECT_LT(begin, end);
          if (ranges.size() > 1) {
            EXPECT_GE(end - begin, grain);
          }
          at = end;
        }
        EXPECT_EQ(at, n);
      }
    }
  }
}

TEST_F(ThreadPoolTest, NegativeAndHugeRanges) {
  set_num_threads(3);
  parallel_for(-5, 1, [](int64_t, int64_t) { FAIL(); });
  parallel_region(-1, [](int) { FAIL(); });
  std::atomic<uint64_t> total{0};
  parallel_for(INT64_MAX, 1, [&](int64_t begin, int64_t end) { total += uint64_t(end - begin); });
  EXPECT_EQ(total, uint64_t(INT64_MAX));
}

TEST_F(ThreadPoolTest, NestedRegionsRunInline) {
  for (int threads : {1, 2, 4}) {
    set_num_threads(threads);
    std::atomic<int> inner{0};
    parallel_region(4, [&](int) {
      std::thread::id outer_thread = std::this_thread::get_id();
      parallel_region(3, [&](int) {
        EXPECT_EQ(std::this_thread::get_id(), outer_thread);
        inner++;
      });
      parallel_for(10, 1, [&](int64_t begin, int64_t end) { inner += int(end - begin); });
    });
    EXPECT_EQ(inner, 4 * 13);
  }
}

TEST_F(ThreadPoolTest, ExceptionsComeBackToTheCaller) {
  set_num_threads(3);
  for (int thrower = 0; thrower < 3; thrower++) {
    std::atomic<int> others{0};
    try {
      parallel_region(3, [&](int i) {
        if (i == thrower) throw std::runtime_error("body " + std::to_string(i));
        others++;
      });
      FAIL();
    } catch (const std::runtime_error& e) {
      EXPECT_EQ(e.what(), "body " + std::to_string(thrower));
    }
    EXPECT_EQ(others, 2) << "the other bodies still run";
  }
  EXPECT_THROW(parallel_region(3, [](int) { throw 7; }), int);
  // A throw from a nested region, and the pool works on afterwards.
  EXPECT_THROW(
      parallel_region(3, [](int) { parallel_region(2, [](int) { fail(ErrorKind::kState, "test", "nested"); }); }),
      Error);
  std::atomic<int> sum{0};
  parallel_region(3, [&](int i) { sum += i; });
  EXPECT_EQ(sum, 3);
}

TEST_F(ThreadPoolTest, ManyTinyRegions) {
  for (int threads = 2; threads <= 5; threads++) {
    set_num_threads(threads);
    std::vector<int64_t> counts(size_t(threads) * 8);  // not atomic: the region's end must order the writes
    for (int round = 0; round < 5000; round++) parallel_region(threads, [&](int i) { counts[size_t(i) * 8]++; });
    for (int i = 0; i < threads; i++) EXPECT_EQ(counts[size_t(i) * 8], 5000);
  }
}

TEST_F(ThreadPoolTest, WakesSleepingWorkers) {
  set_num_threads(3);
  for (int round = 0; round < 20; round++) {
    std::this_thread::sleep_for(std::chrono::milliseconds(round % 4));  // long enough for the workers to fall asleep
    std::atomic<int> runs{0};
    parallel_region(3, [&](int) { runs++; });
    EXPECT_EQ(runs, 3);
  }
}

TEST_F(ThreadPoolTest, SeveralCallersTakeTurns) {
  set_num_threads(3);
  std::vector<std::thread> callers;
  std::vector<int64_t> sums(4);
  for (size_t c = 0; c < 4; c++) {
    callers.emplace_back([c, &sums] {
      std::vector<int64_t> x(1000);
      for (int round = 0; round < 300; round++)
        parallel_for(1000, 10, [&](int64_t begin, int64_t end) {
          for (int64_t i = begin; i < end; i++) x[size_t(i)] += i;
        });
      sums[c] = std::accumulate(x.begin(), x.end(), int64_t{0});
    });
  }
  for (auto& t : callers) t.join();
  for (int64_t s : sums) EXPECT_EQ(s, int64_t{300} * 999 * 1000 / 2);
}

TEST_F(ThreadPoolTest, ThreadCountsOutOfRangeAreErrors) {
  for (int n : {0, -1, 1025, INT32_MAX}) EXPECT_THROW(set_num_threads(n), Error) << n;
  EXPECT_EQ(num_threads(), before_);
  set_num_threads(2);
  EXPECT_THROW(parallel_region(2, [](int) { set_num_threads(3); }), Error);
  EXPECT_EQ(num_threads(), 2);
  for (int round = 0; round < 50; round++) {
    set_num_threads(1 + round % 4);
    std::atomic<int> runs{0};
    parallel_region(3, [&](int) { runs++; });
    EXPECT_EQ(runs, 3);
  }
}

TEST_F(ThreadPoolTest, SplitDependsOnTheArgumentsOnly) {
  set_num_threads(4);
  auto split = [] {
    std::mutex mutex;
    std::set<std::pair<int64_t, int64_t>> ranges;
    parallel_for(1003, 7, [&](int64_t begin, int64_t end) {
      std::lock_guard lock(mutex);
      ranges.insert({begin, end});
    });
    return ranges;
  };
  auto first = split();
  EXPECT_EQ(first, (std::set<std::pair<int64_t, int64_t>>{{0, 251}, {251, 502}, {502, 753}, {753, 1003}}));
  for (int i = 0; i < 20; i++) EXPECT_EQ(split(), first);
}

}  // namespace
}  // namespace ingot
