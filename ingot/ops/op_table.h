// The table of operators: how each is called by name, what it should give, and the cases it is held to. One entry
// serves the conformance test of every device, `ingot op`, `ingot doctor --self-test`, the benchmark and the support
// table in docs/. A room adds its entries in x_cases.cc: void register_x(OpTable& table).
#pragma once
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "ingot/base/dims.h"
#include "ingot/base/dtype.h"
#include "ingot/base/export.h"
#include "ingot/tensor/tensor.h"

namespace ingot {

// Named arguments of an operator call: {"dim": -1, "keepdim": true, "pad": [1, 2], "mode": "constant"}.
class INGOT_API OpArgs {
 public:
  using Value =
      std::variant<std::monostate, bool, int64_t, double, std::string, std::vector<int64_t>, std::vector<double>>;
  OpArgs() = default;
  OpArgs(std::initializer_list<std::pair<const std::string, Value>> values) : values_(values) {}
  void set(const std::string& key, Value value) { values_[key] = std::move(value); }
  bool has(std::string_view key) const;  // present and not null
  // Each getter: the default where absent; Error naming the argument where the type is wrong.
  int64_t get_int(std::string_view key, std::optional<int64_t> fallback = {}) const;
  double get_double(std::string_view key, std::optional<double> fallback = {}) const;
  bool get_bool(std::string_view key, bool fallback) const;
  std::string get_string(std::string_view key, std::optional<std::string> fallback = {}) const;
  std::vector<int64_t> get_ints(std::string_view key,
                                std::optional<std::vector<int64_t>> fallback = {}) const;  // one int counts as a list
  std::optional<DType> get_dtype(std::string_view key) const;
  const std::map<std::string, Value, std::less<>>& all() const { return values_; }

 private:
  std::map<std::string, Value, std::less<>> values_;
};
INGOT_API void append_to(std::string& s, const OpArgs& args);

enum class Fill : uint8_t {
  kNormal,    // N(0, 1)
  kUniform,   // [0, 1)
  kPositive,  // [0.5, 2)
  kSpecial,   // N(0, 1) with NaN, +-infinity, +-0 and huge values strewn in
  kIndex,     // integers in [low, high)
  kTies,      // few distinct values, so that many are equal
  kValue,     // all equal to `low`
};

struct InputSpec {
  Dims sizes;
  Fill fill = Fill::kNormal;
  std::optional<DType> dtype = {};  // fixed; otherwise the dtype under test
  double low = 0, high = 0;
};

struct OpCase {
  std::vector<InputSpec> inputs;
  OpArgs args = {};
  double tolerance = 1;  // factor on the dtype's tolerance
};

struct Cost {
  double bytes = 0, flops = 0;  // that the job needs at least
};

using OpFunction = std::function<std::vector<Tensor>(const std::vector<Tensor>& inputs, const OpArgs& args)>;

struct OpEntry {
  std::string name;                    // as in ingot op NAME: PyTorch's where it has the operator
  std::vector<std::string> arguments;  // the names it takes; others are an Error
  OpFunction call;
  // The same in double precision: floating inputs come as contiguous f64 (rounded to the dtype under test), others as
  // they are.
  OpFunction reference;
  std::vector<DType> dtypes;  // that the inputs without a fixed dtype may have
  std::vector<OpCase> cases;
  bool differentiable = false;
  std::function<Cost(const std::vector<Tensor>& inputs, const std::vector<Tensor>& outputs, const OpArgs& args)> cost =
      {};  // default: bytes of all operands
};

class INGOT_API OpTable {
 public:
  void add(OpEntry entry);                           // Error if the name is taken
  const OpEntry& find(std::string_view name) const;  // Error listing near names
  const std::map<std::string, OpEntry, std::less<>>& all() const { return entries_; }

 private:
  std::map<std::string, OpEntry, std::less<>> entries_;
};

INGOT_API const OpTable& op_table();
// Looks the operator up, refuses unknown arguments, calls it.
INGOT_API std::vector<Tensor> call_op(std::string_view name, const std::vector<Tensor>& inputs, const OpArgs& args);

void register_all_rooms(OpTable& table);  // written by CMake

}  // namespace ingot
