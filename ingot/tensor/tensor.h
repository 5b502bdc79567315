// A tensor: a cheap handle of storage, byte offset, sizes, strides and dtype. Copying the handle shares the data.
// Views never copy. Strides are in elements and may be 0 or, through as_strided and flip, any value that stays inside
// the storage.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "ingot/base/dims.h"
#include "ingot/base/dtype.h"
#include "ingot/base/export.h"
#include "ingot/tensor/storage.h"

namespace ingot {

struct AutogradMeta;  // ingot/tensor/autograd.h

class INGOT_API Tensor {
 public:
  Tensor() = default;  // undefined: stands for "no tensor" (an absent bias); whatever needs its data is an Error
  // Error if any element would lie outside the storage. Without elements, strides and offset mean nothing and become
  // contiguous and 0.
  Tensor(std::shared_ptr<Storage> storage, int64_t byte_offset, Dims sizes, Dims strides, DType dtype);

  bool defined() const { return storage_ != nullptr; }
  const Dims& sizes() const { return sizes_; }
  const Dims& strides() const { return strides_; }
  int64_t size(int64_t dim) const;  // negative dims count from the end; Error if there is no such axis
  int64_t stride(int64_t dim) const;
  int dim() const { return sizes_.size(); }
  int64_t numel() const { return numel_; }
  int64_t nbytes() const {
    return numel_ * static_cast<int64_t>(itemsize(dtype_));
  }  // of the elements, were they contiguous
  DType dtype() const { return dtype_; }
  Device device() const { return defined_storage().device(); }
  bool is_contiguous() const;
  const std::shared_ptr<Storage>& storage() const { return storage_; }
  int64_t byte_offset() const { return byte_offset_; }
  uint64_t version() const { return defined_storage().version(); }

  void* raw_data() const { return static_cast<char*>(defined_storage().data()) + byte_offset_; }  // on the CPU only
  // Error unless T is the dtype and the tensor lies on the CPU.
  template <class T>
  T* data() const {
    check_access(dtype_of<T>);
    return static_cast<T*>(raw_data());
  }
  double item() const;  // the one element of a one-element tensor, as double; Error otherwise
  // x itself on the CPU; from a GPU a copy of its bytes, of the same sizes and strides. Waits, and throws what kernels
  // reported.
  Tensor cpu() const;

  // Views. Arguments as in PyTorch; Error if they do not fit.
  Tensor view(const Dims& sizes) const;  // one size may be -1; Error if the strides do not allow it
  Tensor transpose(int64_t dim0, int64_t dim1) const;
  Tensor t() const { return transpose(-2, -1); }
  Tensor permute(const Dims& order) const;
  Tensor slice(int64_t dim, int64_t start, int64_t end,
               int64_t step = 1) const;                             // step >= 1; start and end clamp as in Python
  Tensor narrow(int64_t dim, int64_t start, int64_t length) const;  // Error outside the axis
  Tensor select(int64_t dim, int64_t index) const;
  Tensor unsqueeze(int64_t dim) const;
  Tensor squeeze(int64_t dim) const;       // unchanged if that size is not 1
  Tensor expand(const Dims& sizes) const;  // -1 keeps a size
  Tensor as_strided(const Dims& sizes, const Dims& strides, int64_t byte_offset) const;
  Tensor view_dtype(DType dtype) const;  // same bytes, same itemsize
  Tensor detach() const;

  const std::shared_ptr<AutogradMeta>& autograd() const { return autograd_; }
  void set_autograd(std::shared_ptr<AutogradMeta> meta) { autograd_ = std::move(meta); }

 private:
  [[noreturn]] static void fail_undefined();
  const Storage& defined_storage() const {
    if (!storage_) fail_undefined();
    return *storage_;
  }
  void check_access(DType wanted) const;
  Tensor with(Dims sizes, Dims strides, int64_t byte_offset) const;

  std::shared_ptr<Storage> storage_;
  int64_t byte_offset_ = 0;
  int64_t numel_ = 0;
  Dims sizes_, strides_;
  DType dtype_ = DType::kF32;
  std::shared_ptr<AutogradMeta> autograd_;
};

// New tensors. On a GPU f64 is an Error kUnsupported.
INGOT_API Tensor empty(const Dims& sizes, DType dtype, Device device = kCpu);  // contents undefined
INGOT_API Tensor empty_like(const Tensor& x);                                  // contiguous
INGOT_API Tensor zeros(const Dims& sizes, DType dtype, Device device = kCpu);
INGOT_API Tensor full(const Dims& sizes, double value, DType dtype,
                      Device device = kCpu);  // Error if an integer dtype cannot hold value
[[noreturn]] INGOT_API void fail_tensor_of(size_t count, const Dims& sizes);
// Copies of host values; Error if their number is not that of the sizes.
template <class T>
Tensor tensor_of(const std::vector<T>& values, const Dims& sizes, Device device = kCpu);
// Borrows contiguous memory; `owner` is kept alive as long as any view.
INGOT_API Tensor from_memory(void* data, const Dims& sizes, DType dtype, std::shared_ptr<void> owner = {},
                             bool read_only = false);

// All elements in order as T, through double for floats (strided, every dtype and device; for tests, printing and small
// tensors).
INGOT_API std::vector<double> to_doubles(const Tensor& x);
INGOT_API std::vector<int64_t> to_int64s(const Tensor& x);  // Error for floating dtypes

// "tensor([[1, 2], [3, 4]], f32, cpu)"; long axes are shortened to their first and last three.
INGOT_API std::string to_string(const Tensor& x);

INGOT_API Tensor tensor_from_bytes(const void* data, const Dims& sizes, DType dtype, Device device = kCpu);
template <class T>
Tensor tensor_of(const std::vector<T>& values, const Dims& sizes, Device device) {
  if (static_cast<int64_t>(values.size()) != numel(sizes)) fail_tensor_of(values.size(), sizes);
  if constexpr (std::is_same_v<T, bool>) {
    std::vector<uint8_t> bytes(values.begin(), values.end());
    return tensor_from_bytes(bytes.data(), sizes, DType::kBool, device);
  } else {
    return tensor_from_bytes(values.data(), sizes, dtype_of<T>, device);
  }
}

}  // namespace ingot
