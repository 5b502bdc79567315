#include "ingot/device/cuda/cuda_api.h"

#include "ingot/base/strings.h"
#include "ingot/device/cuda/library.h"

namespace ingot::cuda {
namespace {

Api bind_all(Library& cuda) {
  Api api{};
  cuda.bind(api.init, "cuInit");
  cuda.bind(api.driver_get_version, "cuDriverGetVersion");
  cuda.bind(api.get_error_name, "cuGetErrorName");
  cuda.bind(api.get_error_string, "cuGetErrorString");
  cuda.bind(api.device_get_count, "cuDeviceGetCount");
  cuda.bind(api.device_get, "cuDeviceGet");
  cuda.bind(api.device_get_name, "cuDeviceGetName");
  cuda.bind(api.device_get_attribute, "cuDeviceGetAttribute");
  cuda.bind(api.device_total_mem, "cuDeviceTotalMem_v2");
  cuda.bind(api.primary_ctx_retain, "cuDevicePrimaryCtxRetain");
  cuda.bind(api.primary_ctx_release, "cuDevicePrimaryCtxRelease_v2");
  cuda.bind(api.ctx_get_current, "cuCtxGetCurrent");
  cuda.bind(api.ctx_set_current, "cuCtxSetCurrent");
  cuda.bind(api.mem_get_info, "cuMemGetInfo_v2");
  cuda.bind(api.mem_alloc, "cuMemAlloc_v2");
  cuda.bind(api.mem_free, "cuMemFree_v2");
  cuda.bind(api.mem_host_alloc, "cuMemHostAlloc");
  cuda.bind(api.mem_free_host, "cuMemFreeHost");
  cuda.bind(api.memcpy_to_device, "cuMemcpyHtoDAsync_v2");
  cuda.bind(api.memcpy_to_host, "cuMemcpyDtoHAsync_v2");
  cuda.bind(api.memcpy_on_device, "cuMemcpyDtoDAsync_v2");
  cuda.bind(api.memset_bytes, "cuMemsetD8Async");
  cuda.bind(api.stream_create, "cuStreamCreate");
  cuda.bind(api.stream_destroy, "cuStreamDestroy_v2");
  cuda.bind(api.stream_synchronize, "cuStreamSynchronize");
  cuda.bind(api.stream_begin_capture, "cuStreamBeginCapture_v2");
  cuda.bind(api.stream_end_capture, "cuStreamEndCapture");
  cuda.bind(api.event_create, "cuEventCreate");
  cuda.bind(api.event_destroy, "cuEventDestroy_v2");
  cuda.bind(api.event_record, "cuEventRecord");
  cuda.bind(api.event_query, "cuEventQuery");
  cuda.bind(api.event_synchronize, "cuEventSynchronize");
  cuda.bind(api.event_elapsed_time, "cuEventElapsedTime");
  cuda.bind(api.module_load_data, "cuModuleLoadData");
  cuda.bind(api.module_unload, "cuModuleUnload");
  cuda.bind(api.module_get_function, "cuModuleGetFunction");
  cuda.bind(api.func_get_attribute, "cuFuncGetAttribute");
  cuda.bind(api.func_set_attribute, "cuFuncSetAttribute");
  cuda.bind(api.launch_kernel, "cuLaunchKernelEx");
  cuda.bind(api.graph_instantiate, "cuGraphInstantiateWithFlags");
  cuda.bind(api.graph_destroy, "cuGraphDestroy");
  cuda.bind(api.graph_exec_destroy, "cuGraphExecDestroy");
  cuda.bind(api.graph_launch, "cuGraphLaunch");
  cuda.bind_if_there(api.func_get_param_info, "cuFuncGetParamInfo");
  return api;
}

struct Opened {
  Api api{};
  std::string error;

  Opened() {
    Library cuda(library_paths("INGOT_CUDA_LIBRARY", {"libcuda.so.1"}));
    if (!cuda.opened()) {
      error = cat("the CUDA driver's library cannot be opened (", cuda.error(), ")");
      return;
    }
    api = bind_all(cuda);
    if (!cuda.missing().empty()) error = cat(cuda.path(), " is too old: it lacks ", cuda.missing());
  }
};

}  // namespace

const Api* cuda_api(std::string* why) {
  static const Opened opened;
  if (opened.error.empty()) return &opened.api;
  if (why) *why = opened.error;
  return nullptr;
}

std::string describe(const Api& api, Result result) {
  const char *name = nullptr, *text = nullptr;
  if (api.get_error_name(result, &name) != kSuccess || !name) name = "unknown CUDA error";
  if (api.get_error_string(result, &text) != kSuccess || !text) text = "no description";
  return cat(name, " (", result, "): ", text);
}

std::string version_text(int version) { return cat(version / 1000, '.', version % 1000 / 10); }

}  // namespace ingot::cuda
