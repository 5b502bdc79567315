// Where a tensor lives: cpu, cuda:N, metal (alias mps), sim.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ingot/base/export.h"

namespace ingot {

enum class DeviceKind : uint8_t { kCpu, kCuda, kMetal, kSim };

struct Device {
  DeviceKind kind = DeviceKind::kCpu;
  int index = 0;
  bool is_cpu() const { return kind == DeviceKind::kCpu; }
  friend bool operator==(const Device&, const Device&) = default;
};
inline constexpr Device kCpu{};

INGOT_API std::string name(Device d);
INGOT_API Device device_from_name(std::string_view text);  // Error for an unknown name
inline void append_to(std::string& s, Device d) { s += name(d); }

// Can this device be used, and if not, why, and what to do about it.
struct Availability {
  bool available;
  std::string reason;  // one sentence; for an available device what it is
  std::string advice;  // what would make it available; empty if it is
};
INGOT_API Availability availability(Device d);
INGOT_API std::vector<Device> known_devices();  // one of each kind that exists, available or not

}  // namespace ingot
