// The strict check of one kernel file: the dialect's rules, then clang with real address spaces, then its syntax tree.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "ingot/msl/msl.h"

namespace ingot::msl {

struct StrictCheck {
  std::string clang;    // the program, version 19
  std::string headers;  // the folder ingot/msl/strict
  std::string scratch;  // a folder for intermediate files
};

// Mistakes as lines "file:line: error: ..."; empty for a good kernel. `standard` is c++14 (Metal 3) or c++17 (Metal 4).
// Clang is asked only about modules without mistakes against the dialect. Error kIo if clang cannot be run.
std::vector<std::string> strict_check(const StrictCheck& tools, const Module& module, std::string_view standard);

}  // namespace ingot::msl
