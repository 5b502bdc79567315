// For tests: INGOT_QUICK_TESTS=1 asks for a part of the combinations, where each run costs much (emulators, sanitizers,
// the instruction sets below the CPU's own). All of them run once, natively, without it.
#pragma once
#include <cstdlib>

namespace ingot {

inline bool quick_tests() {
  static const bool quick = [] {
    const char* wish = std::getenv("INGOT_QUICK_TESTS");
    return wish && *wish && *wish != '0';
  }();
  return quick;
}

}  // namespace ingot
