// The part of CUDA's driver API that Ingot uses, declared here so that no CUDA header is needed, and opened at run
// time. Names are the API's in Ingot's spelling: cuMemAlloc_v2 is mem_alloc. Whether layouts and values agree with
// cuda.h is checked by cuda_api_test.cc where that header is installed.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>

namespace ingot::cuda {

using Result = int;    // CUresult
using DeviceId = int;  // CUdevice
using Address = unsigned long long;
using Context = struct ContextTag*;
using Stream = struct StreamTag*;
using EventHandle = struct EventTag*;
using Module = struct ModuleTag*;
using Function = struct FunctionTag*;
using Graph = struct GraphTag*;
using GraphExec = struct GraphExecTag*;

// CUresult
inline constexpr Result kSuccess = 0;
inline constexpr Result kInvalidValue = 1;
inline constexpr Result kOutOfMemory = 2;
inline constexpr Result kDeinitialized = 4;
inline constexpr Result kNoDevice = 100;
inline constexpr Result kNotReady = 600;
inline constexpr Result kIllegalAddress = 700;

// CUdevice_attribute
inline constexpr int kComputeCapabilityMajor = 75;
inline constexpr int kComputeCapabilityMinor = 76;
inline constexpr int kMaxSharedMemoryPerBlockOptin = 97;

// CUfunction_attribute
inline constexpr int kMaxThreadsPerBlock = 0;
inline constexpr int kSharedSizeBytes = 1;
inline constexpr int kMaxDynamicSharedSizeBytes = 8;

inline constexpr unsigned kStreamNonBlocking = 1;           // CU_STREAM_NON_BLOCKING
inline constexpr unsigned kEventDefault = 0;                // CU_EVENT_DEFAULT
inline constexpr unsigned kEventDisableTiming = 2;          // CU_EVENT_DISABLE_TIMING
inline constexpr int kCaptureModeRelaxed = 2;               // CU_STREAM_CAPTURE_MODE_RELAXED
inline constexpr int kProgrammaticStreamSerialization = 6;  // CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION

struct LaunchAttribute {  // CUlaunchAttribute
  int id;
  char pad[4];
  union Value {
    char pad[64];
    int allowed;  // of kProgrammaticStreamSerialization
  } value;
};

struct LaunchConfig {  // CUlaunchConfig
  unsigned grid_x, grid_y, grid_z;
  unsigned block_x, block_y, block_z;
  unsigned shared_bytes;
  Stream stream;
  LaunchAttribute* attributes;
  unsigned attribute_count;
};

struct Api {
  Result (*init)(unsigned flags);
  Result (*driver_get_version)(int* version);
  Result (*get_error_name)(Result result, const char** name);
  Result (*get_error_string)(Result result, const char** text);

  Result (*device_get_count)(int* count);
  Result (*device_get)(DeviceId* device, int index);
  Result (*device_get_name)(char* name, int length, DeviceId device);
  Result (*device_get_attribute)(int* value, int attribute, DeviceId device);
  Result (*device_total_mem)(size_t* bytes, DeviceId device);
  Result (*primary_ctx_retain)(Context* context, DeviceId device);
  Result (*primary_ctx_release)(DeviceId device);
  Result (*ctx_get_current)(Context* context);
  Result (*ctx_set_current)(Context context);

  Result (*mem_get_info)(size_t* free, size_t* total);
  Result (*mem_alloc)(Address* address, size_t bytes);
  Result (*mem_free)(Address address);
  Result (*mem_host_alloc)(void** pointer, size_t bytes, unsigned flags);
  Result (*mem_free_host)(void* pointer);
  Result (*memcpy_to_device)(Address to, const void* from, size_t bytes, Stream stream);
  Result (*memcpy_to_host)(void* to, Address from, size_t bytes, Stream stream);
  Result (*memcpy_on_device)(Address to, Address from, size_t bytes, Stream stream);
  Result (*memset_bytes)(Address to, unsigned char value, size_t bytes, Stream stream);

  Result (*stream_create)(Stream* stream, unsigned flags);
  Result (*stream_destroy)(Stream stream);
  Result (*stream_synchronize)(Stream stream);
  Result (*stream_begin_capture)(Stream stream, int mode);
  Result (*stream_end_capture)(Stream stream, Graph* graph);

  Result (*event_create)(EventHandle* event, unsigned flags);
  Result (*event_destroy)(EventHandle event);
  Result (*event_record)(EventHandle event, Stream stream);
  Result (*event_query)(EventHandle event);
  Result (*event_synchronize)(EventHandle event);
  Result (*event_elapsed_time)(float* milliseconds, EventHandle from, EventHandle to);

  Result (*module_load_data)(Module* module, const void* image);
  Result (*module_unload)(Module module);
  Result (*module_get_function)(Function* function, Module module, const char* name);
  Result (*func_get_attribute)(int* value, int attribute, Function function);
  Result (*func_set_attribute)(Function function, int attribute, int value);
  Result (*launch_kernel)(const LaunchConfig* config, Function function, void** arguments, void** extra);

  Result (*graph_instantiate)(GraphExec* exec, Graph graph, unsigned long long flags);
  Result (*graph_destroy)(Graph graph);
  Result (*graph_exec_destroy)(GraphExec exec);
  Result (*graph_launch)(GraphExec exec, Stream stream);

  // From CUDA 12.4 on, null before: where an argument of a kernel lies and how many bytes it has.
  Result (*func_get_param_info)(Function function, size_t index, size_t* offset, size_t* bytes);
};

// libcuda.so.1, or what INGOT_CUDA_LIBRARY names, opened on the first call. Null where there is none or a function is
// missing, and then `why` (if not null) says so in a sentence without a full stop.
const Api* cuda_api(std::string* why = nullptr);

// "CUDA_ERROR_ILLEGAL_ADDRESS (700): an illegal memory access was encountered"
std::string describe(const Api& api, Result result);

// 13000 -> "13.0"
std::string version_text(int version);

}  // namespace ingot::cuda
