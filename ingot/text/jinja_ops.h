// Python's operators on values: arithmetic, order, membership, attributes, subscripts, iteration.
#pragma once
#include <cstdint>

#include "ingot/text/jinja_object.h"

namespace ingot::jinja {

// What a template may spend. A syntax node costs kNodeCost, each new small string or pair
// kTextCost (about what it takes in memory), work on strings and lists what they weigh.
class Budget {
 public:
  static constexpr uint64_t kNodeCost = 25, kItemCost = 16, kTextCost = 160;
  explicit Budget(uint64_t total) : left_(total) {}
  void charge(uint64_t cost) {
    if (cost > left_) refuse("the template does too much work");
    left_ -= cost;
  }

 private:
  uint64_t left_;
};

Value binary(Budget& budget, char op, const Value& a, const Value& b);  // ops of Expr::Kind::kBinary
Value unary_minus(const Value& a);
bool compare(Budget& budget, char op, const Value& a, const Value& b);  // ops of Expr::Kind::kCompare
bool less(const Value& a, const Value& b);         // Python's <; TemplateError when there is no order
Value concat(Budget& budget, const List& values);  // ~

Value attribute(const Value& object, const std::string& name);      // a.b
Value item(Budget& budget, const Value& object, const Value& key);  // a[b]
Value slice(Budget& budget, const Value& object, const Value& begin, const Value& end, const Value& step);

// The items of whatever can be iterated; a generator is used up.
List iterate(Budget& budget, const Value& value);
int64_t length(const Value& value);
bool is_iterable(const Value& value);

// Filters and tests ask values for attributes by path: "a.b.0", or an index.
Value attribute_path(Budget& budget, const Value& object, const Value& path);

}  // namespace ingot::jinja
