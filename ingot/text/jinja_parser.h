// Reads a template into its syntax tree.
#pragma once
#include <string_view>

#include "ingot/text/jinja_ast.h"

namespace ingot::jinja {

// TemplateError that begins with "line N: " on broken syntax, on constructs that are not supported (named in the
// message), and on nesting beyond what can be walked on a small thread stack.
Block parse_template(std::string_view source);

}  // namespace ingot::jinja
