#include "ingot/ops/pointwise/pointwise.h"

#include <gtest/gtest.h>

#include <cmath>

#include "ingot/base/error.h"
#include "ingot/base/message_test.h"
#include "ingot/device/cpu/memory.h"
#include "ingot/device/cpu/thread_pool.h"
#include "ingot/ops/copy/copy.h"
#include "ingot/ops/op_check.h"

namespace ingot {
namespace {

template <class T>
Tensor list(std::vector<T> v) {
  return tensor_of(v, {int64_t(v.size())});
}

// Distance in units of the last place of the exact value.
double ulps(float got, double want) {
  if (std::isnan(want)) return std::isnan(got) ? 0 : INFINITY;
  if (std::isinf(want) || std::fabs(want) > 3.4028235e38) return float(want) == got ? 0 : INFINITY;
  double ulp = std::ldexp(1.0, std::max(std::ilogb(std::max(std::fabs(want), 1e-300)), -126) - 23);
  return std::fabs(double(got) - want) / ulp;
}

// Every 2^-12th step through the bit patterns of all floats, dense around the interesting ranges.
void expect_accurate(const char* name, Tensor (*f)(const Tensor&), double (*exact)(double), double limit) {
  std::vector<float> values;
  for (uint64_t bits = 0; bits < (uint64_t{1} << 32); bits += 9973) values.push_back(bits_to_float(uint32_t(bits)));
  for (int i = -40000; i < 40000; i++) values.push_back(float(i) * 0.0025f);
  for (int i = 0; i < 20000; i++) values.push_back(1.0f + float(i - 10000) * 1e-5f);
  Tensor y = f(list(values));
  double worst = 0;
  float at = 0;
  for (size_t i = 0; i < values.size(); i++) {
    double error = ulps(y.data<float>()[i], exact(double(values[i])));
    if (!(error <= worst)) worst = error, at = values[i];
  }
  EXPECT_LE(worst, limit) << name << " of " << at;
}

TEST(Pointwise, FloatFunctionsAreAccurate) {
  expect_accurate("exp", exp, std::exp, 2);
  expect_accurate("log", log, std::log, 2);
  expect_accurate("expm1", expm1, std::expm1, 3);
  expect_accurate("log1p", log1p, std::log1p, 3);
  expect_accurate("tanh", tanh, std::tanh, 4);
  expect_accurate("erf", erf, std::erf, 3);
  expect_accurate("sqrt", sqrt, std::sqrt, 0.51);
  expect_accurate(
      "rsqrt", rsqrt, [](double x) { return 1 / std::sqrt(x); }, 1.6);
}

TEST(Pointwise, SineAndCosineOfArgumentsOfAnySize) {
  std::vector<float> values;
  for (uint64_t bits = 0; bits < (uint64_t{1} << 32); bits += 9973) values.push_back(bits_to_float(uint32_t(bits)));
  for (int i = -40000; i < 40000; i++) values.push_back(float(i) * 0.01f);
  Tensor s = sin(list(values)), c = cos(list(values));
  for (size_t i = 0; i < values.size(); i++) {
    double x = values[i];
    if (std::isnan(x) || std::isinf(x)) {
      ASSERT_TRUE(std::isnan(s.data<float>()[i]) && std::isnan(c.data<float>()[i]));
      continue;
    }
    ASSERT_NEAR(s.data<float>()[i], std::sin(x), 1.3e-7) << x;
    ASSERT_NEAR(c.data<float>()[i], std::cos(x), 1.3e-7) << x;
  }
  EXPECT_EQ(to_doubles(sin(list<float>({1e-20f, -1e-30f}))), (std::vector<double>{1e-20f, -1e-30f}));
}

// Pitfall B13: no NaN for finite arguments, and the right limits.
TEST(Pointwise, ActivationsOfLargeArguments) {
  std::vector<float> values;
  for (float v = 8; v <= 15.5f; v += 0.5f) values.push_back(v);
  for (float v : {13.f, 40.f, 100.f, 1e4f, 65504.f, 1e20f, 3e38f}) values.push_back(v);
  using Function = Tensor (*)(const Tensor&);
  Function softplus1 = [](const Tensor& x) { return softplus(x); };
  Function elu1 = [](const Tensor& x) { return elu(x); };
  for (Function f :
       {Function(gelu_tanh), Function(gelu), Function(silu), Function(mish), Function(hardswish), softplus1, elu1}) {
    for (DType dtype : {DType::kF16, DType::kBF16, DType::kF32, DType::kF64}) {
      Tensor x = to(list(values), dtype), y = f(x), z = f(neg(x));
      std::vector<double> in = to_doubles(x), positive = to_doubles(y), negative = to_doubles(z);
      for (size_t i = 0; i < in.size(); i++) {
        if (!std::isfinite(in[i])) continue;
        EXPECT_NEAR(positive[i] / in[i], 1, 1e-3) << name(dtype) << " " << in[i];
        EXPECT_LE(std::fabs(negative[i]), f == elu1 ? 1 : 3e-3) << name(dtype) << " " << -in[i];
      }
    }
  }
  for (double v : to_doubles(tanh(list<float>({20, 100, 3e38f, INFINITY})))) EXPECT_EQ(v, 1);
}

TEST(Pointwise, PromotionIsPyTorchs) {
  Tensor f16 = zeros({2}, DType::kF16), i64 = zeros({2}, DType::kI64), u8 = zeros({2}, DType::kU8),
         b = zeros({2}, DType::kBool);
  Tensor f32_scalar = zeros({}, DType::kF32), i64_scalar = zeros({}, DType::kI64);
  EXPECT_EQ(add(f16, i64).dtype(), DType::kF16);
  EXPECT_EQ(add(f16, zeros({2}, DType::kBF16)).dtype(), DType::kF32);
  EXPECT_EQ(add(u8, zeros({2}, DType::kI8)).dtype(), DType::kI16);
  EXPECT_EQ(add(f16, f32_scalar).dtype(), DType::kF16);
  EXPECT_EQ(add(f32_scalar, f16).dtype(), DType::kF16);
  EXPECT_EQ(add(u8, i64_scalar).dtype(), DType::kU8);
  EXPECT_EQ(add(u8, f32_scalar).dtype(), DType::kF32);
  EXPECT_EQ(add(u8, 2).dtype(), DType::kU8);
  EXPECT_EQ(add(u8, 2.5).dtype(), DType::kF32);
  EXPECT_EQ(add(b, 2).dtype(), DType::kI64);
  EXPECT_EQ(mul(f16, 2.5).dtype(), DType::kF16);
  EXPECT_EQ(div(i64, i64).dtype(), DType::kF32);
  EXPECT_EQ(exp(i64).dtype(), DType::kF32);
  EXPECT_EQ(eq(f16, i64).dtype(), DType::kBool);
  EXPECT_EQ(to_int64s(add(full({2}, 1, DType::kBool), full({2}, 1, DType::kBool))), (std::vector<int64_t>{1, 1}));
}

TEST(Pointwise, IntegersWrapAndStayExact) {
  int64_t big = (int64_t{1} << 53) + 1;
  EXPECT_EQ(to_int64s(add(list<int64_t>({big, INT64_MAX}), 1)), (std::vector<int64_t>{big + 1, INT64_MIN}));
  EXPECT_EQ(to_int64s(add(list<uint8_t>({250}), 10)), (std::vector<int64_t>{4}));
  EXPECT_EQ(to_int64s(abs(list<int8_t>({-128, -1}))), (std::vector<int64_t>{-128, 1}));
  EXPECT_EQ(to_int64s(clamp(list<int64_t>({INT64_MAX, INT64_MIN, 5}), {}, INFINITY)),
            (std::vector<int64_t>{INT64_MAX, INT64_MIN, 5}));
  EXPECT_EQ(to_int64s(clamp(list<int64_t>({INT64_MAX, big}), 0, {})), (std::vector<int64_t>{INT64_MAX, big}));
  EXPECT_EQ(to_int64s(clamp(list<int32_t>({7}), 1e10, {})), (std::vector<int64_t>{INT32_MAX}));
  EXPECT_EQ(to_int64s(remainder(list<int64_t>({7, -7, 7, -7, 5, INT64_MIN}), list<int64_t>({3, 3, -3, -3, 0, -1}))),
            (std::vector<int64_t>{1, 2, -2, -1, 0, 0}));
  EXPECT_EQ(to_int64s(pow(list<int64_t>({2, -1, 1, 3, 0}), list<int64_t>({-1, -3, -5, 4, 0}))),
            (std::vector<int64_t>{0, -1, 1, 81, 1}));
  EXPECT_EQ(to_int64s(eq(list<int64_t>({16777216, 16777217}), list<int64_t>({16777217, 16777217}))),
            (std::vector<int64_t>{0, 1}));
}

TEST(Pointwise, NaNAndSpecialValues) {
  Tensor x = list<float>({NAN, 1, -INFINITY}), y = list<float>({1, NAN, INFINITY});
  for (auto f : {static_cast<Tensor (*)(const Tensor&, const Tensor&)>(maximum),
                 static_cast<Tensor (*)(const Tensor&, const Tensor&)>(minimum)}) {
    std::vector<double> v = to_doubles(f(x, y));
    EXPECT_TRUE(std::isnan(v[0]) && std::isnan(v[1]) && std::isinf(v[2]));
  }
  EXPECT_TRUE(std::isnan(relu(x).data<float>()[0]));
  EXPECT_TRUE(std::isnan(clamp(x, 0, 1).data<float>()[0]));
  EXPECT_EQ(to_doubles(clamp(list<float>({0, 5}), 3, 2)), (std::vector<double>{2, 2}));
  EXPECT_EQ(to_doubles(round(list<float>({0.5f, 1.5f, 2.5f, -0.5f, -1.5f}))), (std::vector<double>{0, 2, 2, 0, -2}));
  EXPECT_EQ(to_doubles(lerp(list<float>({1e8f}), list<float>({3.3f}), 1.0)), (std::vector<double>{3.3f}));
  // A condition too small for the result's dtype is still true.
  EXPECT_EQ(to_doubles(where(list<double>({1e-200, 0, NAN}), list<float>({1, 1, 1}), list<float>({2, 2, 2}))),
            (std::vector<double>{1, 2, 1}));
  EXPECT_EQ(to_int64s(where(list<float>({0.25f}), list<int32_t>({1}), list<int32_t>({2}))), (std::vector<int64_t>{1}));
  EXPECT_EQ(to_int64s(logical_and(list<double>({1e-200}), list<float>({1}))), (std::vector<int64_t>{1}));
}

TEST(Pointwise, HalvesRoundOnce) {
  // In f32 the product is exact; rounding it twice would give another f16.
  Tensor x = make_input({{4000}}, DType::kF16, 3), y = make_input({{4000}}, DType::kF16, 4);
  Tensor z = mul(x, y);
  for (int i = 0; i < 4000; i++)
    ASSERT_EQ(z.data<half>()[i].bits, half(float(x.data<half>()[i]) * float(y.data<half>()[i])).bits);
  // silu(gate) * up keeps a silu beyond f16 until the end.
  EXPECT_EQ(swiglu(list<float>({70000}), list<float>({0.001f})).item(), double(70000.0f * 0.001f));
}

TEST(Pointwise, Refuses) {
  Tensor f32 = zeros({2, 3}, DType::kF32), f8 = full({2, 3}, 1, DType::kF8E4M3), i32 = zeros({2, 3}, DType::kI32);
  Tensor b = zeros({2, 3}, DType::kBool);
  auto contains = [](const std::string& text, const char* part) { return text.find(part) != std::string::npos; };
  EXPECT_TRUE(contains(message_of([&] { add(f32, zeros({2}, DType::kF32)); }), "add"));
  EXPECT_TRUE(contains(message_of([&] { add(f8, f8); }), "cast"));
  EXPECT_TRUE(contains(message_of([&] { mul(f8, f32); }), "cast"));
  EXPECT_TRUE(contains(message_of([&] { exp(f8); }), "cast"));
  EXPECT_TRUE(contains(message_of([&] { mul(f8, 2.0); }), "cast"));
  EXPECT_TRUE(contains(message_of([&] { silu(i32); }), "silu"));
  EXPECT_TRUE(contains(message_of([&] { neg(b); }), "neg"));
  EXPECT_TRUE(contains(message_of([&] { sub(b, b); }), "sub"));
  EXPECT_TRUE(contains(message_of([&] { bitwise_and(f32, f32); }), "bitwise_and"));
  EXPECT_TRUE(contains(message_of([&] { bitwise_or(i32, 1.5); }), "bitwise_or"));
  EXPECT_TRUE(contains(message_of([&] { clamp(f32, {}, {}); }), "clamp"));
  EXPECT_TRUE(contains(message_of([&] { clamp(i32, 0.5, {}); }), "clamp"));
  EXPECT_TRUE(contains(message_of([&] { addcmul(i32, i32, i32, 0.5); }), "addcmul"));
  EXPECT_TRUE(contains(message_of([&] { lerp(i32, i32, 0.5); }), "lerp"));
  EXPECT_TRUE(contains(message_of([&] { add(Tensor(), f32); }), "undefined"));
  EXPECT_TRUE(contains(message_of([&] { abs(Tensor()); }), "undefined"));
}

TEST(Pointwise, SameForEveryNumberOfThreads) {
  int before = num_threads();
  Tensor x = make_input({{300, 1001}}, DType::kBF16, 1), y = make_input({{1001}}, DType::kF32, 2);
  set_num_threads(1);
  std::vector<double> one = to_doubles(swiglu(x, y));
  set_num_threads(5);
  EXPECT_EQ(to_doubles(swiglu(x, y)), one);
  set_num_threads(before);
}

// Kind K01: operands of more than 2^31 elements by stride 0, and a result beyond 2^31 elements.
TEST(Pointwise, BeyondTwoToThe31Elements) {
  constexpr int64_t kRows = 32769, kColumns = 65536;
  if (process_memory().machine_available < size_t(kRows * kColumns) + (size_t{1} << 30))
    GTEST_SKIP() << "needs 2.2 GB of memory";
  Tensor row = full({kColumns}, 1, DType::kI8);
  row.data<int8_t>()[kColumns - 1] = 7;
  Tensor y = neg(row.expand({kRows, kColumns}));
  EXPECT_EQ(to_int64s(y.select(0, kRows - 1).narrow(0, kColumns - 3, 3)), (std::vector<int64_t>{-1, -1, -7}));
  EXPECT_EQ(to_int64s(y.select(0, 0).narrow(0, kColumns - 2, 2)), (std::vector<int64_t>{-1, -7}));
}

}  // namespace
}  // namespace ingot
