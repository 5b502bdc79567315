#include "ingot/tensor/storage.h"

#include "ingot/base/error.h"
#include "ingot/device/cpu/memory.h"
#include "ingot/device/gpu/allocator.h"

namespace ingot {

Storage::Storage() = default;

std::shared_ptr<Storage> Storage::allocate(size_t bytes, Device device) {
  std::shared_ptr<Storage> s(new Storage);
  if (device.is_cpu()) {
    s->data_ = cpu_allocate(bytes);
    s->owned_ = true;
  } else {
    s->gpu_ = std::make_unique<gpu::Allocation>(gpu::allocator(device).allocate(bytes));
  }
  s->bytes_ = bytes;
  s->device_ = device;
  return s;
}

std::shared_ptr<Storage> Storage::borrow(void* data, size_t bytes, std::shared_ptr<void> owner, Device device,
                                         bool read_only) {
  if (!data && bytes > 0) fail_argument("borrowed memory", "data", cat("a pointer to ", bytes, " bytes"), "null");
  std::shared_ptr<Storage> s(new Storage);
  s->data_ = data;
  s->bytes_ = bytes;
  s->device_ = device;
  s->owner_ = std::move(owner);
  s->read_only_ = read_only;
  return s;
}

gpu::Slice Storage::slice() const { return gpu_ ? gpu_->slice() : gpu::Slice{}; }

Storage::~Storage() {
  if (owned_) cpu_free(data_);
}

}  // namespace ingot
