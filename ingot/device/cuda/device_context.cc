#include "ingot/device/cuda/device_context.h"

#include "ingot/base/strings.h"

namespace ingot::cuda {
namespace {

// Results that leave the context broken for good, as CUDA's documentation lists them.
bool is_fault(Result result) {
  switch (result) {
    case 214:  // ECC_UNCORRECTABLE
    case 220:  // NVLINK_UNCORRECTABLE
    case kIllegalAddress:
    case 702:  // LAUNCH_TIMEOUT
    case 710:  // ASSERT
    case 714:  // HARDWARE_STACK_ERROR
    case 715:  // ILLEGAL_INSTRUCTION
    case 716:  // MISALIGNED_ADDRESS
    case 717:  // INVALID_ADDRESS_SPACE
    case 718:  // INVALID_PC
    case 719:  // LAUNCH_FAILED
      return true;
    default:
      return false;
  }
}

}  // namespace

void fail_cuda(const Api& api, std::string_view where, Result result, const std::string& doing) {
  const ErrorKind kind = result == kOutOfMemory ? ErrorKind::kMemory : ErrorKind::kDevice;
  ingot::fail(kind, where, cat(doing, ": ", describe(api, result)));
}

DeviceContext::DeviceContext(const Api& api, int index) : api_(api), index_(index) {
  check(api.init(0), "starting CUDA");
  check(api.driver_get_version(&driver_version_), "asking for the driver's version");
  check(api.device_get(&device_, index), "looking for the device");
  char name[256] = {};
  check(api.device_get_name(name, sizeof name - 1, device_), "asking for the device's name");
  name_ = name;
  check(api.device_total_mem(&total_bytes_, device_), "asking for the device's memory");
  compute_capability_ = attribute(kComputeCapabilityMajor) * 10 + attribute(kComputeCapabilityMinor);
  max_shared_bytes_ = attribute(kMaxSharedMemoryPerBlockOptin);
  check(api.primary_ctx_retain(&handle_, device_), "making a context");
}

// At the end of a process the driver may be gone already; then there is nothing to give back.
DeviceContext::~DeviceContext() { api_.primary_ctx_release(device_); }

int DeviceContext::attribute(int which) const {
  int value = 0;
  check(api_.device_get_attribute(&value, which, device_), "asking for attribute ", which);
  return value;
}

void DeviceContext::fail(Result result, const std::string& doing) const {
  if (faulted_.load()) fail_faulted();
  const std::string where = cat("cuda:", index_);
  if (!is_fault(result)) fail_cuda(api_, where, result, doing);
  const std::string* kernel = last_launched_.load();
  std::string what = cat(doing, ": ", describe(api_, result), "; ");
  what += kernel ? cat("the last kernel launched was ", *kernel,
                       " (the fault is there or before; INGOT_CUDA_SYNC=1 tells which)")
                 : std::string("no kernel had been launched");
  {
    const std::lock_guard lock(fault_mutex_);
    if (fault_.empty()) fault_ = what;
    faulted_.store(true);
  }
  ingot::fail(ErrorKind::kDevice, where, cat(what, "; the device cannot be used any more by this process"));
}

void DeviceContext::fail_faulted() const {
  const std::lock_guard lock(fault_mutex_);
  ingot::fail(ErrorKind::kDevice, cat("cuda:", index_),
              cat("cannot be used any more by this process, since an earlier call failed: ", fault_));
}

}  // namespace ingot::cuda
