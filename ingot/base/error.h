// The one exception type. A message says where (operator, file or function), what (argument, tensor, key), what was
// expected and what came: "softmax: dim: expected a value in [-3, 3), got 5".
#pragma once
#include <stdexcept>
#include <string>
#include <string_view>

#include "ingot/base/export.h"
#include "ingot/base/strings.h"

namespace ingot {

enum class ErrorKind {
  kArgument,     // the caller's argument: shape, dtype, range
  kIndex,        // an index outside its axis
  kUnsupported,  // valid, but not done by this device, dtype or build; the message names it
  kFormat,       // a file or text from outside that breaks its format
  kIo,           // the operating system refused: open, read, write, map
  kMemory,       // does not fit in memory or in the budget
  kState,        // called at the wrong time, or a saved tensor changed in place
  kDevice,       // a device, its driver or its compiler reported a fault
};

class INGOT_API Error : public std::runtime_error {
 public:
  Error(ErrorKind kind, const std::string& message) : std::runtime_error(message), kind_(kind) {}
  ErrorKind kind() const { return kind_; }

 private:
  ErrorKind kind_;
};

// "where: what: expected E, got G"
[[noreturn]] INGOT_API void fail_argument(std::string_view where, std::string_view what, std::string_view expected,
                                          std::string_view got);
// "where: message"
[[noreturn]] INGOT_API void fail(ErrorKind kind, std::string_view where, std::string_view message);

}  // namespace ingot
