#include "ingot/ops/linear/amx_matmul.h"

namespace ingot::INGOT_ISA {

const MatmulKernel& amx_kernel() {
  using Kernel = AmxMatmul<HardwareTiles>;
  // About 500 multiply-adds a cycle and core at best, half of it in practice.
  static constexpr MatmulKernel kernel = {5.0 / 200, Kernel::packed_bytes, Kernel::pack, Kernel::scratch_bytes,
                                          Kernel::run};
  return kernel;
}

}  // namespace ingot::INGOT_ISA
