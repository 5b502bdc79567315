// Reading tokenizer.json with messages that say where: a value and the path to it ("tokenizer.json: model.merges").
#pragma once
#include <simdjson.h>

#include <optional>
#include <string>
#include <string_view>

namespace ingot::tok {

class JsonValue {
 public:
  JsonValue(simdjson::dom::element element, std::string path) : element_(element), path_(std::move(path)) {}

  // A member of an object; nothing if it is absent or null. An Error if this is no object.
  std::optional<JsonValue> find(std::string_view key) const;
  JsonValue at(std::string_view key) const;  // an Error if it is absent or null

  simdjson::dom::object object() const;
  simdjson::dom::array array() const;
  std::string_view text() const;
  int64_t integer() const;
  bool flag() const;
  bool is_zero() const;  // 0 or 0.0
  bool is_text() const { return element_.is_string(); }
  bool is_object() const { return element_.is_object(); }

  bool flag_or(std::string_view key, bool otherwise) const;
  std::string_view text_or(std::string_view key, std::string_view otherwise) const;
  std::string_view type() const;  // the member "type"

  const std::string& path() const { return path_; }
  [[noreturn]] void fail_format(std::string_view message) const;
  [[noreturn]] void fail_unsupported(std::string_view what) const;  // "<path>: <what> is not supported"

 private:
  simdjson::dom::element element_;
  std::string path_;
};

// The parser owns the values. `name` begins every path.
JsonValue parse_json(simdjson::dom::parser& parser, std::string_view text, std::string name);

}  // namespace ingot::tok
