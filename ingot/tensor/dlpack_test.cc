#include "ingot/tensor/dlpack.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <functional>

#include "ingot/base/error.h"
#include "ingot/device/cpu/memory.h"

namespace ingot {
namespace {

using namespace dlpack;

// The layout of the specification on a 64-bit machine.
static_assert(sizeof(DLDataType) == 4 && sizeof(DLDevice) == 8 && sizeof(DLTensor) == 48);
static_assert(offsetof(DLTensor, ndim) == 16 && offsetof(DLTensor, dtype) == 20 && offsetof(DLTensor, shape) == 24);
static_assert(sizeof(DLManagedTensorVersioned) == 80 && offsetof(DLManagedTensorVersioned, manager_ctx) == 8 &&
              offsetof(DLManagedTensorVersioned, deleter) == 16 && offsetof(DLManagedTensorVersioned, flags) == 24 &&
              offsetof(DLManagedTensorVersioned, dl_tensor) == 32);

// A foreign producer of a 2x3 f32 tensor that counts how often it is released.
struct Foreign {
  float values[6] = {1, 2, 3, 4, 5, 6};
  int64_t shape[9] = {2, 3, 1, 1, 1, 1, 1, 1, 1}, strides[9] = {3, 1, 1, 1, 1, 1, 1, 1, 1};
  int released = 0;
  DLManagedTensorVersioned managed{};

