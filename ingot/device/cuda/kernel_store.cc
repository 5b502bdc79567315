#include "ingot/device/cuda/kernel_store.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>

#include "ingot/base/error.h"
#include "ingot/device/cuda/signature_json.h"

namespace ingot::cuda {
namespace {

size_t hash_of(const void* text, std::string_view host_name, std::span<const gpu::Constant> constants) {
  size_t hash = std::hash<std::string_view>{}(host_name) ^ std::hash<const void*>{}(text);
  for (const gpu::Constant& constant : constants) {
    hash = (hash ^ size_t(constant.index)) * 0x9e3779b97f4a7c15u;
    hash = (hash ^ std::hash<double>{}(constant.value)) * 0x9e3779b97f4a7c15u;
  }
  return hash;
}

struct Range {
  std::string_view type;
  double lowest, highest;
};
constexpr Range kRanges[] = {{"bool", 0, 1},           {"char", -128, 127},  {"uchar", 0, 255},
                             {"short", -32768, 32767}, {"ushort", 0, 65535}, {"int", -2147483648.0, 2147483647.0},
                             {"uint", 0, 4294967295.0}};

std::string value_text(const msl::KernelSignature& signature, const msl::FunctionConstant& constant, double value) {
  const std::string what = cat("function constant ", constant.name);
  for (const Range& range : kRanges) {
    if (range.type != constant.type) continue;
    if (!(value >= range.lowest && value <= range.highest) || value != std::floor(value)) {
      fail_argument(signature.host_name, what, cat("a ", constant.type), cat(value));
    }
    return cat(static_cast<long long>(value));
  }
  if (!std::isfinite(value)) fail_argument(signature.host_name, what, "a finite number", cat(value));
  char text[32];
  std::snprintf(text, sizeof text, "%.9g", value);  // every float survives
  return text;
}

}  // namespace

std::vector<std::string> constant_options(const msl::KernelSignature& signature,
                                          std::span<const gpu::Constant> constants) {
  std::vector<std::string> options;
  size_t used = 0;
  for (const msl::FunctionConstant& wanted : signature.function_constants) {
    const auto is_it = [&](const gpu::Constant& constant) { return constant.index == wanted.index; };
    const auto found = std::find_if(constants.begin(), constants.end(), is_it);
    if (found == constants.end()) {
      fail_argument(signature.host_name, cat("function constant ", wanted.name), "a value", "none");
    }
    ++used;
    options.push_back(cat("-DMSL_FC_", wanted.index, "=", value_text(signature, wanted, found->value)));
  }
  if (used != constants.size()) {
    fail_argument(signature.host_name, "function constants", cat(used, " values"), cat(constants.size()));
  }
  return options;
}

KernelStore::KernelStore(const DeviceContext& device, std::shared_ptr<const Nvrtc> compiler, CubinCache cache)
    : device_(device), compiler_(std::move(compiler)), cache_(std::move(cache)) {}

KernelStore::~KernelStore() {
  for (const LoadedModule& module : modules_) device_.api().module_unload(module.handle);
}

const CudaKernel& KernelStore::embedded(std::string_view host_name, std::span<const gpu::Constant> constants) {
  return find_or_make(nullptr, host_name, constants, [&]() -> Source {
    const msl::EmbeddedKernels* file = msl::find_embedded_kernel(host_name);
    if (!file) fail_argument("kernel", "name", "a kernel of this build", quoted(host_name));
    auto [known, added] = embedded_signatures_.try_emplace(file);
    if (added) known->second = signatures_from_json(file->json);
    return {file, nullptr, file->name, file->cuda, &known->second};
  });
}

const CudaKernel& KernelStore::user(const std::shared_ptr<const gpu::KernelText>& text, std::string_view host_name,
                                    std::span<const gpu::Constant> constants) {
  return find_or_make(text.get(), host_name, constants, [&]() -> Source {
    return {nullptr, text, text->name, text->cuda, &text->signatures};
  });
}

template <class MakeSource>
const CudaKernel& KernelStore::find_or_make(const void* text, std::string_view host_name,
                                            std::span<const gpu::Constant> constants, MakeSource make_source) {
  const size_t hash = hash_of(text, host_name, constants);
  if (const CudaKernel* known = find(hash, text, host_name, constants)) return *known;
  const std::lock_guard making(making_);
  if (const CudaKernel* known = find(hash, text, host_name, constants)) return *known;  // made meanwhile
  std::unique_ptr<const CudaKernel> kernel = make(make_source(), host_name, constants);
  const std::lock_guard lookup(lookup_);
  std::vector<Entry>& entries = kernels_[hash];
  entries.push_back({text, std::string(host_name), {constants.begin(), constants.end()}, std::move(kernel)});
  return *entries.back().kernel;
}

const CudaKernel* KernelStore::find(size_t hash, const void* text, std::string_view host_name,
                                    std::span<const gpu::Constant> constants) {
  const std::lock_guard lookup(lookup_);
  const auto entries = kernels_.find(hash);
  if (entries == kernels_.end()) return nullptr;
  for (const Entry& entry : entries->second) {
    if (entry.text == text && entry.host_name == host_name && std::ranges::equal(entry.constants, constants)) {
      return entry.kernel.get();
    }
  }
  return nullptr;
}

std::unique_ptr<const CudaKernel> KernelStore::make(const Source& source, std::string_view host_name,
                                                    std::span<const gpu::Constant> constants) {
  for (const msl::KernelSignature& signature : *source.signatures) {
    if (signature.host_name != host_name) continue;
    return std::make_unique<CudaKernel>(device_, module(source, signature, constants), signature, constants);
  }
  fail_argument("kernel", "name", cat("a kernel of ", source.name), quoted(host_name));
}

Module KernelStore::module(const Source& source, const msl::KernelSignature& signature,
                           std::span<const gpu::Constant> constants) {
  for (const LoadedModule& loaded : modules_) {
    if (loaded.source.identity() == source.identity() && std::ranges::equal(loaded.constants, constants)) {
      return loaded.handle;
    }
  }
  const std::string code = image(source, constant_options(signature, constants));
  Module handle = nullptr;
  device_.check(device_.api().module_load_data(&handle, code.c_str()), "loading the kernels of ", source.name);
  modules_.push_back({source, {constants.begin(), constants.end()}, handle});
  return handle;
}

std::string KernelStore::image(const Source& source, std::span<const std::string> options) {
  const std::string name(source.name), text(source.cuda);
  const int capability = device_.compute_capability();
  const Sha256::Digest key = compiler_->key(name, text, options, capability);
  if (std::optional<std::string> cached = cache_.load(key)) return *std::move(cached);
  std::string compiled = compiler_->compile(name, text, options, capability);
  cache_.store(key, compiled);
  return compiled;
}

}  // namespace ingot::cuda
