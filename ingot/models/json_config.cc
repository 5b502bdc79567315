#include <simdjson.h>

#include "ingot/base/error.h"
#include "ingot/models/config.h"

namespace ingot {

struct JsonConfig::State {
  std::string label;
  simdjson::dom::parser parser;
  simdjson::dom::element root;

  std::optional<simdjson::dom::element> find(std::string_view key) const {
    simdjson::dom::element at = root;
    while (true) {
      size_t dot = key.find('.');
      simdjson::dom::element next;
      if (at[key.substr(0, dot)].get(next) != simdjson::SUCCESS || next.is_null()) return {};
      if (dot == std::string_view::npos) return next;
      at = next;
      key.remove_prefix(dot + 1);
    }
  }
  [[noreturn]] void missing(std::string_view key) const {
    fail(ErrorKind::kFormat, label, cat("key ", ingot::quoted(key), " is missing"));
  }
  [[noreturn]] void wrong(std::string_view key, std::string_view expected) const {
    fail(ErrorKind::kFormat, label, cat("key ", ingot::quoted(key), " must be ", expected));
  }
};

JsonConfig::JsonConfig(std::string text, std::string label) : state_(std::make_unique<State>()) {
  state_->label = std::move(label);
  simdjson::error_code error = state_->parser.parse(text).get(state_->root);
  if (error) fail(ErrorKind::kFormat, state_->label, cat("not valid JSON: ", simdjson::error_message(error)));
  if (!state_->root.is_object()) fail(ErrorKind::kFormat, state_->label, "not a JSON object");
}
JsonConfig::~JsonConfig() = default;
JsonConfig::JsonConfig(JsonConfig&&) noexcept = default;
const std::string& JsonConfig::label() const { return state_->label; }

bool JsonConfig::has(std::string_view key) const { return state_->find(key).has_value(); }

int64_t JsonConfig::integer(std::string_view key, std::optional<int64_t> fallback) const {
  auto e = state_->find(key);
  if (!e) return fallback ? *fallback : (state_->missing(key), 0);
  int64_t v;
  if (e->get(v) != simdjson::SUCCESS) state_->wrong(key, "an integer");
  return v;
}
double JsonConfig::number(std::string_view key, std::optional<double> fallback) const {
  auto e = state_->find(key);
  if (!e) return fallback ? *fallback : (state_->missing(key), 0);
  double v;
  if (e->get(v) != simdjson::SUCCESS) state_->wrong(key, "a number");
  return v;
}
bool JsonConfig::boolean(std::string_view key, bool fallback) const {
  auto e = state_->find(key);
  if (!e) return fallback;
  bool v;
  if (e->get(v) != simdjson::SUCCESS) state_->wrong(key, "true or false");
  return v;
}
std::string JsonConfig::text(std::string_view key, std::optional<std::string> fallback) const {
  auto e = state_->find(key);
  if (!e) return fallback ? *fallback : (state_->missing(key), "");
  std::string_view v;
  if (e->get(v) != simdjson::SUCCESS) state_->wrong(key, "a string");
  return std::string(v);
}
std::vector<std::string> JsonConfig::texts(std::string_view key) const {
  std::vector<std::string> out;
  auto e = state_->find(key);
  if (!e) return out;
  simdjson::dom::array list;
  if (e->get(list) != simdjson::SUCCESS) state_->wrong(key, "a list of strings");
  for (simdjson::dom::element item : list) {
    std::string_view v;
    if (item.get(v) != simdjson::SUCCESS) state_->wrong(key, "a list of strings");
    out.emplace_back(v);
  }
  return out;
}
std::vector<int64_t> JsonConfig::integers(std::string_view key) const {
  auto e = state_->find(key);
  if (!e) return {};
  int64_t v;
  if (e->get(v) == simdjson::SUCCESS) return {v};
  simdjson::dom::array list;
  if (e->get(list) != simdjson::SUCCESS) state_->wrong(key, "an integer or a list of integers");
  std::vector<int64_t> out;
  for (simdjson::dom::element item : list) {
    if (item.get(v) != simdjson::SUCCESS) state_->wrong(key, "an integer or a list of integers");
    out.push_back(v);
  }
  return out;
}

}  // namespace ingot
