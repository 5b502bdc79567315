// Any text: reading, checking and emitting give an Error or text, and what is written for one compiler has the lines of
// what was read. Headers are the text's own: every include finds the part behind a zero byte.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "ingot/base/error.h"
#include "ingot/msl/embed.h"
#include "ingot/msl/msl.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace ingot;
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const size_t cut = std::min(input.find('\0'), size);
  const std::string header(input.substr(std::min(cut + 1, size)));
  try {
    const msl::Module module =
        msl::read("fuzz.metal", input.substr(0, cut), [&](const std::string&) { return header; });
    for (const msl::Diagnostic& diagnostic : msl::check(module)) {
      if (diagnostic.place.line < 1 || diagnostic.message.empty()) __builtin_trap();
    }
    msl::to_json(msl::signatures(module));
    const auto lines = [](const std::string& text) { return std::count(text.begin(), text.end(), '\n'); };
    const std::string metal = msl::emit_metal(module);
    const std::string strict = msl::emit_strict(module);
    if (lines(strict) < lines(metal)) __builtin_trap();
    msl::emit_sim(module);
    msl::emit_cuda(module);
    msl::embed({module}, {{"header.h", header}}, true);
  } catch (const Error&) {
  }
  return 0;
}
