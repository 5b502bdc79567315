// Transfers through memory that the GPU's copy engine reaches by itself: page-locked slots, filled and emptied by
// several cores while the engine works on others. Downloads come twice as fast as CUDA alone brings them into ordinary
// memory.
#pragma once
#include <vector>

#include "ingot/device/cuda/device_context.h"

namespace ingot::cuda {

// Serves one direction: an instance is used for uploads or for downloads. Not thread-safe; the context must be current
// in every call. Memory is taken as slots are first used.
class Staging {
 public:
  Staging(const DeviceContext& device, size_t slot_bytes, int slots);
  ~Staging();
  Staging(const Staging&) = delete;
  Staging& operator=(const Staging&) = delete;

  // Enqueues; the bytes may change after the return. Small uploads share a slot. Waits only while every slot is still
  // being read.
  void upload(const void* from, Address to, size_t bytes, Stream stream);

  // Enqueues and waits.
  void download(Address from, void* to, size_t bytes, Stream stream);

 private:
  struct Slot {
    char* bytes = nullptr;
    EventHandle moved = nullptr;  // the last copy out of it or into it
  };
  void prepare(Slot& slot) const;
  void mark(const Slot& slot, Stream stream) const;
  void wait(const Slot& slot) const;
  void next_slot(Stream stream);

  const DeviceContext& device_;
  size_t slot_bytes_;
  std::vector<Slot> slots_;
  size_t current_ = 0, used_ = 0;  // of uploads
};

}  // namespace ingot::cuda
