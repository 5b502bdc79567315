// Which instruction set the CPU kernels use: found at start, lowered by the environment variable INGOT_CPU_ISA
// (base, avx2, avx512, avx512bf16, amx; neon on Arm) so that every level can be tested on a new CPU.
#pragma once
#include <string>
#include <string_view>

#include "ingot/base/export.h"

namespace ingot {

enum class Isa : int {
  kBase,        // x86-64-v2 (SSE4.2)
  kAvx2,        // x86-64-v3: AVX2, FMA, F16C
  kAvx512,      // x86-64-v4
  kAvx512Bf16,  // + AVX512-BF16, VNNI, VBMI, VBMI2, BITALG (Zen 4, Sapphire Rapids)
  kAmx,         // + AMX-TILE, AMX-BF16, AMX-INT8, granted by the operating system
  kNeon,        // armv8-a
};

INGOT_API Isa cpu_isa();       // constant for the life of the process
INGOT_API Isa detected_isa();  // what the CPU has, whatever the environment says
INGOT_API const char* name(Isa isa);
// The set to use on a CPU that has `found`: `wish` by name if it is a lower level of the same architecture, else
// `found` (also for an empty wish). Error for an unknown name.
INGOT_API Isa choose_isa(std::string_view wish, Isa found);

struct CpuInfo {
  std::string model;  // "Intel(R) Xeon(R) ..."
  int logical_cores;  // that this process may run on
  bool amd;
};
INGOT_API const CpuInfo& cpu_info();

// The table of kernels compiled for the best instruction set not above cpu_isa(). A file x_simd.cc defines `T table()`
// in namespace INGOT_ISA; its header declares it with INGOT_SIMD_TABLE(T, table), and callers write
// simd_pick(INGOT_SIMD_LEVELS(table)).
#if defined(__x86_64__)
#define INGOT_SIMD_TABLE(T, table) \
  namespace isa_base {             \
  const T& table();                \
  }                                \
  namespace isa_avx2 {             \
  const T& table();                \
  }                                \
  namespace isa_avx512 {           \
  const T& table();                \
  }
#define INGOT_SIMD_LEVELS(table) isa_base::table, isa_avx2::table, isa_avx512::table
template <class F>
decltype(auto) simd_pick(F base, F avx2, F avx512) {
  Isa isa = cpu_isa();
  return isa >= Isa::kAvx512 ? avx512() : isa >= Isa::kAvx2 ? avx2() : base();
}
#else
#define INGOT_SIMD_TABLE(T, table) \
  namespace isa_neon {             \
  const T& table();                \
  }
#define INGOT_SIMD_LEVELS(table) isa_neon::table
template <class F>
decltype(auto) simd_pick(F neon) {
  return neon();
}
#endif

}  // namespace ingot
