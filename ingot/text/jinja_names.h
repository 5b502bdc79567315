// The names a template may use as filters and tests, and those of Jinja that this engine refuses by name.
#pragma once
#include <string_view>

namespace ingot::jinja {

bool is_filter(std::string_view name);
bool is_test(std::string_view name);
// Of Jinja, but not done here.
bool is_other_filter(std::string_view name);

}  // namespace ingot::jinja
