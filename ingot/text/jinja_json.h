// Python's json.dumps with the arguments that the `tojson` filter of chat templates takes.
#pragma once
#include <string>

#include "ingot/text/jinja_value.h"

namespace ingot::jinja {

struct JsonStyle {
  bool ascii = false;      // \uXXXX for everything beyond ASCII
  bool sort_keys = false;  // by code point
  bool pretty = false;     // one item a line, `indent` per level
  std::string indent;
  Text item_separator{", ", {}};
  Text key_separator{": ", {}};
};

// TemplateError for what JSON cannot hold (undefined values, functions) and for keys that are not scalars.
Text to_json(const Value& value, const JsonStyle& style);

}  // namespace ingot::jinja
