// The kernels of one GPU: compiled on first use, kept in memory and, through the cache, on disk.
#pragma once
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "ingot/device/cuda/cubin_cache.h"
#include "ingot/device/cuda/cuda_kernel.h"
#include "ingot/device/cuda/nvrtc.h"

namespace ingot::cuda {

// Thread-safe. A text is compiled once for each set of constants, whatever the number of kernels in it.
class KernelStore {
 public:
  KernelStore(const DeviceContext& device, std::shared_ptr<const Nvrtc> compiler, CubinCache cache);
  ~KernelStore();
  KernelStore(const KernelStore&) = delete;
  KernelStore& operator=(const KernelStore&) = delete;

  // As gpu::Driver::kernel() and user_kernel(), whose context must be current.
  const CudaKernel& embedded(std::string_view host_name, std::span<const gpu::Constant> constants);
  const CudaKernel& user(const std::shared_ptr<const gpu::KernelText>& text, std::string_view host_name,
                         std::span<const gpu::Constant> constants);

 private:
  // Where kernels come from: a file of the build (file set) or a user's text (user set).
  struct Source {
    const msl::EmbeddedKernels* file = nullptr;
    std::shared_ptr<const gpu::KernelText> user;
    std::string_view name, cuda;
    const std::vector<msl::KernelSignature>* signatures = nullptr;
    const void* identity() const { return file ? static_cast<const void*>(file) : user.get(); }
  };
  struct LoadedModule {
    Source source;
    std::vector<gpu::Constant> constants;
    Module handle;
  };
  struct Entry {
    const void* text;  // the user's; null for an embedded kernel
    std::string host_name;
    std::vector<gpu::Constant> constants;
    std::unique_ptr<const CudaKernel> kernel;
  };

  template <class MakeSource>
  const CudaKernel& find_or_make(const void* text, std::string_view host_name, std::span<const gpu::Constant> constants,
                                 MakeSource make_source);
  const CudaKernel* find(size_t hash, const void* text, std::string_view host_name,
                         std::span<const gpu::Constant> constants);
  std::unique_ptr<const CudaKernel> make(const Source& source, std::string_view host_name,
                                         std::span<const gpu::Constant> constants);
  Module module(const Source& source, const msl::KernelSignature& signature, std::span<const gpu::Constant> constants);
  std::string image(const Source& source, std::span<const std::string> options);

  const DeviceContext& device_;
  std::shared_ptr<const Nvrtc> compiler_;
  CubinCache cache_;

  std::mutex lookup_;  // kernels_; held briefly
  std::unordered_map<size_t, std::vector<Entry>> kernels_;

  std::mutex making_;  // what follows; held while a kernel is compiled
  std::map<const msl::EmbeddedKernels*, std::vector<msl::KernelSignature>> embedded_signatures_;
  std::vector<LoadedModule> modules_;
};

// "-DMSL_FC_3=1", ... for the constants that the signature names. Error kArgument if one is missing, unknown, or not a
// value of its type.
std::vector<std::string> constant_options(const msl::KernelSignature& signature,
                                          std::span<const gpu::Constant> constants);

}  // namespace ingot::cuda
