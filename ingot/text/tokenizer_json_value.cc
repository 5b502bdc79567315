#include "ingot/text/tokenizer_json_value.h"

#include "ingot/base/error.h"

namespace ingot::tok {

std::optional<JsonValue> JsonValue::find(std::string_view key) const {
  simdjson::dom::object members = object();
  simdjson::dom::element value;
  if (members.at_key(key).get(value) != simdjson::SUCCESS || value.is_null()) return std::nullopt;
  return JsonValue(value, cat(path_, path_.ends_with(':') ? " " : ".", key));
}

JsonValue JsonValue::at(std::string_view key) const {
  std::optional<JsonValue> value = find(key);
  if (!value) fail_format(cat("no member ", quoted(key)));
  return *value;
}

simdjson::dom::object JsonValue::object() const {
  simdjson::dom::object value;
  if (element_.get(value) != simdjson::SUCCESS) fail_format("expected an object");
  return value;
}
simdjson::dom::array JsonValue::array() const {
  simdjson::dom::array value;
  if (element_.get(value) != simdjson::SUCCESS) fail_format("expected an array");
  return value;
}
std::string_view JsonValue::text() const {
  std::string_view value;
  if (element_.get(value) != simdjson::SUCCESS) fail_format("expected a string");
  return value;
}
int64_t JsonValue::integer() const {
  int64_t value = 0;
  if (element_.get(value) != simdjson::SUCCESS) fail_format("expected an integer");
  return value;
}
bool JsonValue::flag() const {
  bool value = false;
  if (element_.get(value) != simdjson::SUCCESS) fail_format("expected true or false");
  return value;
}
bool JsonValue::is_zero() const {
  double value = 1;
  return element_.get(value) == simdjson::SUCCESS && value == 0;
}

bool JsonValue::flag_or(std::string_view key, bool otherwise) const {
  std::optional<JsonValue> value = find(key);
  return value ? value->flag() : otherwise;
}
std::string_view JsonValue::text_or(std::string_view key, std::string_view otherwise) const {
  std::optional<JsonValue> value = find(key);
  return value ? value->text() : otherwise;
}
std::string_view JsonValue::type() const { return at("type").text(); }

void JsonValue::fail_format(std::string_view message) const {
  fail(ErrorKind::kFormat, path_.ends_with(':') ? std::string_view(path_).substr(0, path_.size() - 1) : path_, message);
}
void JsonValue::fail_unsupported(std::string_view what) const {
  fail(ErrorKind::kUnsupported, path_.ends_with(':') ? std::string_view(path_).substr(0, path_.size() - 1) : path_,
       cat(what, " is not supported"));
}

JsonValue parse_json(simdjson::dom::parser& parser, std::string_view text, std::string name) {
  simdjson::dom::element root;
  simdjson::error_code error = parser.parse(text.data(), text.size(), true).get(root);
  if (error != simdjson::SUCCESS) fail(ErrorKind::kFormat, name, simdjson::error_message(error));
  return JsonValue(root, name + ":");
}

}  // namespace ingot::tok
