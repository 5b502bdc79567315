// Uploads through memory that the GPU's copy engine reads by itself: a ring of page-locked slots. The caller's bytes
// are copied there, so that they may change at once while the copy to the device is still under way.
#pragma once
#include <memory>
#include <vector>

#include "ingot/device/cuda/device_context.h"

namespace ingot::cuda {

// Not thread-safe; the context must be current in every call.
class Staging {
 public:
  static constexpr size_t kSlotBytes = size_t{8} << 20;
  static constexpr int kSlots = 4;

  explicit Staging(const DeviceContext& device, size_t slot_bytes = kSlotBytes, int slots = kSlots);
  ~Staging();
  Staging(const Staging&) = delete;
  Staging& operator=(const Staging&) = delete;

  // Enqueues; waits only while every slot is still being read. Memory is taken at the first call.
  void upload(const void* from, Address to, size_t bytes, Stream stream);

 private:
  struct Slot {
    char* bytes = nullptr;
    EventHandle copied = nullptr;  // the last copy out of it
  };
  void prepare();
  void next_slot(Stream stream);

  const DeviceContext& device_;
  size_t slot_bytes_;
  std::vector<Slot> slots_;
  size_t current_ = 0, used_ = 0;
};

}  // namespace ingot::cuda
