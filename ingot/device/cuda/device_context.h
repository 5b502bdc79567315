// A GPU as this process holds it: its primary context (shared with whatever else in the process uses CUDA) and what has
// gone wrong with it. Memory, events and recordings hold a reference, so that they may outlive the driver.
#pragma once
#include <atomic>
#include <mutex>
#include <new>
#include <string>
#include <string_view>

#include "ingot/base/error.h"
#include "ingot/device/cuda/cuda_api.h"

namespace ingot::cuda {

// "<where>: <doing>: CUDA_ERROR_... (n): text"; kMemory where the device or the host ran out of it, else kDevice.
[[noreturn]] void fail_cuda(const Api& api, std::string_view where, Result result, const std::string& doing);

class DeviceContext {
 public:
  // Error kDevice with CUDA's words if there is no such device or it cannot be used.
  DeviceContext(const Api& api, int index);
  ~DeviceContext();
  DeviceContext(const DeviceContext&) = delete;
  DeviceContext& operator=(const DeviceContext&) = delete;

  const Api& api() const { return api_; }
  int index() const { return index_; }
  const std::string& name() const { return name_; }  // "NVIDIA H200"
  size_t total_bytes() const { return total_bytes_; }
  int compute_capability() const { return compute_capability_; }  // 90 for 9.0
  int driver_version() const { return driver_version_; }          // 13000: the newest CUDA that the driver knows
  int max_shared_bytes() const { return max_shared_bytes_; }      // of one group, once asked for
  Context handle() const { return handle_; }

  // Throws unless the call succeeded; what was being done is put together only then. After a fault of the device (an
  // illegal address, ...) nothing of this process works there any more: every later check throws that first error.
  template <class... Doing>
  void check(Result result, const Doing&... doing) const {
    if (result != kSuccess) [[unlikely]]
      fail(result, cat(doing...));
    if (faulted_.load(std::memory_order_relaxed)) [[unlikely]]
      fail_faulted();
  }
  void require_usable() const { check(kSuccess); }

  // The kernel that a fault is looked for in first; `name` must live on.
  void launched(const std::string& name) const { last_launched_.store(&name, std::memory_order_relaxed); }
  void forget_launches() const { last_launched_.store(nullptr, std::memory_order_relaxed); }

 private:
  [[noreturn]] void fail(Result result, const std::string& doing) const;
  [[noreturn]] void fail_faulted() const;
  int attribute(int which) const;

  const Api& api_;
  int index_;
  DeviceId device_ = 0;
  Context handle_ = nullptr;
  std::string name_;
  size_t total_bytes_ = 0;
  int compute_capability_ = 0, driver_version_ = 0, max_shared_bytes_ = 0;

  mutable std::atomic<const std::string*> last_launched_{nullptr};
  mutable std::atomic<bool> faulted_{false};
  mutable std::mutex fault_mutex_;
  mutable std::string fault_;
};

// Makes the context current for this thread while it lives, and then the one that was.
class CurrentContext {
 public:
  explicit CurrentContext(const DeviceContext& device) : CurrentContext(device, std::nothrow) {
    device.check(result_, "making the context current");
  }
  // For destructors: a driver that is gone at the end of the process has nothing to free.
  CurrentContext(const DeviceContext& device, std::nothrow_t) noexcept : api_(device.api()) {
    if (api_.ctx_get_current(&before_) != kSuccess) before_ = nullptr;
    if (before_ != device.handle()) result_ = api_.ctx_set_current(device.handle()), changed_ = true;
  }
  ~CurrentContext() {
    if (changed_) api_.ctx_set_current(before_);
  }
  CurrentContext(const CurrentContext&) = delete;
  CurrentContext& operator=(const CurrentContext&) = delete;

 private:
  const Api& api_;
  Context before_ = nullptr;
  Result result_ = kSuccess;
  bool changed_ = false;
};

}  // namespace ingot::cuda
