// Everything that the CUDA text of a kernel needs, for NVRTC with -default-device: no CUDA header, no include path.
// Compute capability 8.0 and up. Function constants come as -DMSL_FC_<index>=<value>, so they are constants to the
// compiler.
#pragma once
#pragma nv_diag_suppress 177   // a function of a header that this kernel does not use
#pragma nv_diag_suppress 550   // a variable that is set and not used
#pragma nv_diag_suppress 2361  // a literal suffix without an underscore: 1.0h
#include "msl_cuda_atomic.h"
#include "msl_cuda_matrix.h"
#include "msl_cuda_simd.h"
#include "msl_cuda_tile.h"
#include "msl_types.h"

#define MSL_TEXT_BEGIN
#define MSL_TEXT_END
#define kernel static __device__ __forceinline__
#define MSL_GCONST static __constant__
#define MSL_JOIN_(a, b) a##b
#define MSL_FC(index, type, name) static constexpr type name = type(MSL_JOIN_(MSL_FC_, index));

namespace msl_cuda {

struct Size {
  unsigned x, y, z;
};

// What one thread may ask about its position.
struct Builtins {
  MSL_INLINE Size pos() const { return {threadIdx.x, threadIdx.y, threadIdx.z}; }
  MSL_INLINE Size tg_pos() const { return {blockIdx.x, blockIdx.y, blockIdx.z}; }
  MSL_INLINE Size tg_size() const { return {blockDim.x, blockDim.y, blockDim.z}; }
  MSL_INLINE Size tg_count() const { return {gridDim.x, gridDim.y, gridDim.z}; }
  MSL_INLINE Size grid_pos() const {
    return {blockIdx.x * blockDim.x + threadIdx.x, blockIdx.y * blockDim.y + threadIdx.y,
            blockIdx.z * blockDim.z + threadIdx.z};
  }
  MSL_INLINE Size grid_size() const { return {gridDim.x * blockDim.x, gridDim.y * blockDim.y, gridDim.z * blockDim.z}; }
  MSL_INLINE unsigned index() const { return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z); }
  MSL_INLINE unsigned lane() const { return index() % 32; }
  MSL_INLINE unsigned sg() const { return index() / 32; }
  MSL_INLINE unsigned nsg() const { return blockDim.x * blockDim.y * blockDim.z / 32; }
  MSL_INLINE unsigned sgw() const { return 32; }
};

}  // namespace msl_cuda

namespace metal {

// Up to here a kernel may run while the one launched before it still does.
MSL_INLINE void wait_inputs() {
#if __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

}  // namespace metal
