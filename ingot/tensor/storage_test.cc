#include "ingot/tensor/storage.h"

#include <gtest/gtest.h>
#if defined(__unix__) || defined(__APPLE__)
#include <sys/mman.h>
#endif

#include <cstring>
#include <thread>
#include <vector>

#include "ingot/base/error.h"
#include "ingot/device/cpu/memory.h"
#include "ingot/tensor/stream.h"
#include "ingot/tensor/tensor.h"

namespace ingot {
namespace {

TEST(StorageTest, OwnsWhatItAllocates) {
  size_t used = cpu_memory().used;
  auto s = Storage::allocate(1000);
  EXPECT_EQ(s->bytes(), 1000u);
  EXPECT_EQ(s->device(), kCpu);
  EXPECT_FALSE(s->read_only());
  EXPECT_GT(cpu_memory().used, used);
  s.reset();
  EXPECT_EQ(cpu_memory().used, used);
}

TEST(StorageTest, DevicesThatAreNotThereSayWhy) {
  for (Device d : known_devices()) {
    Availability a = availability(d);
    if (a.available) continue;
    try {
      Storage::allocate(16, d);
      FAIL() << name(d);
    } catch (const Error& e) {
      EXPECT_EQ(e.kind(), ErrorKind::kUnsupported);
      EXPECT_EQ(e.what(), cat(name(d), ": ", a.reason, "; ", a.advice));
    }
  }
}

TEST(StorageTest, BorrowedMemoryKeepsItsOwnerAlive) {
  int released = 0;
  std::vector<float> values{1, 2, 3, 4};
  std::shared_ptr<void> owner(values.data(), [&](void*) { released++; });
  Tensor x = from_memory(values.data(), {2, 2}, DType::kF32, std::move(owner));
  EXPECT_EQ(x.raw_data(), values.data());
  Tensor row = x.select(0, 1);
  x = Tensor();
  EXPECT_EQ(released, 0) << "a view is left";
  values[3] = 9;
  EXPECT_EQ(to_doubles(row), (std::vector<double>{3, 9}));
  row = Tensor();
  EXPECT_EQ(released, 1);
}

TEST(StorageTest, BorrowingNothingIsAnError) {
  EXPECT_THROW(Storage::borrow(nullptr, 1, {}), Error);
  EXPECT_THROW(from_memory(nullptr, {2}, DType::kF32), Error);
  EXPECT_EQ(from_memory(nullptr, {0}, DType::kF32).numel(), 0);
  char byte;
  EXPECT_THROW(from_memory(&byte, {int64_t{1} << 61}, DType::kF64), Error) << "2^64 bytes";
  EXPECT_THROW(from_memory(&byte, {-1}, DType::kF64), Error);
}

TEST(StorageTest, TensorsShareIt) {
  Tensor a = zeros({4}, DType::kI32);
  Tensor b = a, c = a.slice(0, 1, 3);
  c.data<int32_t>()[0] = 7;
  EXPECT_EQ(to_int64s(b), (std::vector<int64_t>{0, 7, 0, 0}));
  EXPECT_EQ(a.storage(), c.storage());
  uint64_t before = a.version();
  cpu_stream().run("write", {}, {c}, [] {});
  EXPECT_EQ(a.version(), before + 1) << "a write through a view is a write to all that share the storage";
}

TEST(StorageTest, VersionsCountFromManyThreads) {
  auto s = Storage::allocate(1);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; t++)
    threads.emplace_back([&] {
      for (int i = 0; i < 1000; i++) s->bump_version();
    });
  for (auto& t : threads) t.join();
  EXPECT_EQ(s->version(), 4000u);
}

#if defined(__unix__) || defined(__APPLE__)
TEST(StorageTest, MappedMemoryIsReadOnly) {
  size_t bytes = 4096;
  void* page = mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(page, MAP_FAILED);
  std::shared_ptr<void> owner(page, [bytes](void* p) { munmap(p, bytes); });
  Tensor x = from_memory(page, {1024}, DType::kF32, std::move(owner), /*read_only=*/true);
  EXPECT_EQ(to_doubles(x.slice(0, 0, 2)), (std::vector<double>{0, 0}));
  bool ran = false;
  try {
    cpu_stream().run("add_", {}, {x.slice(0, 0, 4)}, [&] { ran = true; });
    FAIL();
  } catch (const Error& e) {
    EXPECT_STREQ(e.what(), "add_: the output is read-only memory (a mapped file)");
  }
  EXPECT_FALSE(ran);
  EXPECT_EQ(x.version(), 0u);
}
#endif

}  // namespace
}  // namespace ingot
