// generation_config.json, then stop strings over the same bytes in two divisions, which must agree.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "ingot/base/error.h"
#include "ingot/text/sampler.h"
#include "ingot/text/stop_matcher.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace ingot;
  std::string_view input(reinterpret_cast<const char*>(data), size);
  try {
    Sampler sampler(sampling_from_generation_config(input));
    const float row[] = {1, -2, 0.5f, 1};
    for (int i = 0; i < 4; i++) sampler.sample(row);
  } catch (const Error&) {
  }
  if (size < 3) return 0;
  size_t a = 1 + data[0] % 6, b = 1 + data[1] % 6;
  if (size < 2 + a + b) return 0;
  std::vector<std::string> stops = {std::string(input.substr(2, a)), std::string(input.substr(2 + a, b))};
  std::string_view text = input.substr(2 + a + b);
  StopMatcher whole(stops), bytewise(stops);
  std::string one = whole.push(text).text + whole.finish(), other;
  for (char c : text) other += bytewise.push(std::string_view(&c, 1)).text;
  other += bytewise.finish();
  if (one != other || whole.stopped() != bytewise.stopped()) __builtin_trap();
  for (const std::string& stop : stops) {
    if (one.find(stop) != std::string::npos) __builtin_trap();
  }
  return 0;
}
