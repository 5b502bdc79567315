#include "ingot/device/cuda/cuda_kernel.h"

#include <algorithm>
#include <array>

#include "ingot/base/error.h"

namespace ingot::cuda {
namespace {

using gpu::Binding;
using msl::KernelParameter;
using msl::ParameterKind;

constexpr int kIndices = 31;                       // Metal's [[buffer(0)]] to [[buffer(30)]]
constexpr size_t kSharedWithoutAsking = 48 << 10;  // beyond, CUDA wants a function to ask for it
// What beginning before the kernel ahead has ended needs of the GPU, and of the driver to record it.
constexpr int kProgrammaticCapability = 90, kProgrammaticDriver = 12030;

bool constant_is_set(const msl::KernelSignature& signature, std::span<const gpu::Constant> constants,
                     const std::string& name) {
  for (const msl::FunctionConstant& known : signature.function_constants) {
    if (known.name != name) continue;
    for (const gpu::Constant& constant : constants) {
      if (constant.index == known.index) return constant.value != 0;
    }
  }
  return false;
}

std::string place(const KernelParameter& parameter) {
  return cat(parameter.name, " [[", parameter.kind == ParameterKind::kThreadgroup ? "threadgroup" : "buffer", "(",
             parameter.index, ")]]");
}

bool by_index(const KernelParameter* a, const KernelParameter* b) { return a->index < b->index; }

}  // namespace

CudaKernel::CudaKernel(const DeviceContext& device, Module module, const msl::KernelSignature& signature,
                       std::span<const gpu::Constant> constants)
    : device_(device), signature_(signature) {
  std::vector<const KernelParameter*> buffers;
  for (const KernelParameter& parameter : signature.parameters) {
    if (parameter.kind == ParameterKind::kBuiltin) continue;
    (parameter.kind == ParameterKind::kThreadgroup ? threadgroups_ : buffers).push_back(&parameter);
    if (parameter.index < 0 || parameter.index >= kIndices) {
      fail_argument(signature.host_name, place(parameter), "an index below 31", cat(parameter.index));
    }
  }
  std::sort(buffers.begin(), buffers.end(), by_index);
  std::sort(threadgroups_.begin(), threadgroups_.end(), by_index);
  for (const KernelParameter* buffer : buffers) {
    const bool optional = !buffer->optional_if.empty() && !constant_is_set(signature, constants, buffer->optional_if);
    buffers_.push_back({buffer, optional});
  }

  const std::string& host = signature.host_name;
  const Api& api = device.api();
  device.check(api.module_get_function(&function_, module, host.c_str()), "looking for kernel ", host);
  int shared = 0;
  device.check(api.func_get_attribute(&max_threads_, kMaxThreadsPerBlock, function_), "asking about kernel ", host);
  device.check(api.func_get_attribute(&shared, kSharedSizeBytes, function_), "asking about kernel ", host);
  static_shared_bytes_ = size_t(shared);
  read_sizes();
}

void CudaKernel::read_sizes() {
  if (!device_.api().func_get_param_info) return;
  for (size_t i = 0; i < buffers_.size(); ++i) {
    size_t offset = 0, bytes = 0;
    device_.check(device_.api().func_get_param_info(function_, i, &offset, &bytes), "asking about argument ", i,
                  " of kernel ", signature_.host_name);
    buffers_[i].bytes = bytes;
  }
}

// The arguments of one launch as CUDA takes them: a pointer to each.
class CudaKernel::Packed {
 public:
  Packed(const CudaKernel& kernel, std::span<const Binding> bindings) : kernel_(kernel) {
    for (const Binding& binding : bindings) sort_in(binding);
    for (const Buffer& buffer : kernel.buffers_) add_buffer(buffer);
    for (const KernelParameter* parameter : kernel.threadgroups_) add_threadgroup(*parameter);
    refuse_unknown(bindings.size());
  }
  Packed(const Packed&) = delete;
  Packed& operator=(const Packed&) = delete;

  void** pointers() { return pointers_.data(); }
  size_t shared_bytes() const { return shared_bytes_; }

 private:
  [[noreturn]] void refuse(const std::string& what, std::string_view expected, const std::string& got) const {
    fail_argument(kernel_.signature_.host_name, what, expected, got);
  }

  void sort_in(const Binding& binding) {
    if (binding.index < 0 || binding.index >= kIndices) refuse("binding", "an index below 31", cat(binding.index));
    const bool threadgroup = binding.kind == Binding::Kind::kThreadgroup;
    const Binding*& slot = (threadgroup ? threadgroups_ : buffers_)[size_t(binding.index)];
    if (slot) refuse(cat(threadgroup ? "threadgroup" : "buffer", " binding"), "each index once", cat(binding.index));
    slot = &binding;
  }

  void add_buffer(const Buffer& buffer) {
    const KernelParameter& parameter = *buffer.parameter;
    const Binding* binding = buffers_[size_t(parameter.index)];
    if (!binding) {
      if (!buffer.optional) refuse(place(parameter), "a binding", "none");
      return add_address(0);
    }
    ++used_;
    const bool by_value = parameter.kind == ParameterKind::kValue;
    if (by_value != (binding->kind == Binding::Kind::kValue)) {
      refuse(place(parameter), by_value ? "a value" : "a piece of memory", by_value ? "memory" : "a value");
    }
    by_value ? add_value(buffer, *binding) : add_slice(parameter, *binding);
  }

