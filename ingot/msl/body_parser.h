// Threadgroup variables in function bodies.
#pragma once
#include <cstddef>

namespace ingot::msl {

struct ParsedModule;

// Adds the `threadgroup` declarations of the function's body to the module, with problems where they may not stand.
void parse_body(ParsedModule& module, size_t function);

}  // namespace ingot::msl
