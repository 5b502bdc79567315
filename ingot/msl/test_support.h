// Small kernels for tests.
#pragma once
#include <map>
#include <string>

#include "ingot/msl/msl.h"

namespace ingot::msl {

using Files = std::map<std::string, std::string>;

inline Module read_text(const std::string& text, const Files& files = {}) {
  return read("ingot/test.metal", text, [&](const std::string& path) -> std::optional<std::string> {
    const auto found = files.find(path);
    if (found == files.end()) return std::nullopt;
    return found->second;
  });
}

// One kernel `k` with the given parameters, before a position, and the given body on line 3.
inline std::string one_kernel(const std::string& parameters, const std::string& body) {
  return "[[kernel, max_total_threads_per_threadgroup(32)]]\nvoid k(" + parameters + (parameters.empty() ? "" : ", ") +
         "uint i [[thread_position_in_grid]]) {\n" + body + "\n}\n";
}

}  // namespace ingot::msl
