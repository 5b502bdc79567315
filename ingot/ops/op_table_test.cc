// Every case of every operator, in every dtype and layout, on the CPU, in the simulator and on CUDA where
// there is a GPU.
#include <gtest/gtest.h>

#include "ingot/base/error.h"
#include "ingot/base/quick_test.h"
#include "ingot/ops/op_check.h"

namespace ingot {
namespace {

class Conformance : public testing::TestWithParam<std::string> {};

TEST_P(Conformance, Cpu) {
  const OpEntry& entry = op_table().find(GetParam());
  ASSERT_FALSE(entry.cases.empty()) << "an operator without cases";
  size_t number = 0;  // a quick run takes each case and dtype in one layout, not always the same
  for (const OpCase& c : entry.cases)
    for (DType dtype : entry.dtypes)
      for (Layout layout : kLayouts) {
        if (quick_tests() && number++ % 6 != 0) continue;
        EXPECT_EQ(check_case(entry, c, dtype, layout), "");
      }
}

// An operator without a body for GPUs says so, and is listed as skipped; one with a body does all of its cases.
void check_on(const std::string& name, Device device) {
  Availability a = availability(device);
  if (!a.available) GTEST_SKIP() << a.reason;
  OperatorReport report = check_operator(op_table().find(name), device, quick_tests() ? 6 : 1);
  for (const std::string& failure : report.failures) ADD_FAILURE() << failure;
  if (report.unsupported.empty()) return;
  EXPECT_NE(report.unsupported.find(ingot::name(device)), std::string::npos) << report.unsupported;
  GTEST_SKIP() << report.unsupported;
}
TEST_P(Conformance, Simulator) { check_on(GetParam(), {DeviceKind::kSim, 0}); }
TEST_P(Conformance, Cuda) { check_on(GetParam(), {DeviceKind::kCuda, 0}); }

std::vector<std::string> names() {
  std::vector<std::string> out;
  for (const auto& [key, entry] : op_table().all()) out.push_back(key);
  return out;
}
INSTANTIATE_TEST_SUITE_P(Ops, Conformance, testing::ValuesIn(names()), [](const auto& test) { return test.param; });

TEST(OpTable, UnknownArgumentIsNamed) {
  try {
    call_op("softmax", {zeros({2, 3}, DType::kF32)}, {{"dimm", int64_t{0}}});
    FAIL();
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("dimm"), std::string::npos) << e.what();
  }
}

}  // namespace
}  // namespace ingot
