// The filters, in two files by what they work on, and what both need.
#pragma once
#include <string_view>

#include "ingot/text/jinja_eval.h"

namespace ingot::jinja {

using Filter = Value (*)(Interpreter&, const Value&, const Arguments&);
struct FilterEntry {
  std::string_view name;
  Filter filter;
};

// Null for an unknown name.
Filter find_text_filter(std::string_view name);
Filter find_sequence_filter(std::string_view name);

}  // namespace ingot::jinja
