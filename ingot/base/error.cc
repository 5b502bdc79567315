#include "ingot/base/error.h"

namespace ingot {

void fail_argument(std::string_view where, std::string_view what, std::string_view expected, std::string_view got) {
  throw Error(ErrorKind::kArgument, cat(where, ": ", what, ": expected ", expected, ", got ", got));
}

void fail(ErrorKind kind, std::string_view where, std::string_view message) {
  throw Error(kind, cat(where, ": ", message));
}

}  // namespace ingot
