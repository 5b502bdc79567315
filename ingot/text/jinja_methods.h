// The methods of Python's str, list and dict that a template may call, and `text % values`.
#pragma once
#include <string>

#include "ingot/text/jinja_ops.h"

namespace ingot::jinja {

// Whether Python has such a method; one that is not done here is an Error when it is called.
bool has_method(const Value& object, const std::string& name);
Value bind_method(const Value& object, const std::string& name);

// Pieces of these serve the filters of the same name.
Value replace_text(Budget& budget, const Text& text, const Text& from, const Text& to,
                   int64_t count);  // count < 0: all
Value center_text(const Text& text, int64_t width, const Text& fill);
Value format_percent(Budget& budget, const Text& format,
                     const Value& values);  // %s %r %d %i %x %f with width and precision

}  // namespace ingot::jinja
