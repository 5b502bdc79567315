// Writes kernels and headers into a C++ source, for the run-time compilers; ingot/msl/embedded.h declares what comes
// out.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "ingot/msl/msl.h"

namespace ingot::msl {

struct EmbeddedText {
  std::string name;  // "ingot/ops/softmax/softmax.metal", "msl_cuda.h"
  std::string text;
};

// `modules` become entries with their Metal text, CUDA text and signatures; `headers` stay as they are. With `with_sim`
// the source also names the simulator's objects of the same kernels. Error kFormat where two kernels have one host
// name.
std::string embed(const std::vector<Module>& modules, const std::vector<EmbeddedText>& headers, bool with_sim);

}  // namespace ingot::msl
