// For tests: what an Error said.
#pragma once
#include <string>

#include "ingot/base/error.h"

namespace ingot {

// The message of the Error that f throws; "no error" if it throws none.
template <class F>
std::string message_of(F&& f) {
  try {
    f();
  } catch (const Error& e) {
    return e.what();
  }
  return "no error";
}

}  // namespace ingot
