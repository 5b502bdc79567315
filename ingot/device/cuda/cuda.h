// The CUDA devices of this machine: whether they can be used and why not, and their drivers.
#pragma once
#include <memory>
#include <optional>
#include <string>

#include "ingot/device/device.h"
#include "ingot/device/gpu/driver.h"

namespace ingot::cuda {

// Never throws; starts CUDA, but makes no context.
Availability cuda_availability(int index);

// Error kUnsupported with the reason and advice of cuda_availability, kDevice for what CUDA reports.
std::unique_ptr<gpu::Driver> make_cuda_driver(int index);

// What the answer is made from, as probe() finds it and tests make it up.
struct Facts {
  int index = 0;                               // asked for
  bool kernel_driver = false;                  // the kernel knows of an NVIDIA GPU: /proc/driver/nvidia
  std::string library_error;                   // why libcuda cannot be used; the rest is then unknown
  int start_result = 0;                        // of cuInit
  std::string start_error;                     // in CUDA's words
  int driver_version = 0;                      // 13000: CUDA 13.0 is the newest that the driver knows
  std::optional<std::string> visible_devices;  // CUDA_VISIBLE_DEVICES
  int devices = 0;
  std::string device_name;  // of the device asked for, if it exists
  size_t device_bytes = 0;
  int compute_capability = 0;  // 90 for 9.0
  std::string compiler;        // version of NVRTC, "13.0"; empty if it cannot be used:
  std::string compiler_error;  // why
};
Facts probe(int index);
Availability explain(const Facts& facts);

inline constexpr int kOldestDriver = 12000;   // cuLaunchKernelEx and what CUDA 12's compiler writes
inline constexpr int kOldestCapability = 80;  // bfloat16 and the matrix instructions of tile.h

}  // namespace ingot::cuda
