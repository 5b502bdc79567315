#include "ingot/text/jinja_value.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "ingot/text/jinja_object.h"

namespace ingot::jinja {

namespace {

constexpr size_t kSmallDict = 12;

void check_limits(int depth, size_t weight) {
  if (depth > kMaxValueDepth) {
    fail(ErrorKind::kFormat, "chat template value", cat("lists and dicts nest deeper than ", kMaxValueDepth));
  }
  if (weight > kMaxValueWeight) {
    fail(ErrorKind::kFormat, "chat template value", cat("a list or dict holds more than ", kMaxValueWeight, " bytes"));
  }
}

}  // namespace

Value::Value(List items, SequenceKind kind) {
  int depth = 0;
  size_t weight = 1;
  for (const Value& item : items) {
    depth = std::max(depth, item.depth());
    weight += item.weight();
    check_limits(depth + 1, weight);
  }
  auto sequence = std::make_shared<Sequence>();
  sequence->items = std::move(items);
  sequence->kind = kind;
  sequence->depth = depth + 1;
  sequence->weight = weight;
  data_ = std::shared_ptr<const Sequence>(std::move(sequence));
}

Value::Value(Dict dict) {
  check_limits(dict.depth(), dict.weight());
  data_ = std::make_shared<const Dict>(std::move(dict));
}

Value Value::undefined(std::string what) {
  Value value;
  std::get<Undefined>(value.data_).what = std::make_shared<const std::string>(std::move(what));
  return value;
}

const std::string& Value::missing() const {
  static const std::string kNothing = "an undefined value is used";
  const auto& what = std::get<Undefined>(data_).what;
  return what ? *what : kNothing;
}

int Value::depth() const {
  switch (kind()) {
    case Kind::kSequence:
      return sequence().depth;
    case Kind::kDict:
      return dict().depth();
    case Kind::kObject:
      return object() ? object()->depth() : 0;
    default:
      return 0;
  }
}

size_t Value::weight() const {
  switch (kind()) {
    case Kind::kString:
      return 1 + string().size();
    case Kind::kSequence:
      return sequence().weight;
    case Kind::kDict:
      return dict().weight();
    default:
      return 1;
  }
}

size_t Dict::index_of(const Value& key) const {
  if (key.is_string() && entries_.size() > kSmallDict) {
    auto found = strings_.find(key.string());
    return found == strings_.end() ? entries_.size() : found->second;
  }
  size_t i = 0;
  while (i < entries_.size() && !equal(entries_[i].first, key)) i++;
  return i;
}

void Dict::set(Value key, Value value) {
  if (key.is_sequence() || key.is_dict()) {
    fail(ErrorKind::kFormat, "chat template value", cat("a ", type_name(key), " cannot be the key of a dict"));
  }
  depth_ = std::max({depth_, key.depth() + 1, value.depth() + 1});
  size_t i = index_of(key);
  if (i < entries_.size()) {
    weight_ = weight_ - entries_[i].second.weight() + value.weight();
    entries_[i].second = std::move(value);
    return;
  }
  weight_ += key.weight() + value.weight();
  entries_.emplace_back(std::move(key), std::move(value));
  if (entries_.size() == kSmallDict + 1) {
    for (size_t k = 0; k < kSmallDict; k++) {
      if (entries_[k].first.is_string()) strings_.emplace(entries_[k].first.string(), k);
    }
  }
  if (entries_.size() > kSmallDict && entries_.back().first.is_string()) {
    strings_.emplace(entries_.back().first.string(), entries_.size() - 1);
  }
}

const Value* Dict::find(const Value& key) const {
  if (key.is_sequence() || key.is_dict()) return nullptr;
  size_t i = index_of(key);
  return i < entries_.size() ? &entries_[i].second : nullptr;
}

const Value* Dict::find(std::string_view key) const {
  if (entries_.size() > kSmallDict) return find(Value(key));
  for (const auto& entry : entries_) {
    if (entry.first.is_string() && entry.first.string() == key) return &entry.second;
  }
  return nullptr;
}

bool equal(const Value& a, const Value& b) {
  if (a.is_number() && b.is_number()) {
    if (a.is_double() || b.is_double()) {
      // An int64 that is no double must not become equal to its neighbour.
      if (a.is_double() && b.is_double()) return a.as_double() == b.as_double();
      double d = a.is_double() ? a.as_double() : b.as_double();
      int64_t i = a.is_double() ? b.as_int() : a.as_int();
      return d >= -0x1p63 && d < 0x1p63 && d == std::trunc(d) && static_cast<int64_t>(d) == i;
    }
    return a.as_int() == b.as_int();
  }
  if (a.kind() != b.kind()) return false;
  switch (a.kind()) {
    case Value::Kind::kUndefined:
    case Value::Kind::kNone:
      return true;
    case Value::Kind::kString:
      return a.string() == b.string();
    case Value::Kind::kSequence: {
      if (&a.sequence() == &b.sequence()) return true;
      SequenceKind kind = a.sequence().kind;
      if (kind != b.sequence().kind || kind == SequenceKind::kGenerator) return false;
      return std::equal(a.items().begin(), a.items().end(), b.items().begin(), b.items().end(), equal);
    }
    case Value::Kind::kDict: {
      if (a.dict().size() != b.dict().size()) return false;
      for (const auto& entry : a.dict().entries()) {
        const Value* other = b.dict().find(entry.first);
        if (!other || !equal(entry.second, *other)) return false;
      }
      return true;
    }
    case Value::Kind::kObject:
      return a.object() == b.object();
    default:
      return false;
  }
}

bool truth(const Value& value) {
  switch (value.kind()) {
    case Value::Kind::kUndefined:
    case Value::Kind::kNone:
      return false;
    case Value::Kind::kBool:
      return value.as_bool();
    case Value::Kind::kInt:
      return value.as_int() != 0;
    case Value::Kind::kDouble:
      return value.as_double() != 0;
    case Value::Kind::kString:
      return !value.string().empty();
    case Value::Kind::kSequence:
      return value.sequence().kind == SequenceKind::kGenerator || !value.items().empty();
    case Value::Kind::kDict:
      return value.dict().size() > 0;
    case Value::Kind::kObject:
      return true;
  }
  return false;
}

const char* type_name(const Value& value) {
  switch (value.kind()) {
    case Value::Kind::kUndefined:
      return "undefined";
    case Value::Kind::kNone:
      return "NoneType";
    case Value::Kind::kBool:
      return "bool";
    case Value::Kind::kInt:
      return "int";
    case Value::Kind::kDouble:
      return "float";
    case Value::Kind::kString:
      return "str";
    case Value::Kind::kDict:
      return "dict";
    case Value::Kind::kObject:
      return value.object()->type();
    case Value::Kind::kSequence:
      break;
  }
  switch (value.sequence().kind) {
    case SequenceKind::kList:
      return "list";
    case SequenceKind::kTuple:
      return "tuple";
    case SequenceKind::kGenerator:
      return "generator";
    case SequenceKind::kView:
      return "dict view";
    case SequenceKind::kRange:
      return "range";
  }
  return "";
}

std::string python_float(double v) {
  if (std::isnan(v)) return "nan";
  if (std::isinf(v)) return v < 0 ? "-inf" : "inf";
  char buffer[40];
  char* end = std::to_chars(buffer, buffer + sizeof buffer, v, std::chars_format::scientific).ptr;
  std::string_view text(buffer, end - buffer);
  bool negative = text[0] == '-';
  if (negative) text.remove_prefix(1);
  size_t e = text.find('e');
  int exponent = std::stoi(std::string(text.substr(e + 1)));
  std::string digits(1, text[0]);
  if (e > 2) digits += text.substr(2, e - 2);
  std::string out = negative ? "-" : "";
  if (exponent < -4 || exponent >= 16) {
    out += digits[0];
    if (digits.size() > 1) out += "." + digits.substr(1);
    out += exponent < 0 ? "e-" : "e+";
    if (std::abs(exponent) < 10) out += '0';
    return out + std::to_string(std::abs(exponent));
  }
  if (exponent < 0) return out + "0." + std::string(-exponent - 1, '0') + digits;
  size_t whole = static_cast<size_t>(exponent) + 1;
  if (digits.size() <= whole) return out + digits + std::string(whole - digits.size(), '0') + ".0";
  return out + digits.substr(0, whole) + "." + digits.substr(whole);
}

namespace {

void quote_python(TextBuilder& out, const Text& text) {
  static constexpr char kHex[] = "0123456789abcdef";
  bool single = text.bytes.find('\'') != std::string::npos && text.bytes.find('"') == std::string::npos;
  char quote = single ? '"' : '\'';
  out.append(std::string_view(&quote, 1));
  std::string piece;
  for (size_t i = 0; i < text.bytes.size();) {
    Character c = character_at(text.bytes, i);
    piece.clear();
    if (c.code == '\\' || c.code == static_cast<unsigned char>(quote)) {
      piece += {'\\', static_cast<char>(c.code)};
    } else if (c.code == '\n' || c.code == '\r' || c.code == '\t') {
      piece += {'\\', c.code == '\n' ? 'n' : c.code == '\r' ? 'r' : 't'};
    } else if (is_printable(c.code)) {
      append_utf8(piece, c.code);
    } else {
      int digits = c.code < 0x100 ? 2 : c.code < 0x10000 ? 4 : 8;
      piece += {'\\', digits == 2 ? 'x' : digits == 4 ? 'u' : 'U'};
      while (digits-- > 0) piece += kHex[c.code >> (4 * digits) & 15];
    }
    out.append(piece, text.is_user(i));
    i += c.length;
  }
  out.append(std::string_view(&quote, 1));
}

void write_representation(TextBuilder& out, const Value& value) {
  switch (value.kind()) {
    case Value::Kind::kUndefined:
      out.append("Undefined");
      return;
    case Value::Kind::kNone:
      out.append("None");
      return;
    case Value::Kind::kBool:
      out.append(value.as_bool() ? "True" : "False");
      return;
    case Value::Kind::kInt:
      out.append(std::to_string(value.as_int()));
      return;
    case Value::Kind::kDouble:
      out.append(python_float(value.as_double()));
      return;
    case Value::Kind::kString:
      quote_python(out, value.text());
      return;
    case Value::Kind::kDict: {
      const char* separator = "{";
      for (const auto& entry : value.dict().entries()) {
        out.append(separator);
        write_representation(out, entry.first);
        out.append(": ");
        write_representation(out, entry.second);
        separator = ", ";
      }
      out.append(value.dict().size() ? "}" : "{}");
      return;
    }
    case Value::Kind::kSequence:
      break;
    case Value::Kind::kObject:
      refuse("a value of type '", type_name(value), "' has no text");
  }
  SequenceKind kind = value.sequence().kind;
  if (kind != SequenceKind::kList && kind != SequenceKind::kTuple) {
    throw TemplateError{ErrorKind::kUnsupported,
                        cat("a ", type_name(value), " has no text; make it a list first (x | list)")};
  }
  out.append(kind == SequenceKind::kList ? "[" : "(");
  const char* separator = "";
  for (const Value& item : value.items()) {
    out.append(separator);
    write_representation(out, item);
    separator = ", ";
  }
  out.append(kind == SequenceKind::kList ? "]" : value.items().size() == 1 ? ",)" : ")");
}

}  // namespace

Text representation(const Value& value) {
  TextBuilder out;
  write_representation(out, value);
  return out.take();
}

void append_text(TextBuilder& out, const Value& value) {
  if (value.is_string()) {
    out.append(value.text());
  } else if (!value.is_undefined()) {
    write_representation(out, value);
  }
}

Text to_text(const Value& value) {
  if (value.is_string()) return value.text();
  TextBuilder out;
  append_text(out, value);
  return out.take();
}

Value mark_user(const Value& value) {
  switch (value.kind()) {
    case Value::Kind::kString: {
      const std::string& bytes = value.string();
      if (bytes.empty()) return value;
      return Text{bytes, {{0, bytes.size()}}};
    }
    case Value::Kind::kSequence: {
      List items;
      items.reserve(value.items().size());
      for (const Value& item : value.items()) items.push_back(mark_user(item));
      return Value(std::move(items), value.sequence().kind);
    }
    case Value::Kind::kDict: {
      Dict dict;
      for (const auto& entry : value.dict().entries()) dict.set(mark_user(entry.first), mark_user(entry.second));
      return dict;
    }
    default:
      return value;
  }
}

}  // namespace ingot::jinja
