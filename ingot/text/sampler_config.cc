#include <cmath>
#include <limits>
#include <string>

#include "ingot/base/error.h"
#include "ingot/text/jinja_value.h"
#include "ingot/text/sampler.h"

namespace ingot {

namespace {

constexpr std::string_view kWhere = "generation_config.json";

class Config {
 public:
  explicit Config(std::string_view json) : root_(jinja::Value::from_json(json)) {
    if (!root_.is_dict()) fail(ErrorKind::kFormat, kWhere, cat("expected an object, got ", jinja::type_name(root_)));
  }

  // Null when the key is missing or null.
  const jinja::Value* find(const char* key) const {
    const jinja::Value* found = root_.dict().find(key);
    return found && !found->is_none() ? found : nullptr;
  }

  bool flag(const char* key, bool fallback) const {
    const jinja::Value* value = find(key);
    if (value && !value->is_bool()) refuse(key, "true or false", *value);
    return value ? value->as_bool() : fallback;
  }

  float number(const char* key, float fallback) const {
    const jinja::Value* value = find(key);
    if (value && !value->is_int() && !value->is_double()) refuse(key, "a number", *value);
    if (!value) return fallback;
    // Out of the range of float is out of the range of any parameter; validate() names it.
    double v = value->as_double();
    return std::abs(v) > static_cast<double>(std::numeric_limits<float>::max()) ? std::numeric_limits<float>::infinity()
                                                                                : static_cast<float>(v);
  }

  int integer(const char* key, int fallback) const {
    const jinja::Value* value = find(key);
    return value ? checked(key, *value) : fallback;
  }

  std::vector<int32_t> ids(const char* key) const {
    std::vector<int32_t> result;
    const jinja::Value* value = find(key);
    if (!value) return result;
    if (!value->is_sequence()) return {checked(key, *value)};
    for (const jinja::Value& item : value->items()) result.push_back(checked(key, item));
    return result;
  }

 private:
  [[noreturn]] static void refuse(const char* key, std::string_view expected, const jinja::Value& got) {
    fail(ErrorKind::kFormat, kWhere, cat(key, ": expected ", expected, ", got ", jinja::type_name(got)));
  }
  static int32_t checked(const char* key, const jinja::Value& value) {
    if (!value.is_int()) refuse(key, "an integer", value);
    int64_t v = value.as_int();
    if (v < std::numeric_limits<int32_t>::min() || v > std::numeric_limits<int32_t>::max()) {
      fail(ErrorKind::kFormat, kWhere, cat(key, ": expected a 32-bit integer, got ", v));
    }
    return static_cast<int32_t>(v);
  }

  jinja::Value root_;
};

}  // namespace

SamplingParams sampling_from_generation_config(std::string_view json) {
  Config config(json);
  SamplingParams params;
  bool samples = config.flag("do_sample", false);
  float temperature = config.number("temperature", 1);
  int top_k = config.integer("top_k", 50);
  float top_p = config.number("top_p", 1), min_p = config.number("min_p", 0), typical_p = config.number("typical_p", 1);
  if (samples) {
    params.temperature = temperature;
    params.top_k = top_k;
    params.top_p = top_p;
    params.min_p = min_p;
    if (typical_p < 1) fail(ErrorKind::kUnsupported, kWhere, "typical_p: typical sampling is not supported");
  }
  params.repetition_penalty = config.number("repetition_penalty", 1);
  params.no_repeat_ngram = config.integer("no_repeat_ngram_size", 0);
  params.min_new_tokens = config.integer("min_new_tokens", 0);
  params.eos = config.ids("eos_token_id");
  params.suppress = config.ids("suppress_tokens");
  try {
    params.validate();
  } catch (const Error& e) {
    fail(ErrorKind::kFormat, kWhere, e.what());
  }
  return params;
}

}  // namespace ingot
