// The positions and indices a kernel may ask for.
#pragma once
#include <span>
#include <string_view>

namespace ingot::msl {

struct Builtin {
  std::string_view attribute;
  std::string_view call;  // of the Builtins types in the simulator's and CUDA's headers
  bool is_position;       // may have two or three dimensions; otherwise one number
};

std::span<const Builtin> builtins();
const Builtin* find_builtin(std::string_view attribute);  // nullptr if there is none

// 1 for uint and ushort, 2 and 3 for their vectors, 0 for any other type.
int position_dimensions(std::string_view type);

}  // namespace ingot::msl
