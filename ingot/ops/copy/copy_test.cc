#include "ingot/ops/copy/copy.h"

#include <gtest/gtest.h>

#include <cmath>

#include "ingot/base/error.h"
#include "ingot/base/message_test.h"
#include "ingot/device/cpu/memory.h"
#include "ingot/ops/copy/copy_cpu.h"

namespace ingot {
namespace {

template <class T>
std::vector<int> codes(const std::vector<float>& values, Float8Overflow overflow = Float8Overflow::kDefault) {
  Tensor y = to(tensor_of(values, {int64_t(values.size())}), dtype_of<T>, overflow);
  std::vector<int> out;
  for (int64_t i = 0; i < y.numel(); i++) out.push_back(static_cast<uint8_t*>(y.raw_data())[i]);
  return out;
}

constexpr float kInf = std::numeric_limits<float>::infinity();

// Pitfall B17 and the vectors of the dossier: ties to even, saturation, subnormals.
TEST(To, E4M3Vectors) {
  EXPECT_EQ(
      codes<f8e4m3>({448,          464,     464.01f, 480, 1000, -1000, kInf, -kInf, 0x1p-10f,      0x1p-10f * 1.0001f,
                     3 * 0x1p-10f, 1.0625f, 1.1875f, 17,  18,   19,    232,  240,   0.0146484375f, -0.0f}),
      (std::vector<int>{0x7E, 0x7E, 0x7E, 0x7E, 0x7E, 0xFE, 0x7E, 0xFE, 0,    1,
                        2,    0x38, 0x3A, 0x58, 0x59, 0x5A, 0x76, 0x77, 0x08, 0x80}));
  EXPECT_EQ(codes<f8e4m3>({448, 464, 464.01f, 480, -1000, kInf, NAN}, Float8Overflow::kNonSaturating),
            (std::vector<int>{0x7E, 0x7E, 0x7F, 0x7F, 0xFF, 0x7F, 0x7F}));
  EXPECT_EQ(codes<f8e5m2>({57344, 61439, 61440, -1e9f, kInf}), (std::vector<int>{0x7B, 0x7B, 0x7C, 0xFC, 0x7C}));
  EXPECT_EQ(codes<f8e5m2>({61440, -1e9f, kInf}, Float8Overflow::kSaturate), (std::vector<int>{0x7B, 0xFB, 0x7B}));
}

// The vector encoders against the scalar rules, over every exponent, with the bits where rounding is decided.
TEST(To, SmallFloatsEqualTheScalarRules) {
  std::vector<float> values;
  uint32_t state = 1;
  for (uint32_t exponent = 0; exponent < 512; exponent++)
    for (int i = 0; i < 300; i++) {
      state = state * 1664525u + 1013904223u;
      uint32_t fraction = state >> 9;
      if (i % 3 == 0) fraction &= 0x7F0000u;                        // ties of bf16 and float8
      if (i % 3 == 1) fraction = (fraction & 0x7FF000u) | (i & 1);  // ties of f16, and just above
      values.push_back(bits_to_float(exponent << 23 | fraction));
    }
  Tensor x = tensor_of(values, {int64_t(values.size())});
  auto check = [&](auto zero) {
    using T = decltype(zero);
    Tensor y = to(x, dtype_of<T>);
    const T* p = y.data<T>();
    for (size_t i = 0; i < values.size(); i++) {
      T want(values[i]);
      if (std::isnan(values[i])) {
        ASSERT_TRUE(std::isnan(float(p[i]))) << values[i];
      } else {
        ASSERT_EQ(p[i].bits, want.bits) << name(dtype_of<T>) << " of " << values[i];
      }
    }
  };
  check(f8e4m3{}), check(f8e5m2{}), check(f8e8m0{}), check(half{}), check(bfloat{});
}

TEST(To, EverySmallFloatCodeWidensExactly) {
  auto check = [&](auto zero, int count) {
    using T = decltype(zero);
    Tensor x = empty({count}, dtype_of<T>);
    for (int i = 0; i < count; i++) x.data<T>()[i].bits = static_cast<decltype(T::bits)>(i);
    Tensor y = to(x, DType::kF32);
    for (int i = 0; i < count; i++) {
      float want = x.data<T>()[i], got = y.data<float>()[i];
      ASSERT_TRUE(got == want || (std::isnan(got) && std::isnan(want))) << i;
      ASSERT_EQ(std::signbit(got), std::signbit(want)) << i;
    }
  };
  check(f8e4m3{}, 256), check(f8e5m2{}, 256), check(f8e8m0{}, 256), check(half{}, 65536), check(bfloat{}, 65536);
}

TEST(To, FloatsToIntegersTruncateAndSaturate) {
  Tensor x =
      tensor_of(std::vector<float>{1.9f, -1.9f, NAN, kInf, -kInf, 300, -300, 3e9f, -3e9f, 1e19f, 2147483648.f}, {11});
  EXPECT_EQ(to_int64s(to(x, DType::kU8)), (std::vector<int64_t>{1, 0, 0, 255, 0, 255, 0, 255, 0, 255, 255}));
  EXPECT_EQ(to_int64s(to(x, DType::kI8)), (std::vector<int64_t>{1, -1, 0, 127, -128, 127, -128, 127, -128, 127, 127}));
  constexpr int64_t kMax = INT32_MAX, kMin = INT32_MIN;
  EXPECT_EQ(to_int64s(to(x, DType::kI32)),
            (std::vector<int64_t>{1, -1, 0, kMax, kMin, 300, -300, kMax, kMin, kMax, kMax}));
  EXPECT_EQ(to_int64s(to(x, DType::kI64)), (std::vector<int64_t>{1, -1, 0, INT64_MAX, INT64_MIN, 300, -300, 3000000000,
                                                                 -3000000000, INT64_MAX, 2147483648}));
  EXPECT_EQ(to_int64s(to(to(x, DType::kF64), DType::kI64)), to_int64s(to(x, DType::kI64)));
  EXPECT_EQ(to_int64s(to(x, DType::kBool)), (std::vector<int64_t>{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}));
}

TEST(To, IntegersNeverPassThroughFloats) {
  int64_t big = (int64_t{1} << 53) + 1;
  Tensor x = tensor_of(std::vector<int64_t>{big, 16777217, -1, 4294967297}, {4});
  EXPECT_EQ(to_int64s(to(x, DType::kI32)), (std::vector<int64_t>{1, 16777217, -1, 1}));
  EXPECT_EQ(to_int64s(to(to(x, DType::kI32), DType::kI64)), (std::vector<int64_t>{1, 16777217, -1, 1}));
  EXPECT_EQ(to_int64s(to(x, DType::kU8)), (std::vector<int64_t>{1, 1, 255, 1}));
}

TEST(To, BoolBytesFromOutsideCountAsTrue) {
  uint8_t bytes[3] = {0, 2, 255};
  EXPECT_EQ(to_int64s(to(from_memory(bytes, {3}, DType::kBool), DType::kI32)), (std::vector<int64_t>{0, 1, 1}));
}

TEST(To, SameDtypeIsTheTensorItself) {
  Tensor x = zeros({3}, DType::kF32);
  EXPECT_EQ(to(x, DType::kF32).raw_data(), x.raw_data());
  EXPECT_NE(clone(x).raw_data(), x.raw_data());
}

TEST(Copy, BroadcastsAndConverts) {
  Tensor dst = zeros({2, 3}, DType::kF32);
  copy_(dst, tensor_of(std::vector<int32_t>{1, 2, 3}, {3}));
  EXPECT_EQ(to_doubles(dst), (std::vector<double>{1, 2, 3, 1, 2, 3}));
  copy_(dst.transpose(0, 1), tensor_of(std::vector<float>{1, 2, 3, 4, 5, 6}, {3, 2}));
  EXPECT_EQ(to_doubles(dst), (std::vector<double>{1, 3, 5, 2, 4, 6}));
  copy_(dst, tensor_of(std::vector<float>{7}, {}));
  EXPECT_EQ(to_doubles(dst), std::vector<double>(6, 7));
}

// Only the elements of the view are written (PyTorch #189961: odd slots of the parent were).
TEST(Copy, StridedDestinationLeavesTheRestAlone) {
  Tensor parent = zeros({20}, DType::kF32), source = zeros({20}, DType::kF32);
  for (int i = 0; i < 20; i++) source.data<float>()[i] = float(i);
  copy_(parent.slice(0, 0, 20, 2), source.slice(0, 0, 20, 2));
  for (int i = 0; i < 20; i++) EXPECT_EQ(parent.data<float>()[i], i % 2 ? 0 : i);
  Tensor bytes = zeros({20}, DType::kBF16);
  copy_(bytes.slice(0, 1, 20, 3), source.slice(0, 0, 7));
  for (int i = 0; i < 20; i++) EXPECT_EQ(float(bytes.data<bfloat>()[i]), i % 3 == 1 ? i / 3 : 0);
}

TEST(Copy, Refuses) {
  Tensor x = zeros({2, 3}, DType::kF32);
  EXPECT_NE(message_of([&] { copy_(x, zeros({2}, DType::kF32)); }).find("copy_"), std::string::npos);
  EXPECT_NE(message_of([&] { copy_(zeros({3}, DType::kF32), x); }).find("broadcasts to [3]"), std::string::npos);
  EXPECT_NE(message_of([&] {
              copy_(zeros({1, 3}, DType::kF32).expand({2, 3}), x);
            }).find("stride 0"),
            std::string::npos);
  EXPECT_NE(message_of([&] { copy_(Tensor(), x); }).find("undefined"), std::string::npos);
  float memory[2] = {};
  EXPECT_NE(message_of([&] {
              copy_(from_memory(memory, {2}, DType::kF32, {}, true), zeros({2}, DType::kF32));
            }).find("read-only"),
            std::string::npos);
}

TEST(Copy, OverlapIsFoundExactly) {
  Tensor x = zeros({8, 8}, DType::kF32);
  auto overlaps = [&](const Tensor& a, const Tensor& b) {
    return message_of([&] { copy_(a, b); }).find("overlap") != std::string::npos;
  };
  EXPECT_TRUE(overlaps(x, x));
  EXPECT_TRUE(overlaps(x.slice(0, 0, 7), x.slice(0, 1, 8)));
  EXPECT_TRUE(overlaps(x, x.t()));
  EXPECT_TRUE(overlaps(x.select(1, 3), x.select(0, 2)));
  EXPECT_FALSE(overlaps(x.slice(1, 0, 4), x.slice(1, 4, 8)));  // interleaved in memory, no shared element
  EXPECT_FALSE(overlaps(x.slice(1, 0, 8, 2), x.slice(1, 1, 8, 2)));
  EXPECT_FALSE(overlaps(x.slice(0, 0, 4), x.slice(0, 4, 8)));
  EXPECT_FALSE(overlaps(x.slice(0, 0, 4).slice(1, 0, 4), x.slice(0, 4, 8).slice(1, 4, 8).t()));
  EXPECT_TRUE(overlaps(x.as_strided({3}, {1}, 2), zeros({3}, DType::kF32)) == false);
  EXPECT_TRUE(overlaps(x.as_strided({3}, {1}, 2), x.as_strided({3}, {1}, 4)));  // shares half an element
}

TEST(Copy, VersionIsCounted) {
  Tensor x = zeros({2}, DType::kF32);
  uint64_t before = x.version();
  copy_(x, zeros({2}, DType::kF32));
  EXPECT_GT(x.version(), before);
}

TEST(Contiguous, TransposedInTiles) {
  for (DType dtype : {DType::kU8, DType::kBF16, DType::kF32, DType::kI64}) {
    Tensor x = empty({3, 70, 45}, DType::kI32);
    for (int64_t i = 0; i < x.numel(); i++) x.data<int32_t>()[i] = int32_t(i % 120);
    x = to(x, dtype);
    for (Tensor v : {x.transpose(1, 2), x.transpose(0, 2), x.permute({2, 0, 1})}) {
      Tensor y = contiguous(v);
      EXPECT_TRUE(y.is_contiguous());
      EXPECT_EQ(to_doubles(y), to_doubles(v));
    }
  }
}

TEST(Contiguous, ItselfWhenItIs) {
  Tensor x = zeros({2, 3}, DType::kF32);
  EXPECT_EQ(contiguous(x).raw_data(), x.raw_data());
  EXPECT_TRUE(contiguous(x.t()).is_contiguous());
}

TEST(Copy, NegativeStrides) {
  Tensor x = tensor_of(std::vector<float>{0, 1, 2, 3, 4, 5}, {6});
  Tensor flipped = x.as_strided({2, 3}, {-3, -1}, 5 * 4);
  EXPECT_EQ(to_doubles(contiguous(flipped)), (std::vector<double>{5, 4, 3, 2, 1, 0}));
  EXPECT_EQ(to_doubles(to(flipped, DType::kF64)), (std::vector<double>{5, 4, 3, 2, 1, 0}));
}

TEST(Reshape, ViewsWherePossible) {
  Tensor x = zeros({4, 6}, DType::kF32);
  EXPECT_EQ(reshape(x, {2, -1}).raw_data(), x.raw_data());
  EXPECT_EQ(reshape(x, {2, -1}).sizes(), Dims({2, 12}));
  Tensor y = reshape(x.t(), {24});
  EXPECT_NE(y.raw_data(), x.raw_data());
  EXPECT_EQ(reshape(x.t(), {3, 2, 4}).raw_data(), x.raw_data());
  EXPECT_EQ(reshape(zeros({0, 3}, DType::kF32), {5, 0}).sizes(), Dims({5, 0}));
  EXPECT_EQ(reshape(zeros({1}, DType::kF32), Dims{}).sizes(), Dims{});
  EXPECT_EQ(reshape(zeros({}, DType::kF32), {1, 1}).sizes(), Dims({1, 1}));
  for (Dims bad : {Dims{5}, Dims{-1, -1}, Dims{-2}, Dims{5, -1}, Dims{INT64_MAX, INT64_MAX}})
    EXPECT_NE(message_of([&] { reshape(x, bad); }).find("reshape"), std::string::npos);
  EXPECT_NE(message_of([&] { reshape(zeros({0}, DType::kF32), {0, -1}); }).find("reshape"), std::string::npos);
}

// Kind K01 (PyTorch #189960, #182052): offsets past 2^31 elements, both as a repeated source and as a slice of a larger
// tensor.
TEST(Copy, BeyondTwoToThe31Elements) {
  constexpr int64_t kRows = 32769, kColumns = 65536;
  if (process_memory().machine_available < size_t(kRows * kColumns) + (size_t{1} << 30))
    GTEST_SKIP() << "needs 2.2 GB of memory";
  Tensor parent = empty({kRows, kColumns}, DType::kU8);
  copy_(parent, tensor_of(std::vector<uint8_t>{1}, {1}));
  Tensor last = parent.narrow(1, kColumns - 5, 5);
  copy_(last, tensor_of(std::vector<uint8_t>{2, 3, 4, 5, 6}, {5}));
  EXPECT_EQ(to_int64s(parent.select(0, kRows - 1).narrow(0, kColumns - 7, 7)),
            (std::vector<int64_t>{1, 1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(to_int64s(parent.select(0, 32767).narrow(0, kColumns - 6, 6)), (std::vector<int64_t>{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(to_int64s(contiguous(last).select(0, kRows - 1)), (std::vector<int64_t>{2, 3, 4, 5, 6}));
}

}  // namespace
}  // namespace ingot
