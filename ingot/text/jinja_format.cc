// `text % values`, and the conversions of printf that templates use.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "ingot/text/jinja_methods.h"

namespace ingot::jinja {

namespace {

struct Conversion {
  bool left = false, zero = false, plus = false;
  int64_t width = 0, precision = -1;
};

int64_t as_integer(const Value& v, char kind) {
  if (v.is_undefined()) refuse(v.missing());
  if (v.is_double() && std::abs(v.as_double()) < 0x1p63) return static_cast<int64_t>(v.as_double());
  if (!v.is_number() || v.is_double()) refuse("%", kind, " needs a number, got '", type_name(v), "'");
  return v.as_int();
}

Text converted(char kind, const Conversion& how, const Value& v) {
  if (kind == 's' || kind == 'r') {
    Text text = kind == 's' ? to_text(v) : representation(v);
    return how.precision < 0 ? text : slice(text, 0, character_offset(text.bytes, how.precision));
  }
  std::string digits;
  bool negative = false;
  if (kind == 'd' || kind == 'i' || kind == 'x') {
    int64_t value = as_integer(v, kind);
    negative = value < 0;
    char buffer[32];
    uint64_t magnitude = negative ? 0 - static_cast<uint64_t>(value) : static_cast<uint64_t>(value);
    snprintf(buffer, sizeof buffer, kind == 'x' ? "%llx" : "%llu", static_cast<unsigned long long>(magnitude));
    digits = buffer;
  } else if (kind == 'f') {
    if (!v.is_number()) refuse("%f needs a number, got '", type_name(v), "'");
    int precision = how.precision < 0 ? 6 : static_cast<int>(how.precision);
    char buffer[512];
    negative = std::signbit(v.as_double());
    snprintf(buffer, sizeof buffer, "%.*f", precision, std::abs(v.as_double()));
    digits = buffer;
  } else {
    throw TemplateError{ErrorKind::kUnsupported, cat("the conversion %", kind, " is not supported")};
  }
  std::string sign = negative ? "-" : how.plus ? "+" : "";
  if (how.zero && !how.left) {
    size_t width = static_cast<size_t>(how.width);
    if (digits.size() + sign.size() < width) digits.insert(0, width - digits.size() - sign.size(), '0');
  }
  return Text{sign + digits, {}};
}

}  // namespace

Value format_percent(Budget& budget, const Text& format, const Value& values) {
  const std::string& f = format.bytes;
  bool is_tuple = values.is_sequence() && values.sequence().kind == SequenceKind::kTuple;
  size_t used = 0, available = is_tuple ? values.items().size() : 1;
  TextBuilder out;
  size_t at = 0;
  auto number = [&] {
    int64_t n = 0;
    for (; at < f.size() && f[at] >= '0' && f[at] <= '9'; at++) n = std::min<int64_t>(n * 10 + (f[at] - '0'), 1 << 20);
    return n;
  };
  while (at < f.size()) {
    size_t percent = std::min(f.find('%', at), f.size());
    out.append(format, at, percent);
    at = percent + 1;
    if (percent == f.size()) break;
    Conversion how;
    for (; at < f.size() && std::string_view("-0+").find(f[at]) != std::string_view::npos; at++) {
      how.left |= f[at] == '-';
      how.zero |= f[at] == '0';
      how.plus |= f[at] == '+';
    }
    how.width = number();
    if (at < f.size() && f[at] == '.') {
      at++;
      how.precision = std::min<int64_t>(number(), 100);
    }
    if (at >= f.size()) refuse("the format ends within a conversion");
    char kind = f[at++];
    if (kind == '%') {
      out.append(format, at - 1, at);
      continue;
    }
    if (kind == '(') throw TemplateError{ErrorKind::kUnsupported, "the conversion %(name) is not supported"};
    if (used == available) refuse("not enough values for the format");
    Text text = converted(kind, how, is_tuple ? values.items()[used] : values);
    used++;
    int64_t missing = how.width - static_cast<int64_t>(count_characters(text.bytes));
    std::string blanks(std::max<int64_t>(missing, 0), ' ');
    if (!how.left) out.append(blanks);
    out.append(text);
    if (how.left) out.append(blanks);
    budget.charge(text.bytes.size() + blanks.size());
  }
  bool all_used =
      used == available || (!is_tuple && (values.is_dict() || values.is_sequence() || values.is_undefined()));
  if (!all_used) refuse("not all values are used by the format");
  budget.charge(out.size());
  return out.take();
}

}  // namespace ingot::jinja
