// Metal text: as written, with the headers in their places.
#include "ingot/base/strings.h"
#include "ingot/msl/emit.h"

namespace ingot::msl {

std::string emit_metal(const Module& module) {
  require_portable(module);
  return cat("#line 1 \"", module.parsed().name, "\"\n", module.parsed().source.text());
}

}  // namespace ingot::msl
