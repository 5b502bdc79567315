#include "ingot/device/cpu/isa.h"

#include <cstdlib>
#include <fstream>
#include <string_view>

#include "ingot/base/error.h"

#if defined(__linux__)
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>
#else
#include <unistd.h>
#endif
#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace ingot {

namespace {

#if defined(__x86_64__)
// Linux hands out AMX tile state on request only.
bool request_amx() {
#if defined(__linux__)
  constexpr int kArchReqXcompPerm = 0x1023, kTileData = 18;
  return syscall(SYS_arch_prctl, kArchReqXcompPerm, kTileData) == 0;
#else
  return false;
#endif
}

bool has_bit(unsigned leaf, unsigned subleaf, int reg, int bit) {
  unsigned r[4] = {};
  if (!__get_cpuid_count(leaf, subleaf, &r[0], &r[1], &r[2], &r[3])) return false;
  return r[reg] >> bit & 1u;
}

Isa detect() {
  __builtin_cpu_init();
  bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && has_bit(1, 0, 2, 29) &&
              __builtin_cpu_supports("bmi2");
  if (!avx2) return Isa::kBase;
  bool avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
                __builtin_cpu_supports("avx512cd");
  if (!avx512) return Isa::kAvx2;
  bool bf16 = has_bit(7, 1, 0, 5) && __builtin_cpu_supports("avx512vnni") && __builtin_cpu_supports("avx512vbmi") &&
              __builtin_cpu_supports("avx512vbmi2") && __builtin_cpu_supports("avx512bitalg");
  if (!bf16) return Isa::kAvx512;
  bool amx = has_bit(7, 0, 3, 22) && has_bit(7, 0, 3, 24) && has_bit(7, 0, 3, 25);
  return amx && request_amx() ? Isa::kAmx : Isa::kAvx512Bf16;
}
#else
Isa detect() { return Isa::kNeon; }
#endif

constexpr Isa kAll[] = {Isa::kBase, Isa::kAvx2, Isa::kAvx512, Isa::kAvx512Bf16, Isa::kAmx, Isa::kNeon};

CpuInfo read_cpu_info() {
  CpuInfo info{"unknown", 1, false};
#if defined(__linux__)
  std::ifstream in("/proc/cpuinfo");
  for (std::string line; std::getline(in, line);) {
    size_t colon = line.find(": ");
    if (colon == std::string::npos) continue;
    if (line.starts_with("model name") && info.model == "unknown") info.model = line.substr(colon + 2);
    if (line.starts_with("vendor_id")) info.amd = line.find("AuthenticAMD") != std::string::npos;
  }
  cpu_set_t set;
  info.logical_cores = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
#else
  info.logical_cores = static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN));
#endif
  return info;
}

}  // namespace

Isa detected_isa() {
  static const Isa isa = detect();
  return isa;
}
Isa choose_isa(std::string_view wish, Isa found) {
  if (wish.empty()) return found;
  for (Isa isa : kAll)
    if (wish == name(isa)) return isa < found && found != Isa::kNeon ? isa : found;
  fail(ErrorKind::kArgument, "INGOT_CPU_ISA",
       cat("unknown instruction set ", quoted(wish), "; known: base avx2 avx512 avx512bf16 amx neon"));
}
Isa cpu_isa() {
  static const Isa isa = [] {
    const char* wish = std::getenv("INGOT_CPU_ISA");
    return choose_isa(wish ? wish : "", detected_isa());
  }();
  return isa;
}
const CpuInfo& cpu_info() {
  static const CpuInfo info = read_cpu_info();
  return info;
}

const char* name(Isa isa) {
  switch (isa) {
    case Isa::kBase:
      return "base";
    case Isa::kAvx2:
      return "avx2";
    case Isa::kAvx512:
      return "avx512";
    case Isa::kAvx512Bf16:
      return "avx512bf16";
    case Isa::kAmx:
      return "amx";
    default:
      return "neon";
  }
}

}  // namespace ingot
