// The tile registers of AMX as the kernel in amx_matmul.h sees them: eight of up to 16 rows of 64 bytes. A test brings
// a stand-in in plain C++ with the same members (amx_tile_stand_in.h), so that packing and edges are checked on any
// CPU.
#pragma once
#include <cstdint>

namespace ingot {

// Read by ldtilecfg.
struct alignas(64) TileConfig {
  uint8_t palette = 1, start_row = 0, reserved[14] = {};
  uint16_t row_bytes[16] = {};
  uint8_t rows[16] = {};

  void set(int tile, int tile_rows, int bytes) {
    rows[tile] = static_cast<uint8_t>(tile_rows);
    row_bytes[tile] = static_cast<uint16_t>(bytes);
  }
};
static_assert(sizeof(TileConfig) == 64);

#if defined(__AMX_BF16__) || defined(__AMXBF16__)  // GCC, clang
// By inline assembly, since the compilers' intrinsics are macros that take no template arguments. The assembler texts
// are volatile and so keep their order; loads and stores say that they touch memory.
struct HardwareTiles {
  static void configure(const TileConfig& c) { asm volatile("ldtilecfg %0" ::"m"(c)); }
  static void release() { asm volatile("tilerelease"); }

  template <int T>
  static __attribute__((always_inline)) void zero() {
    asm volatile("tilezero %%tmm%c0" ::"i"(T));
  }
  template <int T>
  static __attribute__((always_inline)) void load(const void* p, int64_t stride) {
    asm volatile("tileloadd (%0,%1,1), %%tmm%c2" ::"r"(p), "r"(stride), "i"(T) : "memory");
  }
  template <int T>
  static __attribute__((always_inline)) void store(void* p, int64_t stride) {
    asm volatile("tilestored %%tmm%c2, (%0,%1,1)" ::"r"(p), "r"(stride), "i"(T) : "memory");
  }
  // C[i][j] += sum over pairs p: A[i][2p] * B[p][2j] + A[i][2p + 1] * B[p][2j + 1]
  template <int C, int A, int B>
  static __attribute__((always_inline)) void dot_bf16() {
    asm volatile("tdpbf16ps %%tmm%c2, %%tmm%c1, %%tmm%c0" ::"i"(C), "i"(A), "i"(B));
  }
};
#endif

}  // namespace ingot
