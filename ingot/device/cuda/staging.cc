#include "ingot/device/cuda/staging.h"

#include <algorithm>
#include <cstring>

#include "ingot/device/cpu/thread_pool.h"

namespace ingot::cuda {
namespace {

constexpr size_t kAlignment = 256;
constexpr int64_t kBytesPerThread = int64_t{512} << 10;  // one core alone copies slower than PCIe carries

void copy_in_parallel(char* to, const char* from, size_t bytes) {
  parallel_for(int64_t(bytes), kBytesPerThread,
               [&](int64_t begin, int64_t end) { std::memcpy(to + begin, from + begin, size_t(end - begin)); });
}

}  // namespace

Staging::Staging(const DeviceContext& device, size_t slot_bytes, int slots)
    : device_(device), slot_bytes_(slot_bytes), slots_(size_t(slots)) {}

Staging::~Staging() {
  for (const Slot& slot : slots_) {
    if (slot.copied) device_.api().event_destroy(slot.copied);
    if (slot.bytes) device_.api().mem_free_host(slot.bytes);
  }
}

void Staging::prepare() {
  Slot& slot = slots_[current_];
  if (slot.bytes) return;
  if (!slot.copied) {
    device_.check(device_.api().event_create(&slot.copied, kEventDisableTiming), "making an event for uploads");
  }
  void* memory = nullptr;
  device_.check(device_.api().mem_host_alloc(&memory, slot_bytes_, 0), "page-locking ",
                human_bytes(double(slot_bytes_)), " for uploads");
  slot.bytes = static_cast<char*>(memory);
}

// Leaves the slot that is full and waits until the next one has been read.
void Staging::next_slot(Stream stream) {
  device_.check(device_.api().event_record(slots_[current_].copied, stream), "marking an upload");
  current_ = (current_ + 1) % slots_.size();
  used_ = 0;
  if (slots_[current_].bytes) {
    device_.check(device_.api().event_synchronize(slots_[current_].copied), "waiting for an upload");
  }
}

void Staging::upload(const void* from, Address to, size_t bytes, Stream stream) {
  for (auto* next = static_cast<const char*>(from); bytes > 0;) {
    if (used_ + std::min(bytes, kAlignment) > slot_bytes_) next_slot(stream);
    prepare();
    const size_t piece = std::min(bytes, slot_bytes_ - used_);
    char* staged = slots_[current_].bytes + used_;
    copy_in_parallel(staged, next, piece);
    device_.check(device_.api().memcpy_to_device(to, staged, piece, stream), "uploading ", piece, " bytes");
    used_ += (piece + kAlignment - 1) / kAlignment * kAlignment;
    next += piece, to += piece, bytes -= piece;
  }
}

}  // namespace ingot::cuda