  void add_value(const Buffer& buffer, const Binding& binding) {
    if (!binding.value) refuse(place(*buffer.parameter), "a value", "a null pointer");
    if (buffer.bytes != 0 && buffer.bytes != binding.bytes) {
      refuse(place(*buffer.parameter), cat(buffer.bytes, " bytes (", buffer.parameter->element, ")"),
             cat(binding.bytes));
    }
    pointers_[count_++] = const_cast<void*>(binding.value);  // CUDA reads it only
  }

  void add_slice(const KernelParameter& parameter, const Binding& binding) {
    const auto& [memory, offset] = binding.slice;
    if (!memory) refuse(place(parameter), "memory", "a null pointer");
    if (offset > memory->bytes() || binding.bytes > memory->bytes() - offset) {
      refuse(place(parameter), cat("at most ", memory->bytes(), " bytes of memory"),
             cat(binding.bytes, " from byte ", offset, " on"));
    }
    add_address(memory->address() + offset);
  }

  void add_address(uint64_t address) {
    addresses_[count_] = address;
    pointers_[count_] = &addresses_[count_];
    ++count_;
  }

  // Where the memory of each begins within the launch's shared memory.
  void add_threadgroup(const KernelParameter& parameter) {
    const Binding* binding = threadgroups_[size_t(parameter.index)];
    if (!binding) refuse(place(parameter), "a binding", "none");
    ++used_;
    const size_t begin = (shared_bytes_ + 15) / 16 * 16;
    shared_bytes_ = begin + binding->bytes;
    offsets_[count_] = unsigned(begin);
    pointers_[count_] = &offsets_[count_];
    ++count_;
  }

  void refuse_unknown(size_t given) const {
    if (used_ != given) {
      refuse("bindings", cat(used_, ", one for each parameter"), cat(given, "; some index is not in the signature"));
    }
  }

  const CudaKernel& kernel_;
  std::array<const Binding*, kIndices> buffers_{}, threadgroups_{};
  std::array<uint64_t, 2 * kIndices> addresses_;
  std::array<unsigned, 2 * kIndices> offsets_;
  std::array<void*, 2 * kIndices> pointers_;
  size_t count_ = 0, used_ = 0, shared_bytes_ = 0;
};

void CudaKernel::check_size(const gpu::Launch& launch) const {
  const auto& [groups, threads] = std::pair(launch.groups, launch.threads);
  const uint64_t in_group = uint64_t(threads.x) * threads.y * threads.z;
  if (threads.x > 1024 || threads.y > 1024 || threads.z > 64 || in_group == 0 || in_group > uint64_t(max_threads_)) {
    fail_argument(signature_.host_name, "threads", cat("1 to ", max_threads_, " in a group"),
                  cat(threads.x, " x ", threads.y, " x ", threads.z));
  }
  if (groups.x == 0 || groups.y == 0 || groups.z == 0 || groups.x > 0x7fffffffu || groups.y > 65535u ||
      groups.z > 65535u) {
    fail_argument(signature_.host_name, "groups", "1 to 2^31-1 in x, 1 to 65535 in y and z",
                  cat(groups.x, " x ", groups.y, " x ", groups.z));
  }
}

void CudaKernel::allow_shared_memory(size_t dynamic_bytes) const {
  const size_t all = static_shared_bytes_ + dynamic_bytes;
  if (all <= kSharedWithoutAsking) return;
  const size_t most = size_t(device_.max_shared_bytes());
  if (all > most) {
    fail_argument(signature_.host_name, "threadgroup memory", cat("at most ", most, " bytes"), cat(all));
  }
  std::call_once(large_shared_memory_, [&] {
    device_.check(
        device_.api().func_set_attribute(function_, kMaxDynamicSharedSizeBytes, int(most - static_shared_bytes_)),
        "asking for shared memory for kernel ", signature_.host_name);
  });
}

void CudaKernel::launch(const gpu::Launch& launch, Stream stream) const {
  check_size(launch);
  Packed arguments(*this, launch.bindings);
  allow_shared_memory(arguments.shared_bytes());

  LaunchAttribute programmatic{};
  programmatic.id = kProgrammaticStreamSerialization;
  programmatic.value.allowed = 1;
  const bool may_begin_early = signature_.waits_for_inputs && device_.compute_capability() >= kProgrammaticCapability &&
                               device_.driver_version() >= kProgrammaticDriver;
  const LaunchConfig config{launch.groups.x,
                            launch.groups.y,
                            launch.groups.z,
                            launch.threads.x,
                            launch.threads.y,
                            launch.threads.z,
                            unsigned(arguments.shared_bytes()),
                            stream,
                            &programmatic,
                            may_begin_early ? 1u : 0u};
  device_.launched(signature_.host_name);
  device_.check(device_.api().launch_kernel(&config, function_, arguments.pointers(), nullptr), "launching ",
                signature_.host_name);
}

}  // namespace ingot::cuda
