// What is read from the environment once per process: each test starts this program again with the variable set, and
// does its checks there.
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <string>

#include "ingot/base/error.h"
#include "ingot/device/cpu/isa.h"
#include "ingot/device/cpu/memory.h"
#include "ingot/device/cpu/thread_pool.h"

namespace ingot {
namespace {

bool is_child() { return std::getenv("INGOT_TEST_CHILD") != nullptr; }

int run_self(const std::string& environment, const std::string& arguments) {
  std::string command =
      "env INGOT_TEST_CHILD=1 " + environment + " '" + testing::internal::GetArgvs()[0] + "' " + arguments;
  int status = std::system((command + " >/dev/null 2>&1").c_str());
  return status == -1 ? -1 : status >> 8;
}

// Under an emulator this program cannot start itself: then there is nothing to check here.
bool can_run_self() {
  static const bool can = run_self("", "--gtest_list_tests") == 0;
  return can;
}

void expect_child_passes(const std::string& environment) {
  const testing::TestInfo* test = testing::UnitTest::GetInstance()->current_test_info();
  std::string filter = std::string("--gtest_filter=") + test->test_suite_name() + "." + test->name();
  if (can_run_self()) {
    EXPECT_EQ(run_self(environment, filter), 0) << environment << " " << filter;
  }
}

TEST(Environment, PoisonFillsFreshMemory) {
  if (!is_child()) return expect_child_passes("INGOT_POISON=1");
  for (int round = 0; round < 2; round++) {  // fresh from the system, then from the cache
    auto* p = static_cast<unsigned char*>(cpu_allocate(1000));
    for (int i = 0; i < 1000; i++) ASSERT_EQ(p[i], 0xFF);
    memset(p, 1, 1000);
    cpu_free(p);
  }
}

TEST(Environment, ThreadsAreTakenFromIt) {
  if (!is_child()) return expect_child_passes("INGOT_THREADS=3");
  EXPECT_EQ(num_threads(), 3);
}

TEST(Environment, ThreadsMustBeANumber) {
  if (!is_child()) {
    for (const char* value : {"0", "-1", "two", "3x", "1025", "99999999999999999999", "' 3'"})
      expect_child_passes(std::string("INGOT_THREADS=") + value);
    return;
  }
  try {
    num_threads();
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(std::string(e.what()).find("INGOT_THREADS: value: expected a number of threads in [1, 1024], got \""), 0u)
        << e.what();
  }
}

TEST(Environment, IsaIsLowered) {
  if (!is_child()) return expect_child_passes("INGOT_CPU_ISA=base");
  EXPECT_EQ(cpu_isa(), choose_isa("base", detected_isa()));
}

TEST(Environment, IsaMustBeKnown) {
  if (!is_child()) return expect_child_passes("INGOT_CPU_ISA=avx9000");
  EXPECT_THROW(cpu_isa(), Error);
}

}  // namespace
}  // namespace ingot
