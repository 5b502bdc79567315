// A CUDA without a GPU for tests: memory is the host's, copies are done at once, kernels are written down and do
// nothing.
#pragma once
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "ingot/device/cuda/cuda_driver.h"

namespace ingot::cuda {

struct FakeLaunch {
  std::string kernel;
  LaunchConfig config;
  bool programmatic;
  Stream stream;
  std::vector<std::vector<uint8_t>> arguments;  // their bytes
  template <class T>
  T argument(size_t i) const {
    T value{};
    if (i < arguments.size() && arguments[i].size() == sizeof(T)) std::memcpy(&value, arguments[i].data(), sizeof(T));
    return value;
  }
};

// Only one lives at a time; the table of functions leads to it.
struct FakeCuda {
  FakeCuda();
  ~FakeCuda();
  FakeCuda(const FakeCuda&) = delete;
  FakeCuda& operator=(const FakeCuda&) = delete;

  const Api& api() const;
  const NvrtcApi& nvrtc_api() const;
  std::shared_ptr<const Nvrtc> compiler() const;
  // A driver of device 0 whose kernels are kept in `cache_folder`, or nowhere.
  std::unique_ptr<CudaDriver> driver(const std::string& cache_folder = "") const;

  size_t count(const std::string& call) const;  // how often it was called: "mem_alloc"

  // What the test sets.
  std::map<std::string, Result> fail;  // by call: its result until taken out again
  int compute_capability = 90, driver_version = 13000;
  int max_threads = 1024, static_shared_bytes = 0;
  size_t free_bytes = size_t{1} << 30;
  std::map<std::string, std::vector<size_t>> parameter_bytes;  // of a kernel
  std::string compile_log;                                     // if not empty, texts do not compile

  // What the test sees.
  std::vector<std::string> calls;
  std::vector<FakeLaunch> launches;
  std::vector<std::vector<std::string>> compiled_options;
  std::vector<std::pair<int, int>> function_attributes_set;
  inline static thread_local Context current = nullptr;
  std::map<Stream, bool> capturing;

  // Its own.
  mutable std::mutex mutex;
  std::map<Address, std::vector<char>> memory;
  std::map<Module, std::string> modules;
  std::map<Function, std::string> functions;
  uintptr_t next_handle = 0x1000;
};

// A user's kernels out of Metal text, as they come to the driver.
std::shared_ptr<const gpu::KernelText> kernel_text(const std::string& name, const std::string& metal);

}  // namespace ingot::cuda
