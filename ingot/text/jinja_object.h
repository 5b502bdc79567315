// What only lives while a template runs: functions, macros, bound methods, `loop` and namespaces.
#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ingot/text/jinja_value.h"

namespace ingot::jinja {

class Interpreter;

// A failure inside a template; the interpreter adds the line and turns it into an ingot::Error.
struct TemplateError {
  ErrorKind kind = ErrorKind::kFormat;
  std::string message;
  bool from_template = false;  // raise_exception: the text is passed on as it is
};
template <class... Parts>
[[noreturn]] void refuse(const Parts&... parts) {
  throw TemplateError{ErrorKind::kFormat, cat(parts...)};
}

struct Arguments {
  List positional;
  std::vector<std::pair<std::string, Value>> named;
};

// Matches arguments with parameter names as Python does; an absent one stays undefined and `given` is false.
class Bound {
 public:
  Bound(std::string_view function, const Arguments& arguments, std::initializer_list<std::string_view> names,
        size_t required = 0);
  bool given(size_t i) const { return given_[i]; }
  const Value& operator[](size_t i) const { return values_[i]; }
  // Conversions with a default; Error naming function and parameter when the kind is wrong.
  bool flag(size_t i, bool fallback) const { return given(i) ? truth(values_[i]) : fallback; }
  int64_t integer(size_t i, int64_t fallback) const;
  Text text(size_t i, std::string_view fallback) const;  // str() of the value

 private:
  std::string function_;
  std::vector<std::string_view> names_;
  std::vector<Value> values_;
  std::vector<bool> given_;
};

class Object {
 public:
  virtual ~Object() = default;
  virtual const char* type() const = 0;
  virtual bool callable() const { return true; }
  virtual Value call(Interpreter& interpreter, const Arguments& arguments) { refuse("'", type(), "' is not callable"); }
  // Undefined when there is no such attribute.
  virtual Value attribute(const std::string& name) {
    return Value::undefined(cat("'", type(), "' has no attribute '", name, "'"));
  }
  virtual int depth() const { return 0; }  // how deep the values nest that it owns
};

}  // namespace ingot::jinja
