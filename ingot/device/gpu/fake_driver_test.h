// A driver for tests: memory on the heap, counted; it runs nothing.
#pragma once
#include <vector>

#include "ingot/base/error.h"
#include "ingot/device/gpu/driver.h"

namespace ingot::gpu {

class FakeDriver : public Driver {
 public:
  size_t capacity = size_t(1) << 30;
  size_t live = 0, allocations = 0, held = 0;

  class HeapMemory : public Memory {
   public:
    HeapMemory(FakeDriver& owner, size_t bytes) : owner_(owner), data_(bytes) {
      owner_.live++;
      owner_.allocations++;
      owner_.held += bytes;
    }
    ~HeapMemory() override {
      owner_.live--;
      owner_.held -= data_.size();
    }
    size_t bytes() const override { return data_.size(); }
    uint64_t address() const override { return reinterpret_cast<uintptr_t>(data_.data()); }
    void* host() const override { return const_cast<char*>(data_.data()); }

   private:
    FakeDriver& owner_;
    std::vector<char> data_;
  };

  Device device() const override { return {DeviceKind::kCuda, 0}; }
  std::string description() const override { return "fake"; }
  bool unified_memory() const override { return true; }
  std::unique_ptr<Memory> allocate(size_t bytes) override {
    if (held + bytes > capacity) fail(ErrorKind::kMemory, "fake", "full");
    return std::make_unique<HeapMemory>(*this, bytes);
  }
  std::unique_ptr<Memory> wrap_host(void*, size_t) override { return nullptr; }
  Counters counters() const override { return {capacity, capacity - held, held}; }
  const Kernel& kernel(std::string_view, std::span<const Constant>) override { unsupported(); }
  const Kernel& user_kernel(const std::shared_ptr<const KernelText>&, std::string_view,
                            std::span<const Constant>) override {
    unsupported();
  }
  void launch(const Launch&) override { unsupported(); }
  void copy(Slice, Slice, size_t) override { unsupported(); }
  void upload(const void*, Slice, size_t) override { unsupported(); }
  void download(Slice, void*, size_t) override { unsupported(); }
  void fill(Slice, uint8_t, size_t) override { unsupported(); }
  void synchronize() override {}
  std::unique_ptr<Event> record_event() override { unsupported(); }
  double seconds_between(const Event&, const Event&) override { unsupported(); }
  void begin_recording() override { unsupported(); }
  std::unique_ptr<Recording> end_recording() override { unsupported(); }
  void cancel_recording() override {}
  void replay(const Recording&) override { unsupported(); }

 private:
  [[noreturn]] static void unsupported() { fail(ErrorKind::kUnsupported, "fake", "runs nothing"); }
};

}  // namespace ingot::gpu
