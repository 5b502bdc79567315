// Sharing tensors with other libraries in one process, without copying: the versioned DLPack 1.x interface.
#pragma once
#include <cstdint>

#include "ingot/base/export.h"
#include "ingot/tensor/tensor.h"

// The C structs as the DLPack specification lays them out. In a namespace of our own: an including program may have the
// official header too.
namespace ingot::dlpack {

inline constexpr uint32_t kMajorVersion = 1, kMinorVersion = 1;

struct DLPackVersion {
  uint32_t major, minor;
};

enum DLDeviceType : int32_t { kDLCPU = 1, kDLCUDA = 2, kDLCUDAHost = 3, kDLMetal = 8 };

struct DLDevice {
  int32_t device_type;
  int32_t device_id;
};

enum DLDataTypeCode : uint8_t {
  kDLInt = 0,
  kDLUInt = 1,
  kDLFloat = 2,
  kDLBfloat = 4,
  kDLBool = 6,
  kDLFloat8_e4m3fn = 10,
  kDLFloat8_e5m2 = 12,
  kDLFloat8_e8m0fnu = 14,
};

struct DLDataType {
  uint8_t code;
  uint8_t bits;    // of one lane
  uint16_t lanes;  // above 1: a vector type
};

struct DLTensor {
  void* data;
  DLDevice device;
  int32_t ndim;
  DLDataType dtype;
  int64_t* shape;
  int64_t* strides;      // in elements; null: contiguous (up to version 1.1)
  uint64_t byte_offset;  // of the first element from `data`
};

inline constexpr uint64_t kFlagReadOnly = 1, kFlagIsCopied = 2;

struct DLManagedTensorVersioned {
  DLPackVersion version;
  void* manager_ctx;
  void (*deleter)(DLManagedTensorVersioned* self);  // may be null: nothing to release
  uint64_t flags;
  DLTensor dl_tensor;
};

}  // namespace ingot::dlpack

namespace ingot {

// Shares x's memory; whoever takes it calls its deleter once, and the storage lives until then. Read-only storage is
// marked so. Error for a device that this build cannot share, and for an undefined tensor.
INGOT_API dlpack::DLManagedTensorVersioned* to_dlpack(const Tensor& x);

// Takes `managed` over: its deleter is called once, when the last view of the tensor goes, or before an Error is thrown
// (then nothing is shared). Error for another major version (of such a struct only the deleter is touched), a device
// other than the CPU, a dtype that Ingot does not have, vector types (lanes), a rank above 8, negative sizes, null
// pointers where there is data, and arithmetic that overflows. The extent of the memory is the producer's word: DLPack
// gives no size to hold it against.
INGOT_API Tensor from_dlpack(dlpack::DLManagedTensorVersioned* managed);

}  // namespace ingot
