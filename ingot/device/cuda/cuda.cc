#include "ingot/device/cuda/cuda.h"

#include <cstdlib>
#include <filesystem>

#include "ingot/base/error.h"
#include "ingot/device/cuda/cuda_driver.h"

namespace ingot::cuda {
namespace {

constexpr Result kSystemDriverMismatch = 803;  // the kernel's module and libcuda are of different versions

// The compiler is opened once for the process: it is large, and all GPUs share it.
std::shared_ptr<const Nvrtc> compiler(int driver_version, std::string& why) {
  struct Opened {
    std::string why;
    std::shared_ptr<const Nvrtc> nvrtc;
    explicit Opened(int version) : nvrtc(Nvrtc::open(version, why)) {}
  };
  static const Opened opened(driver_version);
  why = opened.why;
  return opened.nvrtc;
}

void ask_device(const Api& api, Facts& facts) {
  DeviceId device = 0;
  int major = 0, minor = 0;
  char name[256] = {};
  if (facts.index < 0 || facts.index >= facts.devices || api.device_get(&device, facts.index) != kSuccess) return;
  api.device_get_name(name, sizeof name - 1, device);
  api.device_total_mem(&facts.device_bytes, device);
  api.device_get_attribute(&major, kComputeCapabilityMajor, device);
  api.device_get_attribute(&minor, kComputeCapabilityMinor, device);
  facts.device_name = name;
  facts.compute_capability = major * 10 + minor;
}

Availability no(std::string reason, std::string advice) { return {false, std::move(reason), std::move(advice)}; }

Availability explain_no_library(const Facts& facts) {
  const std::string reason = facts.library_error;
  if (facts.kernel_driver) {
    return no(reason,
              "the kernel has an NVIDIA driver, so this is likely a container: start it with --gpus all, or put "
              "the folder of libcuda.so.1 into LD_LIBRARY_PATH");
  }
  return no(reason, "install NVIDIA's driver, version 525 or newer, if this machine has an NVIDIA GPU");
}

Availability explain_no_device(const Facts& facts) {
  if (facts.visible_devices) {
    return no(cat("CUDA_VISIBLE_DEVICES=", ingot::quoted(*facts.visible_devices), " hides every GPU"),
              "unset CUDA_VISIBLE_DEVICES, or name the GPUs to use in it");
  }
  return no("the CUDA driver sees no GPU",
            facts.kernel_driver ? "look for the GPU with nvidia-smi; in a container, start it with --gpus all"
                                : "load NVIDIA's kernel module (modprobe nvidia) and look with nvidia-smi");
}

Availability explain_start(const Facts& facts) {
  if (facts.start_result == kNoDevice) return explain_no_device(facts);
  return no(cat("CUDA does not start: ", facts.start_error),
            facts.start_result == kSystemDriverMismatch
                ? "restart the machine, so that the kernel's driver and its library are of one version"
                : "look with nvidia-smi whether the driver works");
}

Availability explain_index(const Facts& facts) {
  std::string reason = cat("there is no device ", facts.index, ": CUDA sees ", facts.devices,
                           facts.devices == 1 ? " GPU" : " GPUs", ", numbered from 0");
  if (facts.visible_devices) reason += cat(" (CUDA_VISIBLE_DEVICES=", ingot::quoted(*facts.visible_devices), ")");
  return no(std::move(reason), facts.visible_devices ? "use a smaller number, or name more GPUs in CUDA_VISIBLE_DEVICES"
                                                     : "use a smaller number");
}

}  // namespace

Facts probe(int index) {
  Facts facts;
  facts.index = index;
  std::error_code error;
  facts.kernel_driver = std::filesystem::exists("/proc/driver/nvidia", error);
  if (const char* visible = std::getenv("CUDA_VISIBLE_DEVICES")) facts.visible_devices = visible;
  const Api* api = cuda_api(&facts.library_error);
  if (!api) return facts;
  api->driver_get_version(&facts.driver_version);
  facts.start_result = api->init(0);
  if (facts.start_result != kSuccess) {
    facts.start_error = describe(*api, facts.start_result);
    return facts;
  }
  api->device_get_count(&facts.devices);
  ask_device(*api, facts);
  if (const auto nvrtc = compiler(facts.driver_version, facts.compiler_error)) facts.compiler = nvrtc->version();
  return facts;
}

Availability explain(const Facts& facts) {
  if (!facts.library_error.empty()) return explain_no_library(facts);
  if (facts.driver_version < kOldestDriver) {
    return no(cat("NVIDIA's driver is too old: it knows CUDA ", version_text(facts.driver_version), ", needed is ",
                  version_text(kOldestDriver)),
              "install NVIDIA's driver, version 525 or newer");
  }
  if (facts.start_result != kSuccess) return explain_start(facts);
  if (facts.devices == 0) return explain_no_device(facts);
  if (facts.index < 0 || facts.index >= facts.devices) return explain_index(facts);
  const std::string capability = cat(facts.compute_capability / 10, '.', facts.compute_capability % 10);
  if (facts.compute_capability < kOldestCapability) {
    return no(cat(facts.device_name, " has compute capability ", capability, ", needed is ", kOldestCapability / 10,
                  '.', kOldestCapability % 10),
              "use a GPU of the Ampere generation (RTX 30, A100) or newer, or --device cpu");
  }
  if (facts.compiler.empty()) {
    const int major = facts.driver_version / 1000;
    return no(
        facts.compiler_error,
        cat("install NVRTC of CUDA 12", major > 12 ? " or 13" : "", ": the CUDA toolkit, Debian's libnvrtc12, or pip ",
            major > 12 ? "install nvidia-cuda-nvrtc" : "install nvidia-cuda-nvrtc-cu12",
            "; INGOT_NVRTC_LIBRARY can name the file libnvrtc.so.", major > 12 ? "13" : "12"));
  }
  return {true,
          cat(facts.device_name, ", ", human_bytes(double(facts.device_bytes)), ", compute ", capability,
              ", driver for CUDA ", version_text(facts.driver_version), ", NVRTC ", facts.compiler),
          ""};
}

Availability cuda_availability(int index) {
  try {
    return explain(probe(index));
  } catch (const std::exception& error) {
    return no(error.what(), "look with nvidia-smi whether the driver works");
  }
}

std::unique_ptr<gpu::Driver> make_cuda_driver(int index) {
  const Availability answer = cuda_availability(index);
  if (!answer.available) {
    fail(ErrorKind::kUnsupported, name(Device{DeviceKind::kCuda, index}), cat(answer.reason, "; ", answer.advice));
  }
  const Api& api = *cuda_api();
  int driver_version = 0;
  std::string why;
  api.driver_get_version(&driver_version);
  return std::make_unique<CudaDriver>(api, index, compiler(driver_version, why),
                                      CubinCache(CubinCache::default_folder()));
}

}  // namespace ingot::cuda
