// Every case of every operator, in every dtype and layout, on the CPU.
#include <gtest/gtest.h>

#include "ingot/base/error.h"
#include "ingot/ops/op_check.h"

namespace ingot {
namespace {

class Conformance : public testing::TestWithParam<std::string> {};

TEST_P(Conformance, Cpu) {
  const OpEntry& entry = op_table().find(GetParam());
  ASSERT_FALSE(entry.cases.empty()) << "an operator without cases";
  for (const OpCase& c : entry.cases)
    for (DType dtype : entry.dtypes)
      for (Layout layout : kLayouts) EXPECT_EQ(check_case(entry, c, dtype, layout), "");
}

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
