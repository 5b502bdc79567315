// One kernel on one GPU: how its arguments lie (ingot/msl/emitted.md, "CUDA text") and its launch.
#pragma once
#include <mutex>
#include <span>
#include <vector>

#include "ingot/device/cuda/cuda_api.h"
#include "ingot/device/cuda/device_context.h"
#include "ingot/device/gpu/driver.h"

namespace ingot::cuda {

class CudaKernel final : public gpu::Kernel {
 public:
  // All of them must live as long as the kernel. Error kDevice if the module has no such function.
  CudaKernel(const DeviceContext& device, Module module, const msl::KernelSignature& signature,
             std::span<const gpu::Constant> constants);

  const msl::KernelSignature& signature() const override { return signature_; }
  int max_threads() const override { return max_threads_; }

  // Enqueues. A kernel that calls wait_inputs() is launched so that it may begin while the one before still runs. Error
  // kArgument, before anything is enqueued, if bindings are missing, doubled, unknown or of another kind or size than
  // the signature says, if a slice reaches beyond its memory, or groups or threads are beyond the device's limits.
  void launch(const gpu::Launch& launch, Stream stream) const;

 private:
  struct Buffer {
    const msl::KernelParameter* parameter;
    bool optional;
    size_t bytes = 0;  // kValue: of the struct, where CUDA tells
  };
  class Packed;

  void read_sizes();
  void check_size(const gpu::Launch& launch) const;
  void allow_shared_memory(size_t dynamic_bytes) const;

  const DeviceContext& device_;
  const msl::KernelSignature& signature_;
  Function function_ = nullptr;
  std::vector<Buffer> buffers_;                            // by index
  std::vector<const msl::KernelParameter*> threadgroups_;  // by index
  int max_threads_ = 0;
  size_t static_shared_bytes_ = 0;
  mutable std::once_flag large_shared_memory_;
};

}  // namespace ingot::cuda
