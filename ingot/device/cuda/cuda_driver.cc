#include "ingot/device/cuda/cuda_driver.h"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "ingot/base/error.h"

namespace ingot::cuda {
namespace {

// Many small uploads fit into a slot; downloads are waited for one by one.
constexpr size_t kUploadSlot = size_t{8} << 20, kDownloadSlot = size_t{1} << 20;
constexpr int kUploadSlots = 4, kDownloadSlots = 4;

class CudaMemory final : public gpu::Memory {
 public:
  CudaMemory(std::shared_ptr<const DeviceContext> context, std::shared_ptr<std::atomic<size_t>> handed_out,
             Address address, size_t bytes)
      : context_(std::move(context)), handed_out_(std::move(handed_out)), address_(address), bytes_(bytes) {
    *handed_out_ += bytes;
  }
  ~CudaMemory() override {
    *handed_out_ -= bytes_;
    const CurrentContext current(*context_, std::nothrow);
    context_->api().mem_free(address_);  // waits for what still uses it; after a fault the memory is gone anyway
  }
  size_t bytes() const override { return bytes_; }
  uint64_t address() const override { return address_; }
  void* host() const override { return nullptr; }

 private:
  std::shared_ptr<const DeviceContext> context_;
  std::shared_ptr<std::atomic<size_t>> handed_out_;
  Address address_;
  size_t bytes_;
};

class CudaEvent final : public gpu::Event {
 public:
  explicit CudaEvent(std::shared_ptr<const DeviceContext> context) : context_(std::move(context)) {
    context_->check(context_->api().event_create(&handle_, kEventDefault), "making an event");
  }
  ~CudaEvent() override {
    const CurrentContext current(*context_, std::nothrow);
    context_->api().event_destroy(handle_);
  }
  CudaEvent(const CudaEvent&) = delete;
  CudaEvent& operator=(const CudaEvent&) = delete;

  EventHandle handle() const { return handle_; }
  bool done() const override {
    const CurrentContext current(*context_);
    const Result result = context_->api().event_query(handle_);
    if (result == kNotReady) return false;
    context_->check(result, "asking for an event");
    return true;
  }

 private:
  std::shared_ptr<const DeviceContext> context_;
  EventHandle handle_ = nullptr;
};

class CudaRecording final : public gpu::Recording {
 public:
  CudaRecording(std::shared_ptr<const DeviceContext> context, GraphExec graph, size_t launches, size_t steps)
      : context_(std::move(context)), graph_(graph), launches_(launches), steps_(steps) {}
  ~CudaRecording() override {
    const CurrentContext current(*context_, std::nothrow);
    context_->api().graph_exec_destroy(graph_);  // one that runs is freed when it ends
  }
  CudaRecording(const CudaRecording&) = delete;
  CudaRecording& operator=(const CudaRecording&) = delete;

  GraphExec graph() const { return graph_; }
  const DeviceContext& context() const { return *context_; }
  size_t launches() const override { return launches_; }
  size_t steps() const { return steps_; }

