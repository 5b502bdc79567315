// Making tensors, their bounds, and reading elements. The views are in views_test.cc.
#include "ingot/tensor/tensor.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "ingot/base/error.h"

namespace ingot {
namespace {

std::string message_of(const std::function<void()>& f) {
  try {
    f();
  } catch (const Error& e) {
    return e.what();
  }
  return "no error";
}

TEST(MakeTensor, OfValues) {
  Tensor x = tensor_of<float>({1, 2, 3, 4, 5, 6}, {2, 3});
  EXPECT_EQ(x.dtype(), DType::kF32);
  EXPECT_EQ(x.sizes(), (Dims{2, 3}));
  EXPECT_EQ(x.strides(), (Dims{3, 1}));
  EXPECT_EQ(x.numel(), 6);
  EXPECT_EQ(x.nbytes(), 24);
  EXPECT_TRUE(x.is_contiguous());
  EXPECT_EQ(x.data<float>()[5], 6);
  EXPECT_EQ(to_doubles(x), (std::vector<double>{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(to_int64s(tensor_of<bool>({true, false, true}, {3})), (std::vector<int64_t>{1, 0, 1}));
  EXPECT_EQ(message_of([] { tensor_of<float>({1, 2}, {3}); }), "tensor_of: values: expected 3 for sizes [3], got 2");
}

TEST(MakeTensor, EveryDTypeReadsBack) {
  for (int i = 0; i < kNumDTypes; i++) {
    DType t = static_cast<DType>(i);
    Tensor x = full({2, 2}, 1, t);
    EXPECT_EQ(to_doubles(x), std::vector<double>(4, 1)) << name(t);
    EXPECT_EQ(x.nbytes(), int64_t(4 * itemsize(t)));
    if (t != DType::kF8E8M0) {
      EXPECT_EQ(to_doubles(zeros({3}, t)), std::vector<double>(3, 0)) << name(t);
    }
  }
  EXPECT_THROW(zeros({1}, DType::kF8E8M0), Error);
  EXPECT_EQ(to_int64s(full({1}, -9223372036854775808.0, DType::kI64))[0], INT64_MIN);
  EXPECT_EQ(to_int64s(full({1}, 2.7, DType::kBool))[0], 1);
  EXPECT_EQ(full({1}, 1e9, DType::kF8E4M3).item(), 448);
  EXPECT_EQ(full({1}, 1e9, DType::kF16).item(), HUGE_VAL);
}

TEST(MakeTensor, FullRefusesWhatAnIntegerCannotHold) {
  struct Row {
    double value;
    DType dtype;
  };
  for (Row r : {Row{256, DType::kU8}, Row{-1, DType::kU8}, Row{128, DType::kI8}, Row{-129, DType::kI8},
                Row{32768, DType::kI16}, Row{0x1p31, DType::kI32}, Row{0x1p63, DType::kI64},
                Row{-0x1.0000000000001p63, DType::kI64}, Row{NAN, DType::kI32}, Row{HUGE_VAL, DType::kI64}})
    EXPECT_THROW(full({2}, r.value, r.dtype), Error) << r.value << name(r.dtype);
  for (Row r : {Row{255.9, DType::kU8}, Row{-0.5, DType::kU8}, Row{127, DType::kI8}, Row{-128.9, DType::kI8},
                Row{2147483647, DType::kI32}, Row{-0x1p31, DType::kI32}})
    EXPECT_EQ(full({2}, r.value, r.dtype).select(0, 1).item(), std::trunc(r.value)) << r.value << name(r.dtype);
  EXPECT_EQ(message_of([] { full({1}, 300, DType::kU8); }), "full: value: expected a number that u8 holds, got 300");
}

TEST(MakeTensor, AbsurdSizes) {
  EXPECT_THROW(empty({-1}, DType::kF32), Error);
  EXPECT_THROW(empty({int64_t{1} << 62}, DType::kF32), Error);
  EXPECT_THROW(empty({int64_t{1} << 60}, DType::kF32), Error);
  EXPECT_THROW(empty({INT64_MAX, INT64_MAX}, DType::kU8), Error);
  EXPECT_EQ(empty({0, 5}, DType::kF32).numel(), 0);
}

TEST(MakeTensor, Scalars) {
  Tensor x = full({}, 3.5, DType::kF64);
  EXPECT_EQ(x.dim(), 0);
  EXPECT_EQ(x.numel(), 1);
  EXPECT_EQ(x.item(), 3.5);
  EXPECT_TRUE(x.is_contiguous());
  EXPECT_EQ(tensor_of<int32_t>({7}, {1, 1}).item(), 7);
  EXPECT_EQ(message_of([] { zeros({2}, DType::kF32).item(); }), "item: number of elements: expected 1, got 2");
  EXPECT_EQ(message_of([&] { x.size(0); }), "size: a 0-dimensional tensor has no axis");
  EXPECT_THROW(x.stride(-1), Error);
}

TEST(MakeTensor, SizesByDimension) {
  Tensor x = zeros({2, 3, 4}, DType::kF32);
  EXPECT_EQ(x.size(-1), 4);
  EXPECT_EQ(x.size(0), 2);
  EXPECT_EQ(x.stride(-3), 12);
  EXPECT_EQ(message_of([&] { x.size(3); }), "size: dim: expected a value in [-3, 3), got 3");
}

TEST(TensorAccess, ChecksTheType) {
  Tensor x = zeros({2}, DType::kF32);
  EXPECT_EQ(message_of([&] { x.data<double>(); }), "tensor: element access: expected f32, got f64");
  EXPECT_EQ(message_of([&] { to_int64s(x); }), "to_int64s: dtype: expected an integer or bool, got f32");
}

TEST(TensorAccess, UndefinedTensorsAreErrorsNotCrashes) {
  Tensor none;
  EXPECT_FALSE(none.defined());
  const std::function<void()> uses[] = {[&] { none.device(); },
                                        [&] { none.version(); },
                                        [&] { none.raw_data(); },
                                        [&] { none.data<float>(); },
                                        [&] { none.item(); },
                                        [&] { none.size(0); },
                                        [&] { none.view({0}); },
                                        [&] { none.view({1}); },
                                        [&] { none.transpose(0, 0); },
                                        [&] { none.permute({}); },
                                        [&] { none.slice(0, 0, 1); },
                                        [&] { none.narrow(0, 0, 0); },
                                        [&] { none.select(0, 0); },
                                        [&] { none.unsqueeze(0); },
                                        [&] { none.expand({2}); },
                                        [&] { none.as_strided({1}, {1}, 0); },
                                        [&] { none.view_dtype(DType::kI32); },
                                        [&] { to_doubles(none); },
                                        [&] { empty_like(none); }};
  int i = 0;
  for (const auto& use : uses) EXPECT_THROW(use(), Error) << i++;
}

TEST(TensorBounds, NothingReachesOutsideTheStorage) {
  auto storage = Storage::allocate(40);  // ten f32
  auto make = [&](int64_t offset, Dims sizes, Dims strides) {
    return Tensor(storage, offset, sizes, strides, DType::kF32);
  };
  EXPECT_EQ(make(0, {10}, {1}).numel(), 10);
  EXPECT_EQ(make(36, {10}, {-1}).numel(), 10) << "negative strides inside are allowed";
  EXPECT_EQ(make(0, {1000000}, {0}).numel(), 1000000);
  EXPECT_EQ(make(36, {}, {}).numel(), 1);
  EXPECT_EQ(make(33, {1}, {1}).numel(), 1) << "any byte may be the first";
  EXPECT_EQ(make(0, {2, 5}, {5, 1}).numel(), 10);
  EXPECT_THROW(make(0, {11}, {1}), Error);
  EXPECT_THROW(make(4, {10}, {1}), Error);
  EXPECT_THROW(make(-4, {1}, {1}), Error);
  EXPECT_THROW(make(37, {}, {}), Error);
  EXPECT_THROW(make(32, {10}, {-1}), Error);
  EXPECT_THROW(make(0, {2, 5}, {6, 1}), Error);
  EXPECT_THROW(make(0, {2}, {1, 1}), Error);
  EXPECT_THROW(make(0, {-2}, {1}), Error);
  EXPECT_EQ(message_of([&] {
              make(0, {3, 4}, {4, 1});
            }),
            "tensor: sizes [3, 4], strides [4, 1], byte offset 0 of f32 reach outside a storage of 40 bytes");
}

TEST(TensorBounds, HostileStridesDoNotWrapAround) {
  auto storage = Storage::allocate(64);
  for (DType t : {DType::kU8, DType::kF64}) {
    for (int64_t size : {int64_t{2}, int64_t{3}, int64_t{1} << 32, int64_t{1} << 61, int64_t{1} << 62}) {
      for (int64_t stride :
           {INT64_MIN, INT64_MIN + 1, INT64_MAX, int64_t{1} << 62, -(int64_t{1} << 61), int64_t{1} << 32}) {
        for (int64_t offset : {int64_t{0}, INT64_MAX, INT64_MIN, int64_t{8}})
          EXPECT_THROW(Tensor(storage, offset, {size}, {stride}, t), Error) << size << " " << stride << " " << offset;
      }
    }
  }
  EXPECT_THROW(Tensor(storage, 0, {2, 2}, {INT64_MAX, INT64_MIN}, DType::kF64), Error) << "two that cancel out";
}

TEST(TensorBounds, EmptyTensorsHaveNoMeaningfulStrides) {
  auto storage = Storage::allocate(0);
  Tensor x(storage, INT64_MAX, {4, 0}, {INT64_MAX, INT64_MIN}, DType::kF64);
  EXPECT_EQ(x.byte_offset(), 0);
  EXPECT_EQ(x.strides(), contiguous_strides(x.sizes()));
  EXPECT_TRUE(x.is_contiguous());
  EXPECT_TRUE(to_doubles(x).empty());
  EXPECT_TRUE(to_doubles(x.t()).empty());
}

TEST(TensorPrinting, ShowsValues) {
  EXPECT_EQ(to_string(tensor_of<float>({1, 2.5f, -3, 4}, {2, 2})), "tensor([[1, 2.5],\n        [-3, 4]], f32, cpu)");
  EXPECT_EQ(to_string(tensor_of<float>({1, 2, 3, 4}, {2, 2}).t()), "tensor([[1, 3],\n        [2, 4]], f32, cpu)");
  EXPECT_EQ(to_string(tensor_of<bool>({true, false}, {2})), "tensor([true, false], bool, cpu)");
  EXPECT_EQ(to_string(full({}, 5, DType::kI32)), "tensor(5, i32, cpu)");
  EXPECT_EQ(to_string(tensor_of<int64_t>({INT64_MAX, INT64_MIN}, {2})),
            "tensor([9223372036854775807, -9223372036854775808], i64, cpu)");
  EXPECT_EQ(to_string(tensor_of<float>({NAN, -NAN, HUGE_VALF, -HUGE_VALF, -0.0f}, {5})),
            "tensor([nan, nan, inf, -inf, -0], f32, cpu)");
  EXPECT_EQ(to_string(full({1}, 448, DType::kF8E4M3)), "tensor([448], f8e4m3, cpu)");
  EXPECT_EQ(to_string(zeros({1, 1, 1}, DType::kU8)), "tensor([[[0]]], u8, cpu)");
}

TEST(TensorPrinting, ShortensLongAxes) {
  std::vector<int32_t> values(100);
  for (int i = 0; i < 100; i++) values[size_t(i)] = i;
  EXPECT_EQ(to_string(tensor_of(values, {100})), "tensor([0, 1, 2, ..., 97, 98, 99], i32, cpu)");
  values.resize(8);
  EXPECT_EQ(to_string(tensor_of(values, {8})), "tensor([0, 1, 2, 3, 4, 5, 6, 7], i32, cpu)");
  EXPECT_LT(to_string(zeros({50, 50, 50}, DType::kF32)).size(), 2000u);
}

TEST(TensorPrinting, EmptyAndUndefined) {
  EXPECT_EQ(to_string(Tensor()), "tensor(undefined)");
  EXPECT_EQ(to_string(empty({0}, DType::kF32)), "tensor([], sizes [0], f32, cpu)");
  EXPECT_EQ(to_string(empty({2, 0, 3}, DType::kBF16)), "tensor([], sizes [2, 0, 3], bf16, cpu)");
}

}  // namespace
}  // namespace ingot
