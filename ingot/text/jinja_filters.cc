// Filters on texts, numbers and single values.
#include "ingot/text/jinja_filters.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <optional>

#include "ingot/text/jinja_json.h"
#include "ingot/text/jinja_methods.h"
#include "ingot/text/jinja_names.h"

namespace ingot::jinja {

namespace {

template <Case how>
Value cased(Interpreter&, const Value& value, const Arguments& arguments) {
  Bound("upper", arguments, {});
  return change_case(to_text(value), how);
}

// The first letter of each word, where words begin after blanks, hyphens and opening brackets.
Value title(Interpreter&, const Value& value, const Arguments& arguments) {
  Bound("title", arguments, {});
  Text text = to_text(value);
  TextBuilder out;
  auto separates = [](char32_t c) {
    return is_space(c) || (c < 0x80 && std::string_view("-({[<").find(static_cast<char>(c)) != std::string_view::npos);
  };
  for (size_t begin = 0; begin < text.bytes.size();) {
    bool separator = separates(character_at(text.bytes, begin).code);
    size_t end = begin;
    while (end < text.bytes.size() && separates(character_at(text.bytes, end).code) == separator) {
      end += character_at(text.bytes, end).length;
    }
    size_t rest = begin + character_at(text.bytes, begin).length;
    out.append(change_case(text, begin, rest, Case::kUpper));
    out.append(change_case(text, rest, end, Case::kLower));
    begin = end;
  }
  return out.take();
}

Value trim(Interpreter&, const Value& value, const Arguments& arguments) {
  Bound a("trim", arguments, {"chars"});
  Text text = to_text(value);
  if (a.given(0) && !a[0].is_none() && !a[0].is_string())
    refuse("trim(): expected a string, got '", type_name(a[0]), "'");
  Trimmed kept = strip(text.bytes, a.given(0) && a[0].is_string() ? &a[0].string() : nullptr, true, true);
  return slice(text, kept.begin, kept.end);
}

Value to_string(Interpreter&, const Value& value, const Arguments& arguments) {
  Bound("string", arguments, {});
  return to_text(value);
}

Value replace(Interpreter& in, const Value& value, const Arguments& arguments) {
  Bound a("replace", arguments, {"old", "new", "count"}, 2);
  int64_t count = a.given(2) && a[2].is_none() ? -1 : a.integer(2, -1);
  return replace_text(in.budget(), to_text(value), a.text(0, ""), a.text(1, ""), count);
}

Value escape(Interpreter&, const Value& value, const Arguments& arguments) {
  Bound("escape", arguments, {});
  Text text = to_text(value);
  TextBuilder out;
  for (size_t at = 0; at < text.bytes.size(); at++) {
    size_t special = std::min(text.bytes.find_first_of("&<>'\"", at), text.bytes.size());
    out.append(text, at, special);
    at = special;
    if (at == text.bytes.size()) break;
    char c = text.bytes[at];
    out.append(c == '&'   ? "&amp;"
               : c == '<' ? "&lt;"
               : c == '>' ? "&gt;"
               : c == '"' ? "&#34;"
                          : "&#39;",
               text.is_user(at));
  }
  return out.take();
}

Value indent(Interpreter&, const Value& value, const Arguments& arguments) {
  Bound a("indent", arguments, {"width", "first", "blank"});
  if (!value.is_string()) refuse("indent(): expected a string, got '", type_name(value), "'");
  bool blank = a.flag(2, false);
  Text margin;
  if (a.given(0) && a[0].is_string()) {
    margin = a[0].text();
  } else {
    margin.bytes.assign(std::clamp<int64_t>(a.integer(0, 4), 0, 10'000), ' ');
  }
  // A newline is added first, so that the last line counts even when it is empty.
  std::string with_end = value.string() + "\n";
  const Text& text = value.text();
  TextBuilder out;
  bool first_line = true;
  for (const Line& line : split_lines(with_end)) {
    if (!first_line) out.append("\n");
    bool indents = first_line ? a.flag(1, false) : blank || line.end > line.begin;
    if (indents) out.append(margin);
    out.append(text, line.begin, std::min(line.end, text.bytes.size()));
    first_line = false;
  }
  return out.take();
}

Value center(Interpreter&, const Value& value, const Arguments& arguments) {
  Bound a("center", arguments, {"width"});
  return center_text(to_text(value), a.integer(0, 80), Text{" ", {}});
}

Value format(Interpreter& in, const Value& value, const Arguments& arguments) {
  if (!arguments.named.empty())
    throw TemplateError{ErrorKind::kUnsupported, "format() with named arguments is not supported"};
  return format_percent(in.budget(), to_text(value), Value(arguments.positional, SequenceKind::kTuple));
}

Value fallback(Interpreter&, const Value& value, const Arguments& arguments) {
  Bound a("default", arguments, {"default_value", "boolean"});
  bool absent = value.is_undefined() || (a.flag(1, false) && !truth(value));
  if (!absent) return value;
  return a.given(0) ? a[0] : Value("");
}

Value tojson(Interpreter& in, const Value& value, const Arguments& arguments) {
  Bound a("tojson", arguments, {"ensure_ascii", "indent", "separators", "sort_keys"});
  JsonStyle style;
  style.ascii = a.flag(0, false);
  style.sort_keys = a.flag(3, false);
  if (a.given(1) && !a[1].is_none()) {
    style.pretty = true;
    style.item_separator.bytes = ",";
    style.indent = a[1].is_string() ? a[1].string() : std::string(std::clamp<int64_t>(a.integer(1, 0), 0, 1000), ' ');
  }
  if (a.given(2) && !a[2].is_none()) {
    List pair = iterate(in.budget(), a[2]);
    if (pair.size() != 2 || !pair[0].is_string() || !pair[1].is_string())
      refuse("tojson(): separators: expected two strings");
    style.item_separator = pair[0].text();
    style.key_separator = pair[1].text();
  }
  in.budget().charge(4 * value.weight());
  Text text = to_json(value, style);
  in.budget().charge(text.bytes.size());
  return text;
}

// --- numbers

// Python's int(text, base) and float(text) after blanks are taken off; none when it is no number.
std::string_view digits_of(const std::string& s, std::string& clean) {
  Trimmed kept = strip(s, nullptr, true, true);
  std::string_view text = std::string_view(s).substr(kept.begin, kept.end - kept.begin);
  for (size_t i = 0; i < text.size(); i++) {
    bool between = text[i] == '_' && i > 0 && i + 1 < text.size() &&
                   std::isalnum(static_cast<unsigned char>(text[i - 1])) &&
                   std::isalnum(static_cast<unsigned char>(text[i + 1]));
    if (!between) clean += text[i];
  }
  if (!clean.empty() && clean[0] == '+') clean.erase(0, 1);
  return clean;
}

std::optional<int64_t> parse_integer(const std::string& s, int64_t base) {
  std::string clean;
  digits_of(s, clean);
  if (s.find('+') != s.npos && clean.starts_with('-')) return {};
  bool negative = clean.starts_with('-');
  size_t at = negative;
  if (clean.size() > at + 2 && clean[at] == '0') {
    char prefix = static_cast<char>(clean[at + 1] | 0x20);
    int64_t named = prefix == 'x' ? 16 : prefix == 'o' ? 8 : prefix == 'b' ? 2 : 0;
    if (named == base && named != 0) at += 2;
  }
  if (at >= clean.size() || clean[at] == '-') return {};
  std::string number = (negative ? "-" : "") + clean.substr(at);
  int64_t value = 0;
  auto result = std::from_chars(number.data(), number.data() + number.size(), value, static_cast<int>(base));
  if (result.ptr != number.data() + number.size()) return {};
  if (result.ec == std::errc::result_out_of_range) refuse("int(): the number is beyond 64 bits");
  return result.ec == std::errc() ? std::optional(value) : std::nullopt;
}

std::optional<double> parse_float(const std::string& s) {
  std::string clean;
  digits_of(s, clean);
  if (s.find('+') < s.find('-') && clean.starts_with('-')) return {};
  std::string lower;
  for (char c : clean) lower += static_cast<char>(c >= 'A' && c <= 'Z' ? c | 0x20 : c);
  std::string_view text = lower;
  bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  if (text == "inf" || text == "infinity") return negative ? -HUGE_VAL : HUGE_VAL;
  if (text == "nan") return NAN;
  if (text.empty() || !(std::isdigit(static_cast<unsigned char>(text[0])) || text[0] == '.')) return {};
  double value = 0;
  auto result = std::from_chars(text.data(), text.data() + text.size(), value);
  if (result.ptr != text.data() + text.size()) return {};
  if (result.ec == std::errc::result_out_of_range) value = std::strtod(std::string(text).c_str(), nullptr);
  return negative ? -value : value;
}

std::optional<int64_t> truncated(double v) {
  if (std::isnan(v)) return {};
  if (std::isinf(v)) refuse("int(): infinity is no integer");
  if (!(v >= -0x1p63 && v < 0x1p63)) refuse("int(): the number is beyond 64 bits");
  return static_cast<int64_t>(v);
}

Value to_int(Interpreter&, const Value& value, const Arguments& arguments) {
  Bound a("int", arguments, {"default", "base"});
  if (value.is_undefined()) refuse(value.missing());
  int64_t base = a.integer(1, 10);
  if (base < 2 || base > 36) refuse("int(): the base must be 2 to 36");
  std::optional<int64_t> result;
  if (value.is_string()) {
    result = parse_integer(value.string(), base);
    if (!result) {
      if (auto number = parse_float(value.string())) result = truncated(*number);
    }
  } else if (value.is_double()) {
    result = truncated(value.as_double());
  } else if (value.is_number()) {
    result = value.as_int();
  }
  if (result) return *result;
  return a.given(0) ? a[0] : Value(0);
}

Value to_float(Interpreter&, const Value& value, const Arguments& arguments) {
  Bound a("float", arguments, {"default"});
  if (value.is_undefined()) refuse(value.missing());
  std::optional<double> result;
  if (value.is_string()) result = parse_float(value.string());
  if (value.is_number()) result = value.as_double();
  if (result) return *result;
  return a.given(0) ? a[0] : Value(0.0);
}

const Value& number_operand(std::string_view filter, const Value& value) {
  if (value.is_undefined()) refuse(value.missing());
  if (!value.is_number()) refuse(filter, "(): expected a number, got '", type_name(value), "'");
  return value;
}

Value absolute(Interpreter&, const Value& value, const Arguments& arguments) {
  Bound("abs", arguments, {});
  number_operand("abs", value);
  if (value.is_double()) return std::abs(value.as_double());
  return value.as_int() < 0 ? unary_minus(value) : Value(value.as_int());
}

Value rounded(Interpreter&, const Value& value, const Arguments& arguments) {
  Bound a("round", arguments, {"precision", "method"});
  number_operand("round", value);
  int64_t precision = std::clamp<int64_t>(a.integer(0, 0), -400, 400);
  std::string method = a.text(1, "common").bytes;
  double v = value.as_double();
  if (method == "ceil" || method == "floor") {
    double scale = std::pow(10.0, static_cast<double>(precision));
    double scaled = v * scale;
    if (!std::isfinite(scaled)) refuse("round(): the number has no finite ", method);
    return (method == "ceil" ? std::ceil(scaled) : std::floor(scaled)) / scale;
  }
  if (method != "common") refuse("round(): method: expected common, ceil or floor, got ", quoted(method));
  if (!value.is_double()) {
    if (precision >= 0) return value.as_int();
    throw TemplateError{ErrorKind::kUnsupported, "round() of an integer to a negative precision is not supported"};
  }
  if (!std::isfinite(v)) return v;
  if (precision < 0) {
    double scale = std::pow(10.0, static_cast<double>(-precision));
    return std::isinf(scale) ? std::copysign(0.0, v) : std::nearbyint(v / scale) * scale;
  }
  // printf rounds the exact decimal value, ties to even, as Python does.
  char buffer[800];
  snprintf(buffer, sizeof buffer, "%.*f", static_cast<int>(std::min<int64_t>(precision, 330)), v);
  double result = 0;
  std::from_chars(buffer, buffer + std::char_traits<char>::length(buffer), result);
  return result;
}

constexpr FilterEntry kFilters[] = {
    {"upper", cased<Case::kUpper>},
    {"lower", cased<Case::kLower>},
    {"capitalize", cased<Case::kCapitalize>},
    {"title", title},
    {"trim", trim},
    {"string", to_string},
    {"safe", to_string},
    {"replace", replace},
    {"e", escape},
    {"escape", escape},
    {"forceescape", escape},
    {"indent", indent},
    {"center", center},
    {"format", format},
    {"default", fallback},
    {"d", fallback},
    {"tojson", tojson},
    {"int", to_int},
    {"float", to_float},
    {"abs", absolute},
    {"round", rounded},
};

}  // namespace

Filter find_text_filter(std::string_view name) {
  for (const FilterEntry& entry : kFilters) {
    if (entry.name == name) return entry.filter;
  }
  return nullptr;
}

bool is_filter(std::string_view name) { return find_text_filter(name) || find_sequence_filter(name); }

bool is_other_filter(std::string_view name) {
  static constexpr std::string_view kOthers[] = {"filesizeformat", "pprint", "random",    "striptags", "truncate",
                                                 "urlencode",      "urlize", "wordcount", "wordwrap",  "xmlattr"};
  return std::find(std::begin(kOthers), std::end(kOthers), name) != std::end(kOthers);
}

Value Interpreter::apply_filter(const std::string& name, const Value& value, const Arguments& arguments) {
  Filter filter = find_text_filter(name);
  if (!filter) filter = find_sequence_filter(name);
  if (!filter) refuse("there is no filter named ", quoted(name));
  return filter(*this, value, arguments);
}

}  // namespace ingot::jinja