 private:
  std::shared_ptr<const DeviceContext> context_;
  GraphExec graph_;
  size_t launches_, steps_;
};

// Destroyed at the end of a scope, like the graph that a capture leaves.
struct GraphOwner {
  const Api& api;
  Graph graph = nullptr;
  ~GraphOwner() {
    if (graph) api.graph_destroy(graph);
  }
};

Address address_of(gpu::Slice slice, size_t bytes, std::string_view what) {
  if (!slice.memory) fail_argument("cuda", what, "memory", "a null pointer");
  if (slice.offset > slice.memory->bytes() || bytes > slice.memory->bytes() - slice.offset) {
    fail_argument("cuda", what, cat("a range within ", slice.memory->bytes(), " bytes"),
                  cat(bytes, " from byte ", slice.offset, " on"));
  }
  return slice.memory->address() + slice.offset;
}

bool is_set(const char* variable) {
  const char* value = std::getenv(variable);
  return value && *value && std::string_view(value) != "0";
}

}  // namespace

std::string driver_release(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789";
  for (size_t begin = text.find_first_of(kDigits); begin != text.npos; begin = text.find_first_of(kDigits, begin)) {
    const size_t end = std::min(text.find_first_not_of("0123456789.", begin), text.size());
    const std::string_view number = text.substr(begin, end - begin);
    const bool whole_word = (begin == 0 || text[begin - 1] == ' ') && (end == text.size() || text[end] <= ' ');
    if (whole_word && number.find('.') != number.npos) return std::string(number);
    begin = end;
  }
  return "";
}

CudaDriver::CudaDriver(const Api& api, int index, std::shared_ptr<const Nvrtc> compiler, CubinCache cache)
    : context_(std::make_shared<DeviceContext>(api, index)),
      handed_out_(std::make_shared<std::atomic<size_t>>(0)),
      api_(api),
      wait_after_launches_(is_set("INGOT_CUDA_SYNC")) {
  const CurrentContext current(*context_);
  kernels_ = std::make_unique<KernelStore>(*context_, std::move(compiler), std::move(cache));
  uploads_ = std::make_unique<Staging>(*context_, kUploadSlot, kUploadSlots);
  downloads_ = std::make_unique<Staging>(*context_, kDownloadSlot, kDownloadSlots);
  context_->check(api_.stream_create(&stream_, kStreamNonBlocking), "making a stream");
}

// What was enqueued still runs to its end, since nothing it uses may go before.
CudaDriver::~CudaDriver() {
  const CurrentContext current(*context_, std::nothrow);
  api_.stream_synchronize(stream_);
  for (const auto& [thread, capture] : captures_) api_.stream_destroy(capture.stream);
  matmul_workspace_.reset();
  cublaslt_.reset();
  uploads_.reset();
  downloads_.reset();
  kernels_.reset();
  api_.stream_destroy(stream_);
  context_->forget_launches();
}

std::string CudaDriver::description() const {
  std::string text;
  for (const char* path : {"/proc/driver/nvidia/version", "/sys/module/nvidia/version"}) {
    std::ifstream file(path);
    if (std::getline(file, text) && !driver_release(text).empty()) break;
  }
  const std::string release = driver_release(text);
  const int capability = context_->compute_capability();
  return cat(context_->name(), ", ", human_bytes(double(context_->total_bytes())), ", driver ",
             release.empty() ? cat("for CUDA ", version_text(context_->driver_version())) : release, ", compute ",
             capability / 10, '.', capability % 10);
}

std::unique_ptr<gpu::Memory> CudaDriver::allocate(size_t bytes) {
  const CurrentContext current(*context_);
  Address address = 0;
  const Result result = api_.mem_alloc(&address, std::max<size_t>(bytes, 1));
  if (result == kOutOfMemory) {
    const gpu::Counters now = counters();
    fail(ErrorKind::kMemory, name(device()),
         cat("no memory for ", human_bytes(double(bytes)), ": Ingot holds ", human_bytes(double(now.driver_bytes)),
             ", free are ", human_bytes(double(now.free_bytes)), " of ", human_bytes(double(now.total_bytes))));
  }
  context_->check(result, "allocating ", bytes, " bytes");
  return std::make_unique<CudaMemory>(context_, handed_out_, address, bytes);
}

gpu::Counters CudaDriver::counters() const {
  const CurrentContext current(*context_);
  size_t free = 0, total = 0;
  context_->check(api_.mem_get_info(&free, &total), "asking for free memory");
  return {total, free, *handed_out_};
}

const gpu::Kernel& CudaDriver::kernel(std::string_view host_name, std::span<const gpu::Constant> constants) {
  const CurrentContext current(*context_);
  return kernels_->embedded(host_name, constants);
}

const gpu::Kernel& CudaDriver::user_kernel(const std::shared_ptr<const gpu::KernelText>& text,
                                           std::string_view host_name, std::span<const gpu::Constant> constants) {
  const CurrentContext current(*context_);
  return kernels_->user(text, host_name, constants);
}

CudaDriver::Capture* CudaDriver::capture() {
  if (recording_threads_.load(std::memory_order_relaxed) == 0) return nullptr;
  const std::lock_guard lock(captures_mutex_);
  const auto found = captures_.find(std::this_thread::get_id());
  return found == captures_.end() ? nullptr : &found->second;
}

void CudaDriver::require_no_recording(std::string_view what) {
  if (capture()) fail(ErrorKind::kState, name(device()), cat(what, " while this thread records"));
}

// Everything that may be recorded passes here.
template <class Enqueue>
void CudaDriver::enqueue_step(Step step, std::string_view what, Enqueue enqueue) {
  const CurrentContext current(*context_);
  Capture* recording = capture();
  enqueue(recording ? recording->stream : stream_);
  if (recording) {
    ++recording->steps;
    if (step == Step::kLaunch) ++recording->launches;
  } else if (wait_after_launches_) {
    context_->check(api_.stream_synchronize(stream_), "running ", what);
  }
}

void CudaDriver::start_matmul() {
  const LtApi* api = cublaslt_api();
  if (!api) {
    const Availability answer = cublaslt_availability();
    fail(ErrorKind::kUnsupported, name(device()), cat(answer.reason, "; ", answer.advice));
  }
  cublaslt_ = std::make_unique<CublasLt>(*api, *context_);
  matmul_workspace_ = allocate(CublasLt::kWorkspaceBytes);
}

void CudaDriver::matmul(const Matmul& p, gpu::Slice a, gpu::Slice b, gpu::Slice c, float alpha, float beta) {
  static const std::string kName = "matmul of cuBLASLt";
  check_problem(p);
  const auto address = [&](gpu::Slice slice, std::string_view what, int64_t rows, int64_t columns, int64_t row_stride,
                           int64_t stride, DType type) {
    const int64_t elements = (p.batch - 1) * stride + (rows - 1) * row_stride + columns;
    return address_of(slice, size_t(elements) * itemsize(type), what);
  };
  const MatmulOperands operands{
      address(a, "matmul a", p.transpose_a ? p.k : p.m, p.transpose_a ? p.m : p.k, p.lda, p.stride_a, p.type),
      address(b, "matmul b", p.transpose_b ? p.n : p.k, p.transpose_b ? p.k : p.n, p.ldb, p.stride_b, p.type),
      address(c, "matmul c", p.m, p.n, p.ldc, p.stride_c, p.result), alpha, beta};
  enqueue_step(Step::kLaunch, kName, [&](Stream stream) {
    std::call_once(matmul_started_, [&] { start_matmul(); });
    context_->launched(kName);
    cublaslt_->matmul(p, operands, matmul_workspace_->address(), stream);
  });
}

void CudaDriver::launch(const gpu::Launch& launch) {
  const auto& kernel = static_cast<const CudaKernel&>(*launch.kernel);
  enqueue_step(Step::kLaunch, kernel.signature().host_name, [&](Stream stream) { kernel.launch(launch, stream); });
}

void CudaDriver::copy(gpu::Slice from, gpu::Slice to, size_t bytes) {
  if (bytes == 0) return;
  const Address source = address_of(from, bytes, "copy from"), target = address_of(to, bytes, "copy to");
  enqueue_step(Step::kCopyOrFill, "a copy", [&](Stream stream) {
    context_->check(api_.memcpy_on_device(target, source, bytes, stream), "copying ", bytes, " bytes");
  });
}

void CudaDriver::fill(gpu::Slice to, uint8_t value, size_t bytes) {
  if (bytes == 0) return;
  const Address target = address_of(to, bytes, "fill");
  enqueue_step(Step::kCopyOrFill, "a fill", [&](Stream stream) {
    context_->check(api_.memset_bytes(target, value, bytes, stream), "filling ", bytes, " bytes");
  });
}

void CudaDriver::upload(const void* from, gpu::Slice to, size_t bytes) {
  require_no_recording("an upload");
  if (bytes == 0) return;
  const Address target = address_of(to, bytes, "upload to");
  const CurrentContext current(*context_);
  const std::lock_guard lock(uploading_);
  uploads_->upload(from, target, bytes, stream_);
}

void CudaDriver::download(gpu::Slice from, void* to, size_t bytes) {
  require_no_recording("a download");
  if (bytes == 0) return synchronize();
  const Address source = address_of(from, bytes, "download from");
  const CurrentContext current(*context_);
  const std::lock_guard lock(downloading_);
  downloads_->download(source, to, bytes, stream_);
}

void CudaDriver::synchronize() {
  const CurrentContext current(*context_);
  context_->check(api_.stream_synchronize(stream_), "waiting for the device");
}

std::unique_ptr<gpu::Event> CudaDriver::record_event() {
  const CurrentContext current(*context_);
  auto event = std::make_unique<CudaEvent>(context_);
  context_->check(api_.event_record(event->handle(), stream_), "recording an event");
  return event;
}

double CudaDriver::seconds_between(const gpu::Event& from, const gpu::Event& to) {
  const CurrentContext current(*context_);
  const EventHandle begin = static_cast<const CudaEvent&>(from).handle();
  const EventHandle end = static_cast<const CudaEvent&>(to).handle();
  context_->check(api_.event_synchronize(end), "waiting for an event");
  float milliseconds = 0;
  context_->check(api_.event_elapsed_time(&milliseconds, begin, end), "reading the time between events");
  return double(milliseconds) / 1000;
}

void CudaDriver::begin_recording() {
  require_no_recording("a second recording");
  const CurrentContext current(*context_);
  Capture started{};
  context_->check(api_.stream_create(&started.stream, kStreamNonBlocking), "making a stream to record");
  const Result result = api_.stream_begin_capture(started.stream, kCaptureModeRelaxed);
  if (result != kSuccess) api_.stream_destroy(started.stream);
  context_->check(result, "beginning to record");
  const std::lock_guard lock(captures_mutex_);
  captures_.emplace(std::this_thread::get_id(), started);
  ++recording_threads_;
}

CudaDriver::Capture CudaDriver::remove_capture() {
  const std::lock_guard lock(captures_mutex_);
  const auto found = captures_.find(std::this_thread::get_id());
  const Capture ended = found->second;
  captures_.erase(found);
  --recording_threads_;
  return ended;
}

std::unique_ptr<gpu::Recording> CudaDriver::end_recording() {
  if (!capture()) fail(ErrorKind::kState, name(device()), "end_recording without begin_recording");
  const Capture ended = remove_capture();
  const CurrentContext current(*context_);
  GraphOwner captured{api_};
  const Result result = api_.stream_end_capture(ended.stream, &captured.graph);
  api_.stream_destroy(ended.stream);
  context_->check(result, "ending a recording");
  GraphExec graph = nullptr;
  context_->check(api_.graph_instantiate(&graph, captured.graph, 0), "preparing a recording of ", ended.steps,
                  " steps");
  return std::make_unique<CudaRecording>(context_, graph, ended.launches, ended.steps);
}

void CudaDriver::cancel_recording() {
  if (!capture()) return;
  const Capture ended = remove_capture();
  const CurrentContext current(*context_);
  GraphOwner captured{api_};
  api_.stream_end_capture(ended.stream, &captured.graph);
  api_.stream_destroy(ended.stream);
}

void CudaDriver::replay(const gpu::Recording& recording) {
  require_no_recording("a replay");
  const auto& recorded = static_cast<const CudaRecording&>(recording);
  if (&recorded.context() != context_.get()) fail(ErrorKind::kState, name(device()), "a recording of another device");
  if (recorded.steps() == 0) return;
  const CurrentContext current(*context_);
  context_->check(api_.graph_launch(recorded.graph(), stream_), "replaying ", recorded.steps(), " steps");
  if (wait_after_launches_) context_->check(api_.stream_synchronize(stream_), "running a recording");
}

}  // namespace ingot::cuda
