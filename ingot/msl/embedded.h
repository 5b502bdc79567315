// The kernels of this build as text. The tables are written by `ingot-msl embed` (cmake/Kernels.cmake).
#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace ingot::msl {

struct EmbeddedKernels {
  std::string_view name;                    // the file: "ingot/ops/softmax/softmax.metal"
  std::string_view metal;                   // for Apple's compiler, headers inlined
  std::string_view cuda;                    // for NVRTC, with the embedded headers at hand
  std::string_view json;                    // to_json of its signatures
  std::span<const std::string_view> hosts;  // its kernels' names
};

struct EmbeddedHeader {
  std::string_view name;  // as it is included: "msl_cuda.h", "ingot/msl/errors.h"
  std::string_view text;
};

std::span<const EmbeddedKernels> embedded_kernels();
std::span<const EmbeddedHeader> embedded_headers();

// Takes the simulator's translated kernels out of the archive they lie in, so that they register themselves. Calling it
// is enough; it does nothing. Where the build has no simulator, there are none.
void link_sim_kernels();

// The file that holds the kernel of this host name; nullptr if there is none.
inline const EmbeddedKernels* find_embedded_kernel(std::string_view host) {
  for (const EmbeddedKernels& file : embedded_kernels()) {
    for (std::string_view known : file.hosts) {
      if (known == host) return &file;
    }
  }
  return nullptr;
}

// An IncludeReader over the embedded headers: what users' kernels may include.
inline std::optional<std::string> read_embedded_header(const std::string& path) {
  for (const EmbeddedHeader& header : embedded_headers()) {
    if (header.name == path) return std::string(header.text);
  }
  return std::nullopt;
}

}  // namespace ingot::msl
