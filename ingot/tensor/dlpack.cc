#include "ingot/tensor/dlpack.h"

#include <memory>

#include "ingot/base/error.h"

namespace ingot {

namespace {

using namespace dlpack;

struct Entry {
  DType dtype;
  uint8_t code, bits;
};
constexpr Entry kTable[] = {
    {DType::kBool, kDLBool, 8},
    {DType::kU8, kDLUInt, 8},
    {DType::kI8, kDLInt, 8},
    {DType::kI16, kDLInt, 16},
    {DType::kI32, kDLInt, 32},
    {DType::kI64, kDLInt, 64},
    {DType::kF8E4M3, kDLFloat8_e4m3fn, 8},
    {DType::kF8E5M2, kDLFloat8_e5m2, 8},
    {DType::kF8E8M0, kDLFloat8_e8m0fnu, 8},
    {DType::kF16, kDLFloat, 16},
    {DType::kBF16, kDLBfloat, 16},
    {DType::kF32, kDLFloat, 32},
    {DType::kF64, kDLFloat, 64},
};
static_assert(std::size(kTable) == kNumDTypes);

// What an exported struct points to, in one allocation with it.
struct Exported {
  DLManagedTensorVersioned managed;
  Tensor tensor;
  Dims sizes, strides;
};

[[noreturn]] void refuse(std::string_view what) { fail(ErrorKind::kArgument, "from_dlpack", what); }

DType dtype_of_dlpack(const DLDataType& t) {
  if (t.lanes != 1) refuse(cat("vector types are not supported: ", t.lanes, " lanes"));
  for (const Entry& e : kTable)
    if (e.code == t.code && e.bits == t.bits) return e.dtype;
  refuse(cat("no such dtype here: code ", t.code, " of ", t.bits, " bits"));
}

Tensor import(const DLManagedTensorVersioned& managed, std::shared_ptr<void> owner) {
  if (managed.version.major != kMajorVersion)
    refuse(cat("version ", kMajorVersion, ".x is understood, got ", managed.version.major, ".", managed.version.minor));
  const DLTensor& t = managed.dl_tensor;
  if (t.device.device_type != kDLCPU && t.device.device_type != kDLCUDAHost)
    refuse(cat("only CPU memory can be shared, got device type ", t.device.device_type));
  DType dtype = dtype_of_dlpack(t.dtype);
  if (t.ndim < 0 || t.ndim > kMaxRank) refuse(cat("at most ", kMaxRank, " dimensions, got ", t.ndim));
  if (t.ndim > 0 && !t.shape) refuse("no shape");
  Dims sizes(std::span<const int64_t>(t.shape, size_t(t.ndim)));
  int64_t count = numel(sizes, "from_dlpack");
  Dims strides = t.strides ? Dims(std::span<const int64_t>(t.strides, size_t(t.ndim))) : contiguous_strides(sizes);
  if (count == 0) return Tensor(Storage::borrow(nullptr, 0, std::move(owner)), 0, sizes, strides, dtype);
  if (!t.data) refuse("no data");
  // Strides may be negative, so the storage starts at the lowest byte that any element has.
  __int128 low = 0, high = 0;
  for (int i = 0; i < sizes.size(); i++) {
    __int128 reach = static_cast<__int128>(strides[i]) * (sizes[i] - 1);
    (reach < 0 ? low : high) += reach;
  }
  __int128 item = itemsize(dtype), first = reinterpret_cast<uintptr_t>(t.data);
  first += t.byte_offset;
  constexpr int64_t kLimit = INT64_MAX / 16;
  if (low < -kLimit || high > kLimit || first + low * item <= 0 || first + (high + 1) * item > INT64_MAX)
    refuse(cat("sizes ", sizes, ", strides ", strides, " and byte offset ", t.byte_offset,
               " reach outside the address space"));
  void* start = reinterpret_cast<void*>(static_cast<uintptr_t>(first + low * item));
  auto storage =
      Storage::borrow(start, size_t((high - low + 1) * item), std::move(owner), kCpu, managed.flags & kFlagReadOnly);
  return Tensor(std::move(storage), static_cast<int64_t>(-low * item), sizes, strides, dtype);
}

}  // namespace

DLManagedTensorVersioned* to_dlpack(const Tensor& x) {
  if (!x.defined()) fail(ErrorKind::kArgument, "to_dlpack", "undefined tensor");
  if (!x.device().is_cpu())
    fail(ErrorKind::kUnsupported, "to_dlpack", cat("memory on ", x.device(), " cannot be shared; move it to the cpu"));
  auto exported = std::make_unique<Exported>();
  exported->tensor = x.detach();
  exported->sizes = x.sizes();
  exported->strides = x.strides();
  const Entry& entry = kTable[static_cast<int>(x.dtype())];
  DLManagedTensorVersioned& m = exported->managed;
  m.version = {kMajorVersion, kMinorVersion};
  m.manager_ctx = exported.get();
  m.deleter = [](DLManagedTensorVersioned* self) { delete static_cast<Exported*>(self->manager_ctx); };
  m.flags = x.storage()->read_only() ? kFlagReadOnly : 0;
  m.dl_tensor = {x.raw_data(),
                 {kDLCPU, 0},
                 x.dim(),
                 {entry.code, entry.bits, 1},
                 x.dim() ? &exported->sizes[0] : nullptr,
                 x.dim() ? &exported->strides[0] : nullptr,
                 0};
  return &exported.release()->managed;
}

Tensor from_dlpack(DLManagedTensorVersioned* managed) {
  if (!managed) refuse("null pointer");
  std::shared_ptr<void> owner(managed, [](void* p) {
    auto* m = static_cast<DLManagedTensorVersioned*>(p);
    if (m->deleter) m->deleter(m);
  });
  return import(*managed, std::move(owner));
}

}  // namespace ingot
