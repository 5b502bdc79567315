// Which drivers this build has, and one driver and allocator of each device that is used.
#include <map>
#include <mutex>

#include "ingot/base/error.h"
#include "ingot/device/cuda/cuda.h"
#include "ingot/device/gpu/allocator.h"
#include "ingot/device/gpu/availability.h"
#include "ingot/device/gpu/sim/sim_driver.h"
#include "ingot/device/sim/sim.h"
#include "ingot/msl/embedded.h"

namespace ingot::gpu {

namespace {

struct Entry {
  std::unique_ptr<Driver> driver;
  std::unique_ptr<Allocator> allocator;
};

Entry make_entry(Device device) {
  if (device.is_cpu()) fail(ErrorKind::kUnsupported, name(device), "the CPU has no GPU driver");
  Availability a = gpu_availability(device);
  if (!a.available) fail(ErrorKind::kUnsupported, name(device), cat(a.reason, "; ", a.advice));
  const bool sim = device.kind == DeviceKind::kSim;
  Entry e;
  e.driver = sim ? make_sim_driver() : cuda::make_cuda_driver(device.index);
  e.allocator = std::make_unique<Allocator>(*e.driver, sim ? Allocator::Blocks::kExact : Allocator::Blocks::kCut);
  return e;
}

// Never destroyed: tensors of static lifetime may be freed after everything else.
Entry& entry(Device device) {
  static auto* mutex = new std::mutex;
  static auto* entries = new std::map<std::pair<int, int>, Entry>;
  std::lock_guard lock(*mutex);
  std::pair key{int(device.kind), device.index};
  auto it = entries->find(key);
  if (it == entries->end()) it = entries->emplace(key, make_entry(device)).first;
  return it->second;
}

}  // namespace

Availability gpu_availability(Device device) {
  switch (device.kind) {
    case DeviceKind::kCuda:
      return cuda::cuda_availability(device.index);
    case DeviceKind::kMetal:
      return explain(MetalFacts{});  // no driver of it in this build
    default:
      msl::link_sim_kernels();
      return explain(SimFacts{sim::kernels().size()});
  }
}

Driver& driver(Device device) { return *entry(device).driver; }
Allocator& allocator(Device device) { return *entry(device).allocator; }

}  // namespace ingot::gpu
