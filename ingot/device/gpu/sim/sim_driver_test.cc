#include "ingot/device/gpu/sim/sim_driver.h"

#include <gtest/gtest.h>

#include <thread>

#include "ingot/base/error.h"
#include "ingot/base/message_test.h"

namespace ingot::gpu {
namespace {

struct SimDriverTest : testing::Test {
  std::unique_ptr<Driver> driver = make_sim_driver();
};

TEST_F(SimDriverTest, MemoryIsTheHostsAndCounted) {
  auto m = driver->allocate(100);
  EXPECT_EQ(m->bytes(), 100u);
  EXPECT_EQ(m->address() % 256, 0u);
  EXPECT_EQ(m->host(), reinterpret_cast<void*>(m->address()));
  EXPECT_EQ(driver->counters().driver_bytes, 100u);
  EXPECT_GT(driver->counters().total_bytes, driver->counters().free_bytes);
  m.reset();
  EXPECT_EQ(driver->counters().driver_bytes, 0u);
  char page[64];
  EXPECT_EQ(driver->wrap_host(page, 64)->host(), page);
}

TEST_F(SimDriverTest, MovesBytes) {
  auto a = driver->allocate(8), b = driver->allocate(8);
  driver->upload("abcdefgh", {a.get(), 0}, 8);
  driver->fill({b.get(), 0}, 'z', 8);
  driver->copy({a.get(), 2}, {b.get(), 1}, 3);
  char out[9] = {};
  driver->download({b.get(), 0}, out, 8);
  EXPECT_STREQ(out, "zcdezzzz");
}

TEST_F(SimDriverTest, KernelsBySetOfConstants) {
  const Constant one[] = {{0, 1}, {3, 0}}, two[] = {{0, 2}, {3, 0}};
  const Kernel &k = driver->kernel("add_constant", one), &l = driver->kernel("add_constant", two);
  EXPECT_NE(&k, &l);
  EXPECT_EQ(&k, &driver->kernel("add_constant", one));
  EXPECT_EQ(k.signature().host_name, "add_constant");
  EXPECT_EQ(message_of([&] { driver->kernel("nobody", {}); }), "sim: no kernel \"nobody\" in this build");
  auto text = std::make_shared<KernelText>(KernelText{"mine.metal", "", "", {}});
  EXPECT_EQ(message_of([&] { driver->user_kernel(text, "mine", {}); }),
            "sim: kernel text \"mine.metal\": the simulator runs the kernels of the build only; a kernel given at run "
            "time would need a C++ compiler there");
}

TEST_F(SimDriverTest, RecordsOneThreadAndReplays) {
  auto x = driver->allocate(256), y = driver->allocate(256);
  driver->fill({x.get(), 0}, 0, 256);
  uint32_t* words = static_cast<uint32_t*>(x->host());
  const Constant constants[] = {{0, 5}, {3, 0}};
  const Kernel& k = driver->kernel("add_constant", constants);
  const Binding bindings[] = {{Binding::Kind::kSlice, 0, true, {x.get(), 0}, nullptr, 256}};
  driver->begin_recording();
  driver->launch({&k, {1}, {64}, bindings});
  driver->copy({x.get(), 0}, {y.get(), 0}, 256);
  std::thread([&] { driver->launch({&k, {1}, {64}, bindings}); }).join();  // runs at once
  EXPECT_EQ(words[9], 5u);
  EXPECT_EQ(message_of([&] { driver->upload("", {x.get(), 0}, 1); }), "sim: upload: not while this thread records");
  auto recording = driver->end_recording();
  EXPECT_EQ(recording->launches(), 1u);
  driver->replay(*recording);
  driver->replay(*recording);
  EXPECT_EQ(words[9], 15u);
  EXPECT_EQ(static_cast<uint32_t*>(y->host())[9], 15u);
  driver->cancel_recording();
  EXPECT_EQ(message_of([&] { driver->end_recording(); }), "sim: end_recording: nothing is being recorded");
}

TEST_F(SimDriverTest, EventsTell) {
  auto a = driver->record_event(), b = driver->record_event();
  EXPECT_TRUE(a->done());
  EXPECT_GE(driver->seconds_between(*a, *b), 0);
}

}  // namespace
}  // namespace ingot::gpu
