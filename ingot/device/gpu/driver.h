// What a GPU driver does. There are three: cuda, metal and sim (the simulator); all that they would repeat lives beside
// this file. Operators never see a driver: they launch kernels through gpu::Stream (ingot/tensor/gpu_stream.h).
//
// One in-order queue a device: whatever is enqueued sees the results of all that was enqueued before. Enqueueing is
// thread-safe and returns at once; a mistake that shows later comes out of the next synchronize().
//
// Errors: kUnsupported for a device that cannot be used, kMemory where memory ran out (naming asked, in use, limit),
// kState for misuse, kDevice with the driver's own words for everything else that it reports.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ingot/base/export.h"
#include "ingot/device/device.h"
#include "ingot/msl/signature.h"

namespace ingot::gpu {

struct Size {
  uint32_t x = 1, y = 1, z = 1;
};

// Raw memory of a device, as the driver hands it out; the allocator (allocator.h) cuts it up.
class INGOT_API Memory {
 public:
  virtual ~Memory() = default;  // waits for, or outlives, what is enqueued and uses it
  virtual size_t bytes() const = 0;
  // Where the GPU sees it (cuda, sim: a pointer; metal: the buffer's gpuAddress).
  virtual uint64_t address() const = 0;
  // Where the CPU sees the same bytes without a copy, or null: unified memory on Apple silicon and the simulator.
  // Reading and writing there needs a synchronize() before.
  virtual void* host() const = 0;
};

// A piece of memory, as a kernel or a copy takes it.
struct Slice {
  const Memory* memory = nullptr;
  size_t offset = 0;
};

// One argument of a launch; `index` is that of [[buffer(n)]] or [[threadgroup(n)]].
struct Binding {
  enum class Kind : uint8_t { kSlice, kValue, kThreadgroup };
  Kind kind;
  int index;
  bool written = false;         // kSlice: the kernel may write there
  Slice slice;                  // kSlice
  const void* value = nullptr;  // kValue: copied by launch()
  size_t bytes = 0;             // kSlice: bytes from slice.offset on that the kernel may touch; else the size
};

// A function constant's value, by its index.
struct Constant {
  int index;
  double value;
  friend bool operator==(const Constant&, const Constant&) = default;
};

// A kernel, compiled for the device with its function constants. Lives as long as its driver.
class INGOT_API Kernel {
 public:
  virtual ~Kernel() = default;
  virtual const msl::KernelSignature& signature() const = 0;
  virtual int max_threads() const = 0;  // in a group, as compiled for this device
};

// Text of kernels that do not come with the build: a user's (gpu_kernel.h).
struct KernelText {
  std::string name;  // for messages
  std::string metal;
  std::string cuda;
  std::vector<msl::KernelSignature> signatures;
};

struct Launch {
  const Kernel* kernel;
  Size groups, threads;               // groups in the grid, threads in a group
  std::span<const Binding> bindings;  // one for each buffer of the signature that is not optional
};

// Recorded launches and copies of device memory, to be run again; their memory must live on.
class INGOT_API Recording {
 public:
  virtual ~Recording() = default;
  virtual size_t launches() const = 0;
};

class INGOT_API Event {
 public:
  virtual ~Event() = default;
  virtual bool done() const = 0;
};

struct Counters {
  size_t total_bytes;   // of the device
  size_t free_bytes;    // as the driver says; shared with others
  size_t driver_bytes;  // handed out by this driver object (Memory that lives)
};

class INGOT_API Driver {
 public:
  virtual ~Driver() = default;
  virtual Device device() const = 0;
  virtual std::string description() const = 0;  // "NVIDIA H200, 139.8 GiB, driver 580.65, compute 9.0"
  virtual bool unified_memory() const = 0;      // Memory::host() is never null

  // Fresh memory, at least 256-byte aligned, contents undefined. Error kMemory if the device has none left.
  virtual std::unique_ptr<Memory> allocate(size_t bytes) = 0;
  // The CPU's bytes seen by the GPU without a copy, or null where the device cannot do that; page-aligned address and
  // size. The bytes must outlive the result.
  virtual std::unique_ptr<Memory> wrap_host(void* data, size_t bytes) = 0;
  virtual Counters counters() const = 0;

  // The kernel of that host name, compiled on first use and kept. `constants` in order of their index. Error kArgument
  // for an unknown name or a missing constant, kDevice with the compiler's log for a text that does not compile.
  virtual const Kernel& kernel(std::string_view host_name, std::span<const Constant> constants) = 0;
  virtual const Kernel& user_kernel(const std::shared_ptr<const KernelText>& text, std::string_view host_name,
                                    std::span<const Constant> constants) = 0;

  virtual void launch(const Launch& launch) = 0;
  virtual void copy(Slice from, Slice to, size_t bytes) = 0;          // on the device; ranges must not overlap
  virtual void upload(const void* from, Slice to, size_t bytes) = 0;  // `from` may change after the return
  virtual void download(Slice from, void* to, size_t bytes) = 0;      // waits for what came before
  virtual void fill(Slice to, uint8_t value, size_t bytes) = 0;
  // Waits for everything enqueued. Throws what went wrong since the last call.
  virtual void synchronize() = 0;

  virtual std::unique_ptr<Event> record_event() = 0;
  virtual double seconds_between(const Event& from, const Event& to) = 0;  // waits for `to`

  // Between the two, launches, copies and fills of this thread are recorded and not run; uploads and downloads are an
  // Error kState. Two recorded launches run in order where one writes what the other touches, and may overlap
  // otherwise.
  virtual void begin_recording() = 0;
  virtual std::unique_ptr<Recording> end_recording() = 0;
  virtual void cancel_recording() = 0;  // after an error; harmless without a recording
  virtual void replay(const Recording& recording) = 0;
};

// The driver of a device, made on first use and kept. Error kUnsupported with availability()'s reason and advice.
INGOT_API Driver& driver(Device device);

}  // namespace ingot::gpu
