// What the kernel families have in common: a job is packed once, then slices of its rows run on any thread.
#pragma once
#include "ingot/device/cpu/isa.h"
#include "ingot/ops/linear/weight_matmul.h"

namespace ingot {

struct MatmulSlice {
  const MatmulJob* job;
  const void* packed;  // what pack() wrote, or null
  void* scratch;       // scratch_bytes(), 64-byte aligned, of this thread
  int64_t begin, end;  // rows of w; begin is a multiple of kMatmulRowUnit
  int far_strips;      // rows read at a time where memory is the limit, far apart: 8 with a prefetch, or 4 without
};

// Slices begin at multiples of this many rows, which all kernels' row blocks divide.
inline constexpr int64_t kMatmulRowUnit = 32;
inline constexpr int64_t kMatmulPrefetchBytes = 1024;
// Activations are packed in groups of this many rows.
inline constexpr int64_t kMatmulPackUnit = 16;

struct MatmulKernel {
  double cost;  // of one multiply-add, in bytes read from memory in the same time
  int64_t (*packed_bytes)(const MatmulJob&);
  void (*pack)(const MatmulJob&, void* packed, int64_t first, int64_t last);  // x rows; first a multiple of the unit
  int64_t (*scratch_bytes)(const MatmulJob&);
  void (*run)(const MatmulSlice&);
};

INGOT_SIMD_TABLE(MatmulKernel, dot_f32_kernel)
#if defined(__x86_64__)
namespace isa_avx2 {
const MatmulKernel& dot_q8_0_kernel();
}
namespace isa_avx512 {
const MatmulKernel& dot_q8_0_kernel();
}
namespace isa_avx512bf16 {
const MatmulKernel& dot_bf16_kernel();
}
namespace isa_amx {
const MatmulKernel& amx_kernel();
}
#endif

// The kernel that runs a job at an instruction set; and weight_matmul at a given one, not above detected_isa(), for
// tests.
INGOT_API const MatmulKernel& matmul_kernel(Isa isa, const MatmulJob& job);
INGOT_API void weight_matmul_at(Isa isa, std::span<const MatmulJob> jobs);

}  // namespace ingot
