// Whether a GPU device can be used, judged from facts. Those of CUDA are in ingot/device/cuda/cuda.h. Tests make facts
// up, so that every reason is seen on every machine.
#pragma once
#include <string>

#include "ingot/device/device.h"

namespace ingot::gpu {

// What stands between this process and Metal, in the order it is looked for.
struct MetalFacts {
  bool built_in = false;
  int macos_major = 0, macos_minor = 0;
  bool apple_silicon = false;
  bool device = false;        // the system gives one: not in some sandboxes, nor over ssh while nobody is logged in
  std::string library_error;  // why the kernels do not compile there
  bool queue = false;
  std::string description;
};

struct SimFacts {
  size_t kernels = 0;
};

inline constexpr int kOldestMacos = 15;

// `reason` and `advice` as Availability says.
Availability explain(const MetalFacts& facts);
Availability explain(const SimFacts& facts);

// Of a device that is not the CPU, on this machine and in this build.
Availability gpu_availability(Device device);

}  // namespace ingot::gpu
