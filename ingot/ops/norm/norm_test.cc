#include "ingot/ops/norm/norm.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "ingot/base/error.h"
#include "ingot/device/cpu/thread_pool.h"
#include "ingot/ops/copy/copy.h"
#include "ingot/ops/op_check.h"

namespace ingot {
namespace {

TEST(Norm, QuietRowKeepsItsScale) {
  for (float base : {0.0f, 1000.0f})
    for (int copies : {1, 300}) {
      std::vector<float> v;
      for (int c = 0; c < copies; c++)
        for (float e : {-9.9e-4f, -9.9e-4f, 9.9e-4f, 9.9e-4f}) v.push_back(base + e);
      Tensor x = tensor_of(v, {1, int64_t(v.size())});
      std::vector<double> y = to_doubles(layer_norm(x, {int64_t(v.size())}, {}, {}, 1e-12));
      for (size_t i = 0; i < y.size(); i++) EXPECT_NEAR(y[i], i % 4 < 2 ? -1 : 1, 1e-3) << base << " " << i;
    }
}

TEST(Norm, HalfWithFloatWeight) {
  for (DType t : {DType::kF16, DType::kBF16}) {
    Tensor x = make_input({{4, 8}}, t, 1), w = make_input({{8}}, DType::kF32, 2), b = make_input({{8}}, DType::kF32, 3);
    Tensor y = layer_norm(x, {8}, w, b, 1e-5);
    EXPECT_EQ(y.dtype(), t);
    Tensor exact = layer_norm(to(x, DType::kF32), {8}, w, b, 1e-5);
    EXPECT_LT(relative_error(y, exact), tolerance_of(t));
    EXPECT_EQ(to_doubles(y), to_doubles(to(exact, t))) << "rounded once";
    EXPECT_EQ(rms_norm(x, {8}, w, 1e-6).dtype(), t);
  }
}

TEST(Norm, RowsDoNotDependOnCompanyOrThreads) {
  Tensor x = make_input({{70, 1000}}, DType::kF32, 5), w = make_input({{1000}}, DType::kF32, 6);
  int before = num_threads();
  set_num_threads(3);
  Tensor all = rms_norm(x, {1000}, w, 1e-6), all_layer = layer_norm(x, {1000}, w, {}, 1e-6);
  set_num_threads(before);
  for (int64_t r : {0, 1, 37, 69}) {
    EXPECT_EQ(to_doubles(rms_norm(x.narrow(0, r, 1), {1000}, w, 1e-6)), to_doubles(all.narrow(0, r, 1)));
    EXPECT_EQ(to_doubles(layer_norm(x.narrow(0, r, 1), {1000}, w, {}, 1e-6)), to_doubles(all_layer.narrow(0, r, 1)));
  }
}

TEST(Norm, FusedAdditionIsTheTwoSteps) {
  for (DType t : {DType::kF32, DType::kBF16, DType::kF16}) {
    Tensor x = make_input({{3, 100}}, t, 1), r = make_input({{3, 100}}, t, 2), w = make_input({{100}}, t, 3);
    auto pair = rms_norm_add(x, r, w, 1e-6);
    std::vector<double> a = to_doubles(x), b = to_doubles(r);
    for (size_t i = 0; i < a.size(); i++) a[i] += b[i];
    EXPECT_EQ(to_doubles(pair.first), to_doubles(to(to(tensor_of(a, {3, 100}), DType::kF32), t)));
    EXPECT_EQ(to_doubles(pair.second), to_doubles(rms_norm(pair.first, {100}, w, 1e-6)));
  }
}

TEST(Norm, LongRow) {
  int64_t n = 300000;
  Tensor x = make_input({{1, n}, Fill::kPositive}, DType::kF32, 1);
  double square = 0;
  for (double v : to_doubles(x)) square += v * v;
  double want = to_doubles(x)[0] / std::sqrt(square / double(n));
  EXPECT_NEAR(to_doubles(rms_norm(x, {n}, {}, 0.0))[0] / want, 1, 3e-7);
}

TEST(Norm, DefaultEpsIsTheMachineEpsilon) {
  Tensor x = zeros({1, 4}, DType::kF32);
  *x.data<float>() = 1e-4f;
  EXPECT_NEAR(to_doubles(rms_norm(x, {4}))[0], 1e-4 / std::sqrt(1e-8 / 4 + 0x1p-23), 1e-7);
}

TEST(Norm, InfinityInARow) {
  std::vector<double> y = to_doubles(rms_norm(tensor_of<float>({INFINITY, 1}, {1, 2}), {2}, {}, 1e-6));
  EXPECT_TRUE(std::isnan(y[0]));
  EXPECT_EQ(y[1], 0);
}

void expect_error(ErrorKind kind, const std::string& part, const std::function<void()>& f) {
  try {
    f();
    ADD_FAILURE() << "no error, expected " << part;
  } catch (const Error& e) {
    EXPECT_EQ(e.kind(), kind) << e.what();
    EXPECT_NE(std::string(e.what()).find(part), std::string::npos) << e.what();
  }
}

TEST(Norm, Errors) {
  Tensor x = zeros({2, 4}, DType::kF32);
  expect_error(ErrorKind::kArgument, "normalized_shape", [&] { rms_norm(x, {3}); });
  expect_error(ErrorKind::kArgument, "normalized_shape", [&] { rms_norm(x, {}); });
  expect_error(ErrorKind::kArgument, "normalized_shape", [&] { layer_norm(x, {1, 2, 4}); });
  expect_error(ErrorKind::kArgument, "weight", [&] { rms_norm(x, {4}, zeros({2}, DType::kF32)); });
  expect_error(ErrorKind::kArgument, "weight dtype", [&] { rms_norm(x, {4}, zeros({4}, DType::kF64)); });
  expect_error(ErrorKind::kArgument, "bias", [&] { layer_norm(x, {4}, {}, zeros({4}, DType::kI32)); });
  expect_error(ErrorKind::kArgument, "float8", [&] { rms_norm(zeros({2, 4}, DType::kF8E4M3), {4}); });
  expect_error(ErrorKind::kArgument, "floating", [&] { layer_norm(zeros({2, 4}, DType::kI32), {4}); });
  expect_error(ErrorKind::kArgument, "residual", [&] { rms_norm_add(x, zeros({4, 2}, DType::kF32), {}, 1e-6); });
  expect_error(ErrorKind::kArgument, "residual", [&] { rms_norm_add(x, zeros({2, 4}, DType::kBF16), {}, 1e-6); });
  expect_error(ErrorKind::kArgument, "x", [&] { rms_norm({}, {4}); });
}

}  // namespace
}  // namespace ingot
