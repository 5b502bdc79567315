#include "ingot/device/cuda/staging.h"

#include <algorithm>
#include <cstring>

#include "ingot/device/cpu/thread_pool.h"

namespace ingot::cuda {
namespace {

constexpr size_t kAlignment = 256;
constexpr size_t kPiece = size_t{1} << 20;               // of a large upload: the engine begins when the first is there
constexpr int64_t kBytesPerThread = int64_t{128} << 10;  // one core alone copies slower than PCIe carries

void copy_in_parallel(char* to, const char* from, size_t bytes) {
  parallel_for(int64_t(bytes), kBytesPerThread,
               [&](int64_t begin, int64_t end) { std::memcpy(to + begin, from + begin, size_t(end - begin)); });
}

}  // namespace

Staging::Staging(const DeviceContext& device, size_t slot_bytes, int slots)
    : device_(device), slot_bytes_(slot_bytes), slots_(size_t(slots)) {}

Staging::~Staging() {
  for (const Slot& slot : slots_) {
    if (slot.moved) device_.api().event_destroy(slot.moved);
    if (slot.bytes) device_.api().mem_free_host(slot.bytes);
  }
}

void Staging::prepare(Slot& slot) const {
  if (slot.bytes) return;
  if (!slot.moved) {
    device_.check(device_.api().event_create(&slot.moved, kEventDisableTiming), "making an event for transfers");
  }
  void* memory = nullptr;
  device_.check(device_.api().mem_host_alloc(&memory, slot_bytes_, 0), "page-locking ",
                human_bytes(double(slot_bytes_)), " for transfers");
  slot.bytes = static_cast<char*>(memory);
}

void Staging::mark(const Slot& slot, Stream stream) const {
  device_.check(device_.api().event_record(slot.moved, stream), "marking a transfer");
}

void Staging::wait(const Slot& slot) const {
  device_.check(device_.api().event_synchronize(slot.moved), "waiting for a transfer");
}

// Leaves the slot that is full and waits until the next one has been read.
void Staging::next_slot(Stream stream) {
  mark(slots_[current_], stream);
  current_ = (current_ + 1) % slots_.size();
  used_ = 0;
  if (slots_[current_].bytes) wait(slots_[current_]);
}

void Staging::upload(const void* from, Address to, size_t bytes, Stream stream) {
  for (auto* next = static_cast<const char*>(from); bytes > 0;) {
    if (used_ + std::min(bytes, kAlignment) > slot_bytes_) next_slot(stream);
    prepare(slots_[current_]);
    const size_t piece = std::min({bytes, slot_bytes_ - used_, kPiece});
    char* staged = slots_[current_].bytes + used_;
    copy_in_parallel(staged, next, piece);
    device_.check(device_.api().memcpy_to_device(to, staged, piece, stream), "uploading ", piece, " bytes");
    used_ += (piece + kAlignment - 1) / kAlignment * kAlignment;
    next += piece, to += piece, bytes -= piece;
  }
}

void Staging::download(Address from, void* to, size_t bytes, Stream stream) {
  const size_t pieces = (bytes + slot_bytes_ - 1) / slot_bytes_;
  const auto size_of = [&](size_t piece) { return std::min(slot_bytes_, bytes - piece * slot_bytes_); };
  for (size_t piece = 0; piece < pieces + slots_.size(); ++piece) {
    Slot& slot = slots_[piece % slots_.size()];
    if (piece >= slots_.size() && piece - slots_.size() < pieces) {  // what was enqueued one round before
      const size_t earlier = piece - slots_.size();
      wait(slot);
      copy_in_parallel(static_cast<char*>(to) + earlier * slot_bytes_, slot.bytes, size_of(earlier));
    }
    if (piece >= pieces) continue;
    prepare(slot);
    device_.check(device_.api().memcpy_to_host(slot.bytes, from + piece * slot_bytes_, size_of(piece), stream),
                  "downloading ", size_of(piece), " bytes");
    mark(slot, stream);
  }
}

}  // namespace ingot::cuda
