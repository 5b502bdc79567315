#include "ingot/device/cuda/fake_cuda_test.h"

#include <algorithm>
#include <cstring>

#include "ingot/msl/msl.h"

namespace ingot::cuda {
namespace {

FakeCuda* fake = nullptr;

Result call(const char* name) {
  fake->calls.push_back(name);
  const auto found = fake->fail.find(name);
  return found == fake->fail.end() ? kSuccess : found->second;
}

template <class Handle>
Handle new_handle() {
  return reinterpret_cast<Handle>(fake->next_handle += 16);
}

// A function of the table: logs its call, fails if the test says so, otherwise does `body`.
template <class Body>
Result run(const char* name, Body body) {
  const std::lock_guard lock(fake->mutex);
  if (const Result result = call(name); result != kSuccess) return result;
  return body();
}
template <class... Ignored>
Result nothing(const char* name, Ignored...) {
  return run(name, [] { return kSuccess; });
}

Result launch_kernel(const LaunchConfig* config, Function function, void** arguments, void**) {
  return run("launch_kernel", [&] {
    FakeLaunch launch{fake->functions[function], *config, false, config->stream, {}};
    for (unsigned i = 0; i < config->attribute_count; ++i) {
      const LaunchAttribute& attribute = config->attributes[i];
      launch.programmatic |= attribute.id == kProgrammaticStreamSerialization && attribute.value.allowed == 1;
    }
    for (const size_t bytes : fake->parameter_bytes[launch.kernel]) {
      const auto* data = static_cast<const uint8_t*>(arguments[launch.arguments.size()]);
      launch.arguments.emplace_back(data, data + bytes);
    }
    fake->launches.push_back(std::move(launch));
    return kSuccess;
  });
}

void fill_device_part(Api& api) {
  api.init = [](unsigned) { return nothing("init"); };
  api.driver_get_version = [](int* version) {
    *version = fake->driver_version;
    return nothing("driver_get_version");
  };
  api.get_error_name = [](Result result, const char** name) {
    *name = result == kIllegalAddress ? "CUDA_ERROR_ILLEGAL_ADDRESS" : "CUDA_ERROR_MADE_UP";
    return kSuccess;
  };
  api.get_error_string = [](Result, const char** text) {
    *text = "made up by the test";
    return kSuccess;
  };
  api.device_get_count = [](int* count) {
    *count = 1;
    return nothing("device_get_count");
  };
  api.device_get = [](DeviceId* device, int index) {
    *device = index;
    return nothing("device_get");
  };
  api.device_get_name = [](char* name, int length, DeviceId) {
    std::strncpy(name, "Fake GPU", size_t(length));
    return nothing("device_get_name");
  };
  api.device_get_attribute = [](int* value, int attribute, DeviceId) {
    *value = attribute == kComputeCapabilityMajor   ? fake->compute_capability / 10
             : attribute == kComputeCapabilityMinor ? fake->compute_capability % 10
                                                    : 227 << 10;
    return nothing("device_get_attribute");
  };
  api.device_total_mem = [](size_t* bytes, DeviceId) {
    *bytes = size_t{2} << 30;
    return nothing("device_total_mem");
  };
  api.primary_ctx_retain = [](Context* context, DeviceId) {
    *context = new_handle<Context>();
    return nothing("primary_ctx_retain");
  };
  api.primary_ctx_release = [](DeviceId) { return nothing("primary_ctx_release"); };
  api.ctx_get_current = [](Context* context) {
    *context = fake->current;
    return kSuccess;
  };
  api.ctx_set_current = [](Context context) {
    fake->current = context;
    return nothing("ctx_set_current");
  };
}

void fill_memory_part(Api& api) {
  api.mem_get_info = [](size_t* free, size_t* total) {
    *free = fake->free_bytes, *total = size_t{2} << 30;
    return nothing("mem_get_info");
  };
  api.mem_alloc = [](Address* address, size_t bytes) {
    return run("mem_alloc", [&] {
      std::vector<char> block(bytes);
      *address = reinterpret_cast<Address>(block.data());
      fake->memory.emplace(*address, std::move(block));
      return kSuccess;
    });
  };
  api.mem_free = [](Address address) {
    return run("mem_free", [&] { return fake->memory.erase(address) == 1 ? kSuccess : kInvalidValue; });
  };
  api.mem_host_alloc = [](void** pointer, size_t bytes, unsigned) {
    return run("mem_host_alloc", [&] {
      *pointer = std::malloc(bytes);
      return kSuccess;
    });
  };
  api.mem_free_host = [](void* pointer) {
    std::free(pointer);
    return nothing("mem_free_host");
  };
  api.memcpy_to_device = [](Address to, const void* from, size_t bytes, Stream) {
    return run("memcpy_to_device", [&] {
      std::memcpy(reinterpret_cast<void*>(to), from, bytes);
      return kSuccess;
    });
  };
  api.memcpy_to_host = [](void* to, Address from, size_t bytes, Stream) {
    return run("memcpy_to_host", [&] {
      std::memcpy(to, reinterpret_cast<const void*>(from), bytes);
      return kSuccess;
    });
  };
  api.memcpy_on_device = [](Address to, Address from, size_t bytes, Stream stream) {
    return run("memcpy_on_device", [&] {
      if (!fake->capturing[stream]) {
        std::memcpy(reinterpret_cast<void*>(to), reinterpret_cast<const void*>(from), bytes);
      }
      return kSuccess;
    });
  };
  api.memset_bytes = [](Address to, unsigned char value, size_t bytes, Stream stream) {
    return run("memset_bytes", [&] {
      if (!fake->capturing[stream]) std::memset(reinterpret_cast<void*>(to), value, bytes);
      return kSuccess;
    });
  };
}

void fill_stream_part(Api& api) {
  api.stream_create = [](Stream* stream, unsigned) {
    return run("stream_create", [&] {
      *stream = new_handle<Stream>();
      return kSuccess;
    });
  };
  api.stream_destroy = [](Stream stream) {
    return run("stream_destroy", [&] {
      fake->capturing.erase(stream);
      return kSuccess;
    });
  };
  api.stream_synchronize = [](Stream) { return nothing("stream_synchronize"); };
  api.stream_begin_capture = [](Stream stream, int mode) {
    return run("stream_begin_capture", [&] {
      fake->capturing[stream] = true;
      return mode == kCaptureModeRelaxed ? kSuccess : kInvalidValue;
    });
  };
  api.stream_end_capture = [](Stream stream, Graph* graph) {
    return run("stream_end_capture", [&] {
      fake->capturing[stream] = false;
      *graph = new_handle<Graph>();
      return kSuccess;
    });
  };
  api.event_create = [](EventHandle* event, unsigned) {
    return run("event_create", [&] {
      *event = new_handle<EventHandle>();
      return kSuccess;
    });
  };
  api.event_destroy = [](EventHandle) { return nothing("event_destroy"); };
  api.event_record = [](EventHandle, Stream) { return nothing("event_record"); };
  api.event_query = [](EventHandle) { return nothing("event_query"); };
  api.event_synchronize = [](EventHandle) { return nothing("event_synchronize"); };
  api.event_elapsed_time = [](float* milliseconds, EventHandle, EventHandle) {
    *milliseconds = 2;
    return nothing("event_elapsed_time");
  };
  api.graph_instantiate = [](GraphExec* exec, Graph, unsigned long long) {
    *exec = new_handle<GraphExec>();
    return nothing("graph_instantiate");
  };
  api.graph_destroy = [](Graph) { return nothing("graph_destroy"); };
  api.graph_exec_destroy = [](GraphExec) { return nothing("graph_exec_destroy"); };
  api.graph_launch = [](GraphExec, Stream) { return nothing("graph_launch"); };
}

void fill_kernel_part(Api& api) {
  api.module_load_data = [](Module* module, const void* image) {
    return run("module_load_data", [&] {
      *module = new_handle<Module>();
      fake->modules[*module] = static_cast<const char*>(image);
      return kSuccess;
    });
  };
  api.module_unload = [](Module) { return nothing("module_unload"); };
  api.module_get_function = [](Function* function, Module, const char* name) {
    return run("module_get_function", [&] {
      *function = new_handle<Function>();
      fake->functions[*function] = name;
      return kSuccess;
    });
  };
  api.func_get_attribute = [](int* value, int attribute, Function) {
    *value = attribute == kMaxThreadsPerBlock ? fake->max_threads : fake->static_shared_bytes;
    return nothing("func_get_attribute");
  };
  api.func_set_attribute = [](Function, int attribute, int value) {
    fake->function_attributes_set.emplace_back(attribute, value);
    return nothing("func_set_attribute");
  };
  api.launch_kernel = launch_kernel;
  api.func_get_param_info = [](Function function, size_t index, size_t* offset, size_t* bytes) {
    const std::vector<size_t>& known = fake->parameter_bytes[fake->functions[function]];
    *offset = 0, *bytes = index < known.size() ? known[index] : 0;
    return nothing("func_get_param_info");
  };
}

Api make_api() {
  Api api{};
  fill_device_part(api);
  fill_memory_part(api);
  fill_stream_part(api);
  fill_kernel_part(api);
  return api;
}

// What the fake compiler makes: its options and a NUL, so that they can be read again out of the module.
std::string last_image;

NvrtcApi make_nvrtc_api() {
  NvrtcApi api{};
  api.version = [](int* major, int* minor) {
    *major = 13, *minor = 0;
    return 0;
  };
  api.error_text = [](int) { return "NVRTC_ERROR_MADE_UP"; };
  api.create = [](NvrtcProgram* program, const char*, const char*, int, const char* const*, const char* const*) {
    *program = reinterpret_cast<NvrtcProgram>(&last_image);
    return 0;
  };
  api.destroy = [](NvrtcProgram*) { return 0; };
  api.compile = [](NvrtcProgram, int count, const char* const* options) {
    fake->calls.push_back("compile");
    fake->compiled_options.emplace_back(options, options + count);
    last_image = "cubin";
    for (int i = 0; i < count; ++i) last_image += cat(' ', options[i]);
    return fake->compile_log.empty() ? 0 : 6;
  };
  api.log_size = [](NvrtcProgram, size_t* bytes) {
    *bytes = fake->compile_log.size() + 1;
    return 0;
  };
  api.log = [](NvrtcProgram, char* text) {
    std::strcpy(text, fake->compile_log.c_str());
    return 0;
  };
  api.cubin_size = [](NvrtcProgram, size_t* bytes) {
    *bytes = last_image.size() + 1;
    return 0;
  };
  api.cubin = [](NvrtcProgram, char* image) {
    std::strcpy(image, last_image.c_str());
    return 0;
  };
  api.ptx_size = api.cubin_size;
  api.ptx = [](NvrtcProgram, char* text) {
    std::strcpy(text, last_image.c_str());
    std::memcpy(text, "ptx..", 5);
    return 0;
  };
  api.architecture_count = [](int* count) {
    *count = 2;
    return 0;
  };
  api.architectures = [](int* numbers) {
    numbers[0] = 80, numbers[1] = 90;
    return 0;
  };
  return api;
}

}  // namespace

FakeCuda::FakeCuda() {
  fake = this;
  current = nullptr;
}
FakeCuda::~FakeCuda() { fake = nullptr; }

const Api& FakeCuda::api() const {
  static const Api table = make_api();
  return table;
}

const NvrtcApi& FakeCuda::nvrtc_api() const {
  static const NvrtcApi table = make_nvrtc_api();
  return table;
}

std::shared_ptr<const Nvrtc> FakeCuda::compiler() const {
  return std::make_shared<Nvrtc>(nvrtc_api(), "libnvrtc.fake.so", msl::embedded_headers());
}

std::unique_ptr<CudaDriver> FakeCuda::driver(const std::string& cache_folder) const {
  return std::make_unique<CudaDriver>(api(), 0, compiler(), CubinCache(cache_folder));
}

size_t FakeCuda::count(const std::string& name) const {
  const std::lock_guard lock(mutex);
  return size_t(std::count(calls.begin(), calls.end(), name));
}

std::shared_ptr<const gpu::KernelText> kernel_text(const std::string& name, const std::string& metal) {
  const msl::Module module = msl::read(name, metal, msl::read_embedded_header);
  return std::make_shared<gpu::KernelText>(
      gpu::KernelText{name, msl::emit_metal(module), msl::emit_cuda(module), msl::signatures(module)});
}

}  // namespace ingot::cuda
