// gpu::Driver on CUDA's driver API: the device's primary context, one stream, kernels by NVRTC, recordings as CUDA
// graphs.
//
// A recording is captured on a stream of its own, so that other threads go on meanwhile; its nodes form a chain in
// which a kernel that calls wait_inputs() may begin while the one before still runs. With INGOT_CUDA_SYNC=1 every
// launch is waited for, so that a fault names its kernel.
#pragma once
#include <atomic>
#include <memory>
#include <mutex>
#include <thread>
#include <unordered_map>

#include "ingot/device/cuda/cublaslt.h"
#include "ingot/device/cuda/kernel_store.h"
#include "ingot/device/cuda/staging.h"
#include "ingot/device/gpu/driver.h"

namespace ingot::cuda {

class CudaDriver final : public gpu::Driver {
 public:
  // Error kDevice with CUDA's words if the device cannot be used.
  CudaDriver(const Api& api, int index, std::shared_ptr<const Nvrtc> compiler, CubinCache cache);
  ~CudaDriver() override;

  Device device() const override { return {DeviceKind::kCuda, context_->index()}; }
  std::string description() const override;
  bool unified_memory() const override { return false; }

  std::unique_ptr<gpu::Memory> allocate(size_t bytes) override;
  // Null: kernels would read such memory over the bus, again at each use; an upload is the better copy.
  std::unique_ptr<gpu::Memory> wrap_host(void* data, size_t bytes) override { return nullptr; }
  gpu::Counters counters() const override;

  const gpu::Kernel& kernel(std::string_view host_name, std::span<const gpu::Constant> constants) override;
  const gpu::Kernel& user_kernel(const std::shared_ptr<const gpu::KernelText>& text, std::string_view host_name,
                                 std::span<const gpu::Constant> constants) override;

  void launch(const gpu::Launch& launch) override;
  void copy(gpu::Slice from, gpu::Slice to, size_t bytes) override;
  void upload(const void* from, gpu::Slice to, size_t bytes) override;
  void download(gpu::Slice from, void* to, size_t bytes) override;
  void fill(gpu::Slice to, uint8_t value, size_t bytes) override;
  void synchronize() override;

  std::unique_ptr<gpu::Event> record_event() override;
  double seconds_between(const gpu::Event& from, const gpu::Event& to) override;

  void begin_recording() override;
  std::unique_ptr<gpu::Recording> end_recording() override;
  void cancel_recording() override;
  void replay(const gpu::Recording& recording) override;

  // c = alpha * a b + beta * c by cuBLASLt, recorded like a launch. Errors as CublasLt::matmul(), kUnsupported with
  // the reason and advice of cublaslt_availability(), kArgument for an operand that reaches beyond its memory.
  void matmul(const Matmul& problem, gpu::Slice a, gpu::Slice b, gpu::Slice c, float alpha = 1, float beta = 0);

  const DeviceContext& context() const { return *context_; }

 private:
  struct Capture {
    Stream stream;
    size_t launches, steps;  // steps: launches, copies and fills
  };

  void start_matmul();
  Capture* capture();  // of this thread, or null
  Capture remove_capture();
  enum class Step { kLaunch, kCopyOrFill };
  template <class Enqueue>
  void enqueue_step(Step step, std::string_view what, Enqueue enqueue);
  void require_no_recording(std::string_view what);

  std::shared_ptr<const DeviceContext> context_;
  std::shared_ptr<std::atomic<size_t>> handed_out_;
  const Api& api_;
  bool wait_after_launches_;
  Stream stream_ = nullptr;
  std::unique_ptr<KernelStore> kernels_;

  std::mutex uploading_, downloading_;
  std::unique_ptr<Staging> uploads_, downloads_;

  std::once_flag matmul_started_;
  std::unique_ptr<CublasLt> cublaslt_;
  std::unique_ptr<gpu::Memory> matmul_workspace_;  // one for all products, since they run one after another

  std::atomic<int> recording_threads_{0};
  std::mutex captures_mutex_;
  std::unordered_map<std::thread::id, Capture> captures_;
};

// The version in the text of /proc/driver/nvidia/version ("580.65.06"); empty if there is none.
std::string driver_release(std::string_view text);

}  // namespace ingot::cuda