  Foreign() {
    managed.version = {1, 0};
    managed.manager_ctx = this;
    managed.deleter = [](DLManagedTensorVersioned* m) { static_cast<Foreign*>(m->manager_ctx)->released++; };
    managed.dl_tensor = {values, {kDLCPU, 0}, 2, {kDLFloat, 32, 1}, shape, strides, 0};
  }
};

TEST(DLPack, EveryDTypeGoesRound) {
  for (int i = 0; i < kNumDTypes; i++) {
    DType t = static_cast<DType>(i);
    Tensor x = full({2, 3}, 1, t);
    DLManagedTensorVersioned* m = to_dlpack(x);
    EXPECT_EQ(m->version.major, 1u);
    EXPECT_EQ(m->flags, 0u);
    EXPECT_EQ(m->dl_tensor.dtype.lanes, 1);
    EXPECT_EQ(m->dl_tensor.dtype.bits, 8 * itemsize(t));
    Tensor y = from_dlpack(m);
    EXPECT_EQ(y.dtype(), t);
    EXPECT_EQ(y.sizes(), x.sizes());
    EXPECT_EQ(y.raw_data(), x.raw_data()) << "shared, not copied";
    EXPECT_EQ(to_doubles(y), to_doubles(x));
  }
}

TEST(DLPack, CodesAreThoseOfTheSpecification) {
  auto code = [](DType t) {
    DLManagedTensorVersioned* m = to_dlpack(full({1}, 1, t));
    int c = m->dl_tensor.dtype.code;
    m->deleter(m);
    return c;
  };
  EXPECT_EQ(code(DType::kI8), 0);
  EXPECT_EQ(code(DType::kU8), 1);
  EXPECT_EQ(code(DType::kF64), 2);
  EXPECT_EQ(code(DType::kBF16), 4);
  EXPECT_EQ(code(DType::kBool), 6);
  EXPECT_EQ(code(DType::kF8E4M3), 10);
  EXPECT_EQ(code(DType::kF8E5M2), 12);
  EXPECT_EQ(code(DType::kF8E8M0), 14);
}

TEST(DLPack, StridedViewsGoRound) {
  Tensor x = tensor_of<int32_t>({0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, {3, 4});
  const Tensor views[] = {x.t(),
                          x.slice(1, 1, 4, 2),
                          x.select(0, 1),
                          x.select(0, 0).expand({2, 4}),
                          x.as_strided({3, 4}, {-4, -1}, 44),  // reversed both ways
                          x.as_strided({2, 4}, {4, -1}, 12),
                          x.select(0, 2).select(0, 3),  // a scalar
                          x.slice(0, 1, 1),
                          x.unsqueeze(0)};
  for (const Tensor& v : views) {
    Tensor y = from_dlpack(to_dlpack(v));
    EXPECT_EQ(y.sizes(), v.sizes());
    EXPECT_EQ(to_int64s(y), to_int64s(v)) << cat(v.sizes(), v.strides());
    if (v.numel() > 0) {
      EXPECT_EQ(y.raw_data(), v.raw_data());
      EXPECT_EQ(y.strides(), v.strides());
    }
  }
}

TEST(DLPack, TheStorageLivesUntilTheDeleterRuns) {
  size_t used = cpu_memory().used;
  DLManagedTensorVersioned* m = to_dlpack(full({1000}, 7, DType::kF32));
  EXPECT_GT(cpu_memory().used, used);
  EXPECT_EQ(static_cast<float*>(m->dl_tensor.data)[999], 7);
  m->deleter(m);
  EXPECT_EQ(cpu_memory().used, used);
  Tensor view = from_dlpack(to_dlpack(full({1000}, 8, DType::kF32))).slice(0, 999, 1000);
  EXPECT_EQ(view.item(), 8);
  view = Tensor();
  EXPECT_EQ(cpu_memory().used, used);
}

TEST(DLPack, ReadOnlyIsCarriedOver) {
  float value = 0;
  DLManagedTensorVersioned* m = to_dlpack(from_memory(&value, {1}, DType::kF32, {}, /*read_only=*/true));
  EXPECT_EQ(m->flags, kFlagReadOnly);
  EXPECT_TRUE(from_dlpack(m).storage()->read_only());
  Foreign f;
  f.managed.flags = kFlagIsCopied;
  EXPECT_FALSE(from_dlpack(&f.managed).storage()->read_only());
}

TEST(DLPack, ForeignTensorsAreReleasedOnce) {
  Foreign f;
  {
    Tensor x = from_dlpack(&f.managed);
    EXPECT_EQ(to_doubles(x), (std::vector<double>{1, 2, 3, 4, 5, 6}));
    Tensor y = x.t();
    x = Tensor();
    EXPECT_EQ(f.released, 0);
  }
  EXPECT_EQ(f.released, 1);
  Foreign without;
  without.managed.deleter = nullptr;
  EXPECT_EQ(from_dlpack(&without.managed).numel(), 6);
}

TEST(DLPack, NullStridesAreContiguousAndOffsetsCount) {
  Foreign f;
  f.managed.dl_tensor.strides = nullptr;
  EXPECT_EQ(to_doubles(from_dlpack(&f.managed).t()), (std::vector<double>{1, 4, 2, 5, 3, 6}));
  f.shape[0] = 1;
  f.managed.dl_tensor.byte_offset = 12;
  EXPECT_EQ(to_doubles(from_dlpack(&f.managed)), (std::vector<double>{4, 5, 6}));
}

TEST(DLPack, ScalarsAndEmptyTensors) {
  Foreign f;
  f.managed.dl_tensor.ndim = 0;
  f.managed.dl_tensor.shape = f.managed.dl_tensor.strides = nullptr;
  EXPECT_EQ(from_dlpack(&f.managed).item(), 1);
  Foreign e;
  e.shape[1] = 0;
  e.managed.dl_tensor.data = nullptr;
  EXPECT_EQ(from_dlpack(&e.managed).sizes(), (Dims{2, 0}));
  EXPECT_EQ(e.released, 1);
}

TEST(DLPack, RefusalsReleaseToo) {
  struct Row {
    const char* message;
    std::function<void(Foreign&)> spoil;
  };
  const Row rows[] = {
      {"version 1.x is understood, got 2.0",
       [](Foreign& f) {
         f.managed.version = {2, 0};
       }},
      {"version 1.x is understood, got 0.8",
       [](Foreign& f) {
         f.managed.version = {0, 8};
       }},
      {"only CPU memory can be shared, got device type 2",
       [](Foreign& f) {
         f.managed.dl_tensor.device = {kDLCUDA, 0};
       }},
      {"vector types are not supported: 4 lanes", [](Foreign& f) { f.managed.dl_tensor.dtype.lanes = 4; }},
      {"vector types are not supported: 0 lanes", [](Foreign& f) { f.managed.dl_tensor.dtype.lanes = 0; }},
      {"no such dtype here: code 5 of 64 bits",
       [](Foreign& f) {
         f.managed.dl_tensor.dtype = {5, 64, 1};
       }},
      {"no such dtype here: code 2 of 8 bits", [](Foreign& f) { f.managed.dl_tensor.dtype.bits = 8; }},
      {"no such dtype here: code 1 of 32 bits",
       [](Foreign& f) {
         f.managed.dl_tensor.dtype = {kDLUInt, 32, 1};
       }},
      {"at most 8 dimensions, got 9", [](Foreign& f) { f.managed.dl_tensor.ndim = 9; }},
      {"at most 8 dimensions, got -1", [](Foreign& f) { f.managed.dl_tensor.ndim = -1; }},
      {"no shape", [](Foreign& f) { f.managed.dl_tensor.shape = nullptr; }},
      {"no data", [](Foreign& f) { f.managed.dl_tensor.data = nullptr; }},
      {"size: expected no negative size, got [2, -3]", [](Foreign& f) { f.shape[1] = -3; }},
      {"number of elements: expected at most 2^62", [](Foreign& f) { f.shape[0] = f.shape[1] = INT64_MAX; }},
      {"reach outside the address space", [](Foreign& f) { f.managed.dl_tensor.byte_offset = UINT64_MAX; }},
      {"reach outside the address space", [](Foreign& f) { f.managed.dl_tensor.byte_offset = INT64_MAX; }},
      {"reach outside the address space", [](Foreign& f) { f.strides[0] = INT64_MAX; }},
      {"reach outside the address space", [](Foreign& f) { f.strides[0] = INT64_MIN; }},
      {"reach outside the address space", [](Foreign& f) { f.shape[0] = int64_t{1} << 60; }},
      {"reach outside the address space", [](Foreign& f) { f.shape[0] = int64_t{1} << 60, f.strides[0] = INT64_MIN; }},
  };
  for (const Row& r : rows) {
    Foreign f;
    r.spoil(f);
    try {
      from_dlpack(&f.managed);
      ADD_FAILURE() << r.message;
    } catch (const Error& e) {
      EXPECT_NE(std::string(e.what()).find(r.message), std::string::npos) << e.what() << "\nwanted " << r.message;
      EXPECT_EQ(std::string(e.what()).find("from_dlpack: "), 0u) << e.what();
    }
    EXPECT_EQ(f.released, 1) << r.message;
  }
  EXPECT_THROW(from_dlpack(nullptr), Error);
  EXPECT_THROW(to_dlpack(Tensor()), Error);
}

}  // namespace
}  // namespace ingot
