// The tests after `is`.
#include <algorithm>

#include "ingot/text/jinja_eval.h"
#include "ingot/text/jinja_names.h"

namespace ingot::jinja {

namespace {

using Check = bool (*)(Interpreter&, const Value&, const Value& operand);
struct CheckEntry {
  std::string_view name;
  bool takes_operand;
  Check check;
};

int64_t remainder(Interpreter& in, const Value& value, const Value& divisor) {
  Value rest = binary(in.budget(), '%', value, divisor);
  if (!rest.is_number()) refuse("expected a number, got '", type_name(value), "'");
  return rest.is_double() ? (rest.as_double() == 0 ? 0 : rest.as_double() == 1 ? 1 : 2) : rest.as_int();
}

template <char op>
bool compares(Interpreter& in, const Value& value, const Value& operand) {
  return compare(in.budget(), op, value, operand);
}

bool same(Interpreter& in, const Value& value, const Value& operand) {
  bool scalar = value.is_none() || value.is_bool() || value.is_undefined() || value.is_object();
  if (!scalar)
    throw TemplateError{ErrorKind::kUnsupported, cat("'sameas' on '", type_name(value), "' is not supported")};
  return value.kind() == operand.kind() && equal(value, operand);
}

bool is_sequence(Interpreter&, const Value& v, const Value&) {
  if (v.is_undefined() || v.is_string() || v.is_dict()) return true;
  if (!v.is_sequence()) return false;
  SequenceKind kind = v.sequence().kind;
  return kind != SequenceKind::kGenerator && kind != SequenceKind::kView;
}

bool name_is_filter(Interpreter&, const Value& v, const Value&) { return v.is_string() && is_filter(v.string()); }
bool name_is_test(Interpreter&, const Value& v, const Value&) { return v.is_string() && is_test(v.string()); }

constexpr CheckEntry kChecks[] = {
    {"defined", false, [](Interpreter&, const Value& v, const Value&) { return !v.is_undefined(); }},
    {"undefined", false, [](Interpreter&, const Value& v, const Value&) { return v.is_undefined(); }},
    {"none", false, [](Interpreter&, const Value& v, const Value&) { return v.is_none(); }},
    {"boolean", false, [](Interpreter&, const Value& v, const Value&) { return v.is_bool(); }},
    {"true", false, [](Interpreter&, const Value& v, const Value&) { return v.is_bool() && v.as_bool(); }},
    {"false", false, [](Interpreter&, const Value& v, const Value&) { return v.is_bool() && !v.as_bool(); }},
    {"integer", false, [](Interpreter&, const Value& v, const Value&) { return v.is_int(); }},
    {"float", false, [](Interpreter&, const Value& v, const Value&) { return v.is_double(); }},
    {"number", false, [](Interpreter&, const Value& v, const Value&) { return v.is_number(); }},
    {"string", false, [](Interpreter&, const Value& v, const Value&) { return v.is_string(); }},
    {"mapping", false, [](Interpreter&, const Value& v, const Value&) { return v.is_dict(); }},
    {"iterable", false, [](Interpreter&, const Value& v, const Value&) { return is_iterable(v); }},
    {"sequence", false, is_sequence},
    {"callable", false,
     [](Interpreter&, const Value& v, const Value&) { return v.is_object() && v.object()->callable(); }},
    {"escaped", false, [](Interpreter&, const Value&, const Value&) { return false; }},
    {"lower", false, [](Interpreter&, const Value& v, const Value&) { return is_all_cased(to_text(v).bytes, false); }},
    {"upper", false, [](Interpreter&, const Value& v, const Value&) { return is_all_cased(to_text(v).bytes, true); }},
    {"odd", false, [](Interpreter& in, const Value& v, const Value&) { return remainder(in, v, 2) == 1; }},
    {"even", false, [](Interpreter& in, const Value& v, const Value&) { return remainder(in, v, 2) == 0; }},
    {"divisibleby", true, [](Interpreter& in, const Value& v, const Value& by) { return remainder(in, v, by) == 0; }},
    {"filter", false, name_is_filter},
    {"test", false, name_is_test},
    {"sameas", true, same},
    {"in", true, compares<'i'>},
    {"==", true, compares<'='>},
    {"eq", true, compares<'='>},
    {"equalto", true, compares<'='>},
    {"!=", true, compares<'!'>},
    {"ne", true, compares<'!'>},
    {">", true, compares<'>'>},
    {"gt", true, compares<'>'>},
    {"greaterthan", true, compares<'>'>},
    {">=", true, compares<'g'>},
    {"ge", true, compares<'g'>},
    {"<", true, compares<'<'>},
    {"lt", true, compares<'<'>},
    {"lessthan", true, compares<'<'>},
    {"<=", true, compares<'l'>},
    {"le", true, compares<'l'>},
};

const CheckEntry* find_check(std::string_view name) {
  auto found =
      std::find_if(std::begin(kChecks), std::end(kChecks), [&](const CheckEntry& entry) { return entry.name == name; });
  return found == std::end(kChecks) ? nullptr : &*found;
}

}  // namespace

bool is_test(std::string_view name) { return find_check(name) != nullptr; }

bool Interpreter::apply_test(const std::string& name, const Value& value, const Arguments& arguments) {
  const CheckEntry* entry = find_check(name);
  if (!entry) refuse("there is no test named ", quoted(name));
  if (entry->takes_operand) {
    Bound a(name, arguments, {"operand"}, 1);
    return entry->check(*this, value, a[0]);
  }
  Bound(name, arguments, {});
  return entry->check(*this, value, {});
}

}  // namespace ingot::jinja
