#include "ingot/text/jinja_json.h"

#include <simdjson.h>

#include <algorithm>
#include <cmath>

#include "ingot/text/jinja_object.h"

namespace ingot::jinja {

namespace {

Value convert(simdjson::dom::element element, int depth) {
  if (depth > kMaxValueDepth) fail(ErrorKind::kFormat, "json", cat("nests deeper than ", kMaxValueDepth));
  using Type = simdjson::dom::element_type;
  switch (element.type()) {
    case Type::ARRAY: {
      List items;
      for (simdjson::dom::element item : simdjson::dom::array(element)) items.push_back(convert(item, depth + 1));
      return items;
    }
    case Type::OBJECT: {
      Dict dict;
      for (simdjson::dom::key_value_pair field : simdjson::dom::object(element)) {
        dict.set(Value(field.key), convert(field.value, depth + 1));
      }
      return dict;
    }
    case Type::INT64:
      return int64_t(element);
    case Type::UINT64:
      return static_cast<double>(uint64_t(element));
    case Type::DOUBLE:
      return double(element);
    case Type::STRING:
      return std::string_view(element);
    case Type::BOOL:
      return bool(element);
    case Type::NULL_VALUE:
      return nullptr;
  }
  return {};
}

}  // namespace

Value Value::from_json(std::string_view json) {
  simdjson::dom::parser parser;
  simdjson::dom::element root;
  // The parser's own limit is on open brackets; ours is the tighter one and comes first in `convert`.
  if (auto error = parser.allocate(json.size(), kMaxValueDepth + 2); !error) {
    error = parser.parse(json.data(), json.size()).get(root);
    if (!error) return convert(root, 1);
    fail(ErrorKind::kFormat, "json", simdjson::error_message(error));
  }
  fail(ErrorKind::kFormat, "json", "the text is too large");
}

namespace {

class Writer {
 public:
  Writer(TextBuilder& out, const JsonStyle& style) : out_(out), style_(style) {}

  void write(const Value& value, int level) {
    switch (value.kind()) {
      case Value::Kind::kString:
        quote(value.text());
        return;
      case Value::Kind::kDict:
        write_dict(value.dict(), level);
        return;
      case Value::Kind::kSequence:
        write_list(value, level);
        return;
      case Value::Kind::kUndefined:
      case Value::Kind::kObject:
        refuse("tojson: a value of type '", type_name(value), "' is not JSON");
      default:
        out_.append(scalar(value));
    }
  }

 private:
  static std::string scalar(const Value& value) {
    if (value.is_none()) return "null";
    if (value.is_bool()) return value.as_bool() ? "true" : "false";
    if (value.is_int()) return std::to_string(value.as_int());
    double v = value.as_double();
    if (std::isnan(v)) return "NaN";
    if (std::isinf(v)) return v < 0 ? "-Infinity" : "Infinity";
    return python_float(v);
  }

  void new_line(int level) {
    if (!style_.pretty) return;
    out_.append("\n");
    for (int i = 0; i < level; i++) out_.append(style_.indent);
  }

  void write_list(const Value& value, int level) {
    SequenceKind kind = value.sequence().kind;
    if (kind != SequenceKind::kList && kind != SequenceKind::kTuple) {
      refuse("tojson: a value of type '", type_name(value), "' is not JSON");
    }
    if (value.items().empty()) return out_.append("[]");
    out_.append("[");
    bool first = true;
    for (const Value& item : value.items()) {
      if (!first) out_.append(style_.item_separator);
      first = false;
      new_line(level + 1);
      write(item, level + 1);
    }
    new_line(level);
    out_.append("]");
  }

  void write_dict(const Dict& dict, int level) {
    if (dict.size() == 0) return out_.append("{}");
    std::vector<const std::pair<Value, Value>*> entries;
    for (const auto& entry : dict.entries()) entries.push_back(&entry);
    if (style_.sort_keys) {
      for (const auto* entry : entries) {
        if (!entry->first.is_string()) refuse("tojson: sort_keys needs string keys");
      }
      std::stable_sort(entries.begin(), entries.end(),
                       [](const auto* a, const auto* b) { return a->first.string() < b->first.string(); });
    }
    out_.append("{");
    bool first = true;
    for (const auto* entry : entries) {
      if (!first) out_.append(style_.item_separator);
      first = false;
      new_line(level + 1);
      const Value& key = entry->first;
      if (key.is_string()) {
        quote(key.text());
      } else if (key.is_none() || key.is_number()) {
        quote(Text{scalar(key), {}});
      } else {
        refuse("tojson: a key of type '", type_name(key), "' is not JSON");
      }
      out_.append(style_.key_separator);
      write(entry->second, level + 1);
    }
    new_line(level);
    out_.append("}");
  }

  static void unicode_escape(std::string& piece, char32_t unit) {
    static constexpr char kHex[] = "0123456789abcdef";
    piece += "\\u";
    for (int shift = 12; shift >= 0; shift -= 4) piece += kHex[unit >> shift & 15];
  }

  void quote(const Text& text) {
    out_.append("\"");
    size_t plain = 0;  // start of the run that needs no escape
    std::string piece;
    for (size_t i = 0; i < text.bytes.size();) {
      Character c = character_at(text.bytes, i);
      piece.clear();
      switch (c.code) {
        case '"':
          piece = "\\\"";
          break;
        case '\\':
          piece = "\\\\";
          break;
        case '\n':
          piece = "\\n";
          break;
        case '\r':
          piece = "\\r";
          break;
        case '\t':
          piece = "\\t";
          break;
        case '\b':
          piece = "\\b";
          break;
        case '\f':
          piece = "\\f";
          break;
        default:
          if (c.code < 0x20 || (style_.ascii && c.code > 0x7E && c.code < 0x10000)) {
            unicode_escape(piece, c.code);
          } else if (style_.ascii && c.code >= 0x10000) {
            unicode_escape(piece, 0xD800 + ((c.code - 0x10000) >> 10));
            unicode_escape(piece, 0xDC00 + ((c.code - 0x10000) & 0x3FF));
          }
      }
      if (!piece.empty()) {
        out_.append(text, plain, i);
        out_.append(piece, text.is_user(i));
        plain = i + c.length;
      }
      i += c.length;
    }
    out_.append(text, plain, text.bytes.size());
    out_.append("\"");
  }

  TextBuilder& out_;
  const JsonStyle& style_;
};

}  // namespace

Text to_json(const Value& value, const JsonStyle& style) {
  TextBuilder out;
  Writer(out, style).write(value, 0);
  return out.take();
}

}  // namespace ingot::jinja
