#include "ingot/msl/diagnostic.h"

#include "ingot/base/strings.h"

namespace ingot::msl {

std::string to_text(const Diagnostic& diagnostic) {
  std::string text = cat(diagnostic.place.file, ":", diagnostic.place.line, ": error: ", diagnostic.message);
  if (diagnostic.rule != 0) text += cat(" [rule ", diagnostic.rule, "]");
  return text;
}

std::string to_text(const std::vector<Diagnostic>& diagnostics) {
  std::string text;
  for (const Diagnostic& diagnostic : diagnostics) text += to_text(diagnostic) + "\n";
  return text;
}

}  // namespace ingot::msl
