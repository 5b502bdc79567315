#include "ingot/text/jinja_ops.h"

#include <algorithm>
#include <cmath>

#include "ingot/text/jinja_methods.h"

namespace ingot::jinja {

namespace {

[[noreturn]] void refuse_operands(std::string_view op, const Value& a, const Value& b) {
  if (a.is_undefined()) refuse(a.missing());
  if (b.is_undefined()) refuse(b.missing());
  refuse("'", op, "' does not work on '", type_name(a), "' and '", type_name(b), "'");
}

std::string_view op_text(char op) {
  switch (op) {
    case 'f':
      return "//";
    case 'p':
      return "**";
    case 'l':
      return "<=";
    case 'g':
      return ">=";
    case '+':
      return "+";
    case '-':
      return "-";
    case '*':
      return "*";
    case '/':
      return "/";
    case '%':
      return "%";
    case '<':
      return "<";
    default:
      return ">";
  }
}

[[noreturn]] void refuse_overflow() { refuse("an integer grows beyond 64 bits"); }

int64_t integer_power(int64_t base, int64_t exponent) {
  int64_t result = 1;
  while (exponent > 0) {
    if ((exponent & 1) && __builtin_mul_overflow(result, base, &result)) refuse_overflow();
    exponent >>= 1;
    if (exponent > 0 && __builtin_mul_overflow(base, base, &base)) refuse_overflow();
  }
  return result;
}

Value integer_binary(char op, int64_t a, int64_t b) {
  int64_t result = 0;
  switch (op) {
    case '+':
      if (__builtin_add_overflow(a, b, &result)) refuse_overflow();
      return result;
    case '-':
      if (__builtin_sub_overflow(a, b, &result)) refuse_overflow();
      return result;
    case '*':
      if (__builtin_mul_overflow(a, b, &result)) refuse_overflow();
      return result;
    case '/':
      if (b == 0) refuse("division by zero");
      return static_cast<double>(a) / static_cast<double>(b);
    case 'p':
      if (b < 0) {
        if (a == 0) refuse("division by zero");
        return std::pow(static_cast<double>(a), static_cast<double>(b));
      }
      return integer_power(a, b);
    default:
      break;
  }
  if (b == 0) refuse("division by zero");
  if (b == -1) return op == '%' ? Value(0) : integer_binary('-', 0, a);  // INT64_MIN / -1 traps
  int64_t quotient = a / b, rest = a % b;
  if (rest != 0 && (rest < 0) != (b < 0)) {
    quotient--;
    rest += b;
  }
  return op == 'f' ? quotient : rest;
}

Value float_binary(char op, double a, double b) {
  switch (op) {
    case '+':
      return a + b;
    case '-':
      return a - b;
    case '*':
      return a * b;
    case 'p': {
      double result = std::pow(a, b);
      if (a == 0 && b < 0) refuse("division by zero");
      if (std::isnan(result) && !std::isnan(a) && !std::isnan(b)) refuse("a power that is no real number");
      if (std::isinf(result) && !std::isinf(a) && !std::isinf(b)) refuse("a power beyond the range of floats");
      return result;
    }
    default:
      break;
  }
  if (b == 0) refuse("division by zero");
  if (op == '/') return a / b;
  double rest = std::fmod(a, b);
  double quotient = (a - rest) / b;
  if (rest != 0 && (rest < 0) != (b < 0)) {
    rest += b;
    quotient -= 1;
  }
  if (op == '%') return rest == 0 ? std::copysign(0.0, b) : rest;
  if (quotient == 0) return std::copysign(0.0, a / b);
  double floor = std::floor(quotient);
  return quotient - floor > 0.5 ? floor + 1 : floor;
}

bool is_list_like(const Value& v) {
  return v.is_sequence() && (v.sequence().kind == SequenceKind::kList || v.sequence().kind == SequenceKind::kTuple);
}

Value repeat(Budget& budget, const Value& value, int64_t times) {
  times = std::max<int64_t>(times, 0);
  if (times > 0 && value.weight() > kMaxValueWeight / times)
    refuse("a repetition grows beyond ", kMaxValueWeight, " bytes");
  budget.charge((value.weight() + Budget::kItemCost) * times);
  if (value.is_string()) {
    TextBuilder out;
    out.append_repeated(value.text(), times);
    return out.take();
  }
  List items;
  for (int64_t i = 0; i < times; i++) items.insert(items.end(), value.items().begin(), value.items().end());
  return Value(std::move(items), value.sequence().kind);
}

// -1, 0, 1; or 2 when one is NaN.
int order(const Value& a, const Value& b) {
  if (a.is_number() && b.is_number()) {
    if (!a.is_double() && !b.is_double()) return a.as_int() < b.as_int() ? -1 : a.as_int() > b.as_int();
    if (equal(a, b)) return 0;
    double x = a.as_double(), y = b.as_double();
    if (std::isnan(x) || std::isnan(y)) return 2;
    return x < y ? -1 : 1;
  }
  if (a.is_string() && b.is_string()) {
    int result = a.string().compare(b.string());  // UTF-8 sorts as its code points do
    return result < 0 ? -1 : result > 0;
  }
  if (is_list_like(a) && is_list_like(b) && a.sequence().kind == b.sequence().kind) {
    size_t n = std::min(a.items().size(), b.items().size());
    for (size_t i = 0; i < n; i++) {
      if (!equal(a.items()[i], b.items()[i])) return order(a.items()[i], b.items()[i]);
    }
    return a.items().size() < b.items().size() ? -1 : a.items().size() > b.items().size();
  }
  refuse_operands("<", a, b);
}

bool contains(Budget& budget, const Value& container, const Value& value) {
  if (container.is_string()) {
    if (!value.is_string()) refuse_operands("in", value, container);
    budget.charge(container.weight());
    return container.string().find(value.string()) != std::string::npos;
  }
  if (container.is_dict()) {
    bool tuple = value.is_sequence() && value.sequence().kind == SequenceKind::kTuple;
    if ((value.is_sequence() && !tuple) || value.is_dict())
      refuse("a ", type_name(value), " cannot be the key of a dict");
    budget.charge(value.weight());
    return container.dict().find(value) != nullptr;
  }
  if (container.is_undefined()) return false;
  if (!container.is_sequence()) refuse("a '", type_name(container), "' cannot contain anything ('in')");
  for (const Value& candidate : iterate(budget, container)) {
    budget.charge(std::min(candidate.weight(), value.weight()));
    if (equal(candidate, value)) return true;
  }
  return false;
}

}  // namespace

Value binary(Budget& budget, char op, const Value& a, const Value& b) {
  if (op == '%' && a.is_string()) return format_percent(budget, a.text(), b);
  if (a.is_number() && b.is_number()) {
    if (a.is_double() || b.is_double()) return float_binary(op, a.as_double(), b.as_double());
    return integer_binary(op, a.as_int(), b.as_int());
  }
  if (op == '+' && a.is_string() && b.is_string()) return concat(budget, {a, b});
  if (op == '+' && is_list_like(a) && is_list_like(b) && a.sequence().kind == b.sequence().kind) {
    budget.charge(Budget::kItemCost * (a.items().size() + b.items().size()));
    List items = a.items();
    items.insert(items.end(), b.items().begin(), b.items().end());
    return Value(std::move(items), a.sequence().kind);
  }
  auto repeats = [](const Value& v) { return v.is_string() || is_list_like(v); };
  if (op == '*' && repeats(a) && (b.is_int() || b.is_bool())) return repeat(budget, a, b.as_int());
  if (op == '*' && repeats(b) && (a.is_int() || a.is_bool())) return repeat(budget, b, a.as_int());
  refuse_operands(op_text(op), a, b);
}

Value unary_minus(const Value& a) {
  if (a.is_double()) return -a.as_double();
  if (a.is_number()) return integer_binary('-', 0, a.as_int());
  if (a.is_undefined()) refuse(a.missing());
  refuse("'-' does not work on '", type_name(a), "'");
}

bool less(const Value& a, const Value& b) { return order(a, b) == -1; }

bool compare(Budget& budget, char op, const Value& a, const Value& b) {
  if (op == 'i' || op == 'n') return contains(budget, b, a) == (op == 'i');
  budget.charge(std::min(a.weight(), b.weight()));
  if (op == '=' || op == '!') return equal(a, b) == (op == '=');
  int result = order(a, b);
  switch (op) {
    case '<':
      return result == -1;
    case '>':
      return result == 1;
    case 'l':
      return result == -1 || result == 0;
    default:
      return result == 1 || result == 0;
  }
}

Value concat(Budget& budget, const List& values) {
  TextBuilder out;
  for (const Value& value : values) append_text(out, value);
  budget.charge(out.size());
  return out.take();
}

Value attribute(const Value& object, const std::string& name) {
  if (object.is_undefined()) refuse(object.missing());
  if (object.is_object()) return object.object()->attribute(name);
  if (has_method(object, name)) return bind_method(object, name);
  if (object.is_dict()) {
    if (const Value* found = object.dict().find(name)) return *found;
  }
  if (object.is_sequence() && object.sequence().kind == SequenceKind::kTuple && object.items().size() == 2) {
    // The pairs of `groupby` have names.
    if (name == "grouper") return object.items()[0];
    if (name == "list") return object.items()[1];
  }
  return Value::undefined(cat("'", type_name(object), " object' has no attribute ", quoted(name)));
}

namespace {

Value character(Budget& budget, const Text& text, int64_t index) {
  budget.charge(text.bytes.size());
  int64_t count = static_cast<int64_t>(count_characters(text.bytes));
  if (index < 0) index += count;
  if (index < 0 || index >= count) return Value::undefined("the index is beyond the end of the string");
  size_t begin = character_offset(text.bytes, index);
  return slice(text, begin, begin + character_at(text.bytes, begin).length);
}

}  // namespace

Value item(Budget& budget, const Value& object, const Value& key) {
  if (object.is_undefined()) refuse(object.missing());
  bool integral = key.is_int() || key.is_bool();
  if (object.is_dict()) {
    budget.charge(key.weight());
    if (const Value* found = object.dict().find(key)) return *found;
  } else if (object.is_string() && integral) {
    return character(budget, object.text(), key.as_int());
  } else if (object.is_sequence() && integral) {
    SequenceKind kind = object.sequence().kind;
    int64_t count = static_cast<int64_t>(object.items().size());
    int64_t index = key.as_int() < 0 ? key.as_int() + count : key.as_int();
    bool indexable = kind != SequenceKind::kGenerator && kind != SequenceKind::kView;
    if (indexable && index >= 0 && index < count) return object.items()[index];
    return Value::undefined(cat("'", type_name(object), " object' has no item ", key.as_int()));
  }
  if (key.is_string()) return attribute(object, key.string());
  return Value::undefined(cat("'", type_name(object), " object' has no such item"));
}

Value slice(Budget& budget, const Value& object, const Value& begin, const Value& end, const Value& step) {
  if (object.is_undefined()) refuse(object.missing());
  bool sliceable = object.is_string() || is_list_like(object) ||
                   (object.is_sequence() && object.sequence().kind == SequenceKind::kRange);
  auto fits = [](const Value& v) { return v.is_none() || v.is_int() || v.is_bool(); };
  if (!sliceable) refuse("a '", type_name(object), "' has no slices");
  if (!fits(begin) || !fits(end) || !fits(step)) refuse("the bounds of a slice must be integers or none");
  budget.charge(object.is_string() ? object.weight() : object.items().size() * Budget::kItemCost);
  int64_t count = object.is_string() ? count_characters(object.string()) : object.items().size();
  int64_t stride = step.is_none() ? 1 : step.as_int();
  if (stride == 0) refuse("the step of a slice is 0");
  int64_t low = stride > 0 ? 0 : -1, high = stride > 0 ? count : count - 1;
  auto place = [&](const Value& v, int64_t fallback) {
    if (v.is_none()) return fallback;
    int64_t i = v.as_int();
    if (i < 0) i += count;
    return std::clamp(i, low, high);
  };
  int64_t first = place(begin, stride > 0 ? low : high), last = place(end, stride > 0 ? high : low);
  if (object.is_string() && stride == 1) {
    const std::string& s = object.string();
    size_t from = character_offset(s, first);
    return slice(object.text(), from,
                 last > first ? from + character_offset(std::string_view(s).substr(from), last - first) : from);
  }
  List source = object.is_string() ? iterate(budget, object) : object.items();
  List picked;
  auto before_end = [&](int64_t i) { return stride > 0 ? i < last : i > last; };
  for (int64_t i = first; before_end(i);) {
    picked.push_back(source[i]);
    if (__builtin_add_overflow(i, stride, &i)) break;
  }
  if (object.is_string()) return concat(budget, picked);
  SequenceKind kind = object.sequence().kind;
  return Value(std::move(picked), kind);
}

bool is_iterable(const Value& value) {
  return value.is_undefined() || value.is_string() || value.is_sequence() || value.is_dict();
}

List iterate(Budget& budget, const Value& value) {
  if (value.is_undefined()) return {};
  List items;
  if (value.is_sequence()) {
    const Sequence& sequence = value.sequence();
    budget.charge(Budget::kItemCost * sequence.items.size());
    if (sequence.kind == SequenceKind::kGenerator && std::exchange(sequence.consumed, true)) return {};
    return sequence.items;
  }
  if (value.is_dict()) {
    budget.charge(Budget::kItemCost * value.dict().size());
    for (const auto& entry : value.dict().entries()) items.push_back(entry.first);
    return items;
  }
  if (!value.is_string()) refuse("a '", type_name(value), "' cannot be iterated");
  const Text& text = value.text();
  budget.charge(Budget::kTextCost * text.bytes.size());
  for (size_t i = 0; i < text.bytes.size();) {
    size_t end = i + character_at(text.bytes, i).length;
    items.push_back(slice(text, i, end));
    i = end;
  }
  return items;
}

int64_t length(const Value& value) {
  if (value.is_undefined()) return 0;
  if (value.is_string()) return static_cast<int64_t>(count_characters(value.string()));
  if (value.is_dict()) return static_cast<int64_t>(value.dict().size());
  if (value.is_sequence() && value.sequence().kind != SequenceKind::kGenerator) {
    return static_cast<int64_t>(value.items().size());
  }
  refuse("a '", type_name(value), "' has no length");
}

Value attribute_path(Budget& budget, const Value& object, const Value& path) {
  if (path.is_none()) return object;
  if (!path.is_string()) return item(budget, object, path);
  Value current = object;
  const std::string& names = path.string();
  for (size_t begin = 0; begin <= names.size();) {
    size_t end = std::min(names.find('.', begin), names.size());
    std::string name = names.substr(begin, end - begin);
    bool number = !name.empty() && name.size() < 18 && name.find_first_not_of("0123456789") == std::string::npos;
    current = item(budget, current, number ? Value(std::stoll(name)) : Value(name));
    begin = end + 1;
  }
  return current;
}

}  // namespace ingot::jinja
