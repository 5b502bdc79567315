// A mistake in kernel text, at the place the author wrote it.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "ingot/base/export.h"

namespace ingot::msl {

struct Place {
  std::string file;
  int line = 0;
};

struct Diagnostic {
  Place place;
  int rule = 0;         // its number in docs/kernels.md; 0: not a rule of the dialect, but text that cannot be read
  std::string message;  // what is wrong and what to write instead
  bool house = false;   // correct Metal that Ingot's own kernels avoid; users' kernels may do it
};

// "file:line: error: message [rule 3]"
INGOT_API std::string to_text(const Diagnostic& diagnostic);
INGOT_API std::string to_text(const std::vector<Diagnostic>& diagnostics);  // one a line

}  // namespace ingot::msl
