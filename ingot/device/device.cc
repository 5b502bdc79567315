#include "ingot/device/device.h"

#include <charconv>

#include "ingot/base/error.h"
#include "ingot/device/cpu/isa.h"
#include "ingot/device/gpu/availability.h"

namespace ingot {

std::string name(Device d) {
  switch (d.kind) {
    case DeviceKind::kCpu:
      return "cpu";
    case DeviceKind::kCuda:
      return cat("cuda:", d.index);
    case DeviceKind::kMetal:
      return "metal";
    default:
      return "sim";
  }
}

Device device_from_name(std::string_view text) {
  if (text == "cpu") return kCpu;
  if (text == "metal" || text == "mps") return {DeviceKind::kMetal, 0};
  if (text == "sim") return {DeviceKind::kSim, 0};
  if (text == "cuda") return {DeviceKind::kCuda, 0};
  if (text.starts_with("cuda:")) {
    int index = 0;
    const char *begin = text.data() + 5, *end = text.data() + text.size();
    auto [stop, error] = std::from_chars(begin, end, index);
    if (error == std::errc{} && stop == end && index >= 0) return {DeviceKind::kCuda, index};
  }
  fail_argument("device", "name", "cpu, cuda, cuda:N, metal (mps) or sim", quoted(text));
}

Availability availability(Device d) {
  if (d.is_cpu()) {
    const CpuInfo& info = cpu_info();
    return {true, cat(info.model, ", ", info.logical_cores, " cores, kernels for ", name(cpu_isa())), ""};
  }
  return gpu::gpu_availability(d);
}

std::vector<Device> known_devices() {
  return {kCpu, {DeviceKind::kCuda, 0}, {DeviceKind::kMetal, 0}, {DeviceKind::kSim, 0}};
}

}  // namespace ingot
