// Bytes on a device: owned (allocated here), borrowed or mapped (kept alive by `owner`). Memory of a GPU is freed in
// the order of its stream: what was enqueued before still finds it.
#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "ingot/base/export.h"
#include "ingot/device/device.h"

namespace ingot::gpu {
class Allocation;
struct Slice;
}  // namespace ingot::gpu

namespace ingot {

class INGOT_API Storage {
 public:
  // Freshly allocated, contents undefined. Errors as cpu_allocate() and gpu::driver(), gpu::Allocator::allocate().
  static std::shared_ptr<Storage> allocate(size_t bytes, Device device = kCpu);
  // Bytes of somebody else; `owner` (may be null) is released with the storage. read_only marks a mapped file: in-place
  // operators refuse it.
  static std::shared_ptr<Storage> borrow(void* data, size_t bytes, std::shared_ptr<void> owner, Device device = kCpu,
                                         bool read_only = false);
  ~Storage();
  Storage(const Storage&) = delete;
  Storage& operator=(const Storage&) = delete;

  void* data() const { return data_; }  // null on a GPU, also where the CPU could reach its memory
  gpu::Slice slice() const;  // where the bytes are on their GPU; without memory for the CPU's and for 0 bytes
  size_t bytes() const { return bytes_; }
  Device device() const { return device_; }
  bool read_only() const { return read_only_; }
  // Counts writes, so that a tensor saved for the backward pass and changed since is noticed.
  uint64_t version() const { return version_.load(std::memory_order_relaxed); }
  void bump_version() { version_.fetch_add(1, std::memory_order_relaxed); }

 private:
  Storage();
  void* data_ = nullptr;
  size_t bytes_ = 0;
  Device device_;
  bool owned_ = false, read_only_ = false;
  std::shared_ptr<void> owner_;
  std::unique_ptr<gpu::Allocation> gpu_;
  std::atomic<uint64_t> version_{0};
};

}  // namespace ingot
