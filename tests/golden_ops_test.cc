// Operators against PyTorch's outputs (tests/golden/ops.*), as far as the operator table has them.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "ingot/base/error.h"
#include "ingot/io/tensor_io.h"
#include "ingot/ops/op_check.h"

namespace ingot {
namespace {

OpArgs args_of(const nlohmann::json& j) {
  OpArgs args;
  for (const auto& [key, v] : j.items()) {
    if (v.is_boolean())
      args.set(key, v.get<bool>());
    else if (v.is_number_integer())
      args.set(key, v.get<int64_t>());
    else if (v.is_number())
      args.set(key, v.get<double>());
    else if (v.is_string())
      args.set(key, v.get<std::string>());
    else if (v.is_array())
      args.set(key, v.get<std::vector<int64_t>>());
  }
  return args;
}

TEST(GoldenOps, Forward) {
  std::string base = std::string(INGOT_SOURCE_DIR) + "/tests/golden/ops";
  std::ifstream in(base + ".json");
  nlohmann::json cases = nlohmann::json::parse(in);
  SafetensorsFile file = SafetensorsFile::open(base + ".safetensors");
  int checked = 0;
  for (const auto& c : cases) {
    std::string op = c["op"], id = c["id"];
    if (!op_table().all().count(op)) continue;
    std::vector<Tensor> inputs;
    for (size_t i = 0; i < c["inputs"].size(); i++) inputs.push_back(load_tensor(file, cat(id, ".in", i)));
    std::vector<Tensor> out = call_op(op, inputs, args_of(c["args"]));
    ASSERT_EQ(out.size(), c["outputs"].size()) << id;
    for (size_t i = 0; i < out.size(); i++)
      EXPECT_LT(relative_error(out[i], load_tensor(file, cat(id, ".out", i))), 2e-5) << id << " output " << i;
    checked++;
  }
  EXPECT_GE(checked, 43);  // those that the CPU spine covers; a room that vanishes must not go unnoticed
}

}  // namespace
}  // namespace ingot
