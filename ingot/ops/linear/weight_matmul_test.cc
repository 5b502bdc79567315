#include "ingot/ops/linear/weight_matmul.h"

#include <gtest/gtest.h>

#include <limits>

#include "ingot/base/error.h"
#include "ingot/base/quick_test.h"
#include "ingot/device/cpu/thread_pool.h"
#include "ingot/ops/linear/bandwidth.h"
#include "ingot/ops/linear/matmul_kernels.h"
#include "ingot/ops/linear/matmul_test_data.h"

namespace ingot {
namespace {

using matmul_test::Reference;
using matmul_test::Rounding;
using matmul_test::TestOutput;
using matmul_test::TestRows;
using matmul_test::TestWeight;

constexpr int64_t kMostRows = 100;
std::vector<int64_t> counts() {
  if (quick_tests()) return {1, 3, 5, 16, 17, 33};
  return {1, 2, 3, 4, 5, 8, 15, 16, 17, 31, 32, 33, 64, 100};
}

std::vector<Isa> levels() {
  std::vector<Isa> all;
  for (Isa isa : {Isa::kBase, Isa::kAvx2, Isa::kAvx512, Isa::kAvx512Bf16, Isa::kAmx, Isa::kNeon}) {
    bool arm = isa == Isa::kNeon;
    if (arm == (detected_isa() == Isa::kNeon) && isa <= detected_isa()) all.push_back(isa);
  }
  return all;
}

MatmulJob job(const WeightRows& w, TestRows& x, int64_t m, TestOutput& y) {
  return {w, x.values.data(), x.stride, nullptr, m, y.data(), y.stride};
}

// All levels and row counts of one weight against the reference.
void check_weight(const TestWeight& w, const std::string& what) {
  int64_t cols = w.view.cols, rows = w.view.rows;
  TestRows x(kMostRows, cols, 7);
  std::vector<std::pair<Rounding, Reference>> references;
  for (Isa isa : levels()) {
    for (int64_t m : counts()) {
      Rounding r = matmul_test::rounding(isa, w.view.format, m);
      const Reference* reference = nullptr;
      for (auto& [rounding, ref] : references)
        if (rounding == r) reference = &ref;
      if (!reference) {
        references.reserve(4);
        reference = &references.emplace_back(r, Reference(w.view, x, kMostRows, r)).second;
      }
      TestOutput y(rows, m);
      MatmulJob j = job(w.view, x, m, y);
      weight_matmul_at(isa, {&j, 1});
      EXPECT_TRUE(y.guards_untouched()) << what << " " << name(isa) << " m " << m;
      for (int64_t i = 0; i < m; i++) {
        for (int64_t n = 0; n < rows; n++) {
          ASSERT_TRUE(reference->close(y.at(i, n), i, n, cols))
              << what << " " << name(isa) << " m " << m << " rows " << rows << " cols " << cols << " at " << i << ", "
              << n << ": got " << y.at(i, n) << ", expected " << reference->value[static_cast<size_t>(i * rows + n)];
        }
      }
    }
  }
}

class EveryFormat : public testing::TestWithParam<int> {};

TEST_P(EveryFormat, MatchesTheReference) {
  auto f = static_cast<WeightFormat>(GetParam());
  std::vector<int64_t> all_cols = {256, 768};
  if (block_elements(f) <= 32) all_cols.insert(all_cols.end(), {32, 64, 96});
  if (block_elements(f) == 1) all_cols.insert(all_cols.end(), {1, 5, 31, 33, 1000});
  int64_t offset = 0;
  for (int64_t rows : {1, 7, 16, 17, 33, 100}) {
    for (int64_t cols : all_cols) check_weight(TestWeight(f, rows, cols, offset++ % 4, 11), name(f));
  }
}
INSTANTIATE_TEST_SUITE_P(WeightMatmul, EveryFormat, testing::Range(0, kNumWeightFormats),
                         [](const auto& test) { return std::string(name(static_cast<WeightFormat>(test.param))); });

TEST(WeightMatmul, Scales) {
  for (WeightFormat f : {WeightFormat::kF32, WeightFormat::kF16, WeightFormat::kBF16, WeightFormat::kF8E4M3,
                         WeightFormat::kF8E5M2, WeightFormat::kI8}) {
    for (ScaleLayout layout : {ScaleLayout::kTensor, ScaleLayout::kRow, ScaleLayout::kBlock128}) {
      for (int64_t rows : {33, 160, 300}) {
        for (int64_t cols : {40, 128, 300, 512}) {
          if (quick_tests() && (rows > 33 || cols == 128)) continue;
          check_weight(TestWeight(f, rows, cols, 1, 3, layout), cat(name(f), " scales ", static_cast<int>(layout)));
        }
      }
    }
  }
  check_weight(TestWeight(WeightFormat::kQ8_0, 50, 64, 1, 3, ScaleLayout::kRow), "Q8_0 scales of rows");
  check_weight(TestWeight(WeightFormat::kQ4_K, 50, 512, 1, 3, ScaleLayout::kTensor), "Q4_K scale");
}

// Every code of float8, NaN and infinity included, against the conversions of small_floats.h.
TEST(WeightMatmul, EveryFloat8Code) {
  for (WeightFormat f : {WeightFormat::kF8E4M3, WeightFormat::kF8E5M2}) {
    TestWeight w(f, 256, 1, 0, 1);
    for (int code = 0; code < 256; code++) *w.row(code) = static_cast<uint8_t>(code);
    for (int64_t m : {1, 3, 20}) {
      TestRows x(m, 1, 1);
      for (int64_t i = 0; i < m; i++) x.row(i)[0] = 1;
      for (Isa isa : levels()) {
        TestOutput y(256, m);
        MatmulJob j = job(w.view, x, m, y);
        weight_matmul_at(isa, {&j, 1});
        for (int code = 0; code < 256; code++) {
          auto byte = static_cast<uint8_t>(code);
          float expected = f == WeightFormat::kF8E4M3 ? f8e4m3_to_float(byte) : f8e5m2_to_float(byte);
          float got = y.at(m - 1, code);
          EXPECT_TRUE(got == expected || (got != got && expected != expected)) << name(isa) << " code " << code;
        }
      }
    }
  }
  // The same through the decoders of 64 codes.
  TestWeight w(WeightFormat::kF8E4M3, 64, 256, 1, 1);
  for (int n = 0; n < 64; n++)
    for (int k = 0; k < 256; k++) w.row(n)[k] = (k & 0x7F) == 0x7F ? 0 : static_cast<uint8_t>(k);
  check_weight(w, "all finite codes");
}

TEST(WeightMatmul, RowsHaveTheSameBitsInAnyCompany) {
  int before = num_threads();
  for (int f = 0; f < kNumWeightFormats; f++) {
    auto format = static_cast<WeightFormat>(f);
    for (ScaleLayout layout : {ScaleLayout::kNone, ScaleLayout::kBlock128}) {
      if (layout == ScaleLayout::kBlock128 && !is_plain(format)) continue;
      int64_t rows = quick_tests() ? 155 : 555, cols = is_plain(format) ? 301 : 512;
      TestWeight w(format, rows, cols, 1, 5, layout);
      TestRows x(16, cols, 6);
      for (Isa isa : levels()) {
        set_num_threads(1);
        std::vector<std::vector<float>> alone;
        for (int32_t i = 0; i < 16; i++) {
          TestOutput y(rows, 1);
          MatmulJob j = job(w.view, x, 1, y);
          j.x_rows = &i;
          weight_matmul_at(isa, {&j, 1});
          alone.push_back(y.row(0));
        }
        for (int threads : {1, 2, 3}) {
          set_num_threads(threads);
          for (int64_t m = 1; m <= 16; m += quick_tests() ? 5 : 1) {
            TestOutput y(rows, m);
            MatmulJob j = job(w.view, x, m, y);
            weight_matmul_at(isa, {&j, 1});
            for (int64_t i = 0; i < m; i++) {
              std::vector<float> row = y.row(i);
              ASSERT_EQ(0, memcmp(row.data(), alone[static_cast<size_t>(i)].data(), row.size() * sizeof(float)))
                  << name(format) << " " << name(isa) << " threads " << threads << " m " << m << " row " << i;
            }
          }
        }
      }
    }
  }
  set_num_threads(before);
}

TEST(WeightMatmul, ManyJobsEqualOneAtATime) {
  int before = num_threads();
  struct Part {
    WeightFormat format;
    int64_t rows, cols, m;
  };
  const Part parts[] = {{WeightFormat::kBF16, 100, 64, 1}, {WeightFormat::kBF16, 700, 64, 1},
                        {WeightFormat::kQ8_0, 333, 64, 3}, {WeightFormat::kF8E4M3, 64, 64, 40},
                        {WeightFormat::kF32, 0, 64, 5},    {WeightFormat::kF32, 65, 64, 0},
                        {WeightFormat::kF16, 31, 64, 17},  {WeightFormat::kQ4_K, 40, 256, 20},
                        {WeightFormat::kBF16, 31, 0, 2},   {WeightFormat::kQ5_0, 1, 64, 1}};
  for (Isa isa : levels()) {
    std::vector<std::unique_ptr<TestWeight>> weights;
    std::vector<TestOutput> together, apart;
    std::vector<MatmulJob> jobs;
    TestRows x(50, 256, 9);
    const int32_t chosen[] = {4, 4, 0, 49, 17, 17, 17, 3, 2, 1,  30, 31, 32, 33, 34, 35, 36, 4,  0,  0,
                              1, 2, 3, 4,  5,  6,  7,  8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20};
    for (const Part& p : parts) {
      weights.push_back(std::make_unique<TestWeight>(p.format, p.rows, p.cols, 3, 21));
      together.emplace_back(p.rows, p.m);
      apart.emplace_back(p.rows, p.m);
    }
    for (size_t i = 0; i < std::size(parts); i++) {
      jobs.push_back(job(weights[i]->view, x, parts[i].m, together[i]));
      if (i % 2 == 0) jobs.back().x_rows = chosen;
    }
    set_num_threads(3);
    weight_matmul_at(isa, jobs);
    set_num_threads(1);
    for (size_t i = 0; i < jobs.size(); i++) {
      jobs[i].y = apart[i].data();
      weight_matmul_at(isa, {&jobs[i], 1});
      EXPECT_TRUE(together[i].guards_untouched());
      EXPECT_EQ(0, memcmp(together[i].values.data(), apart[i].values.data(), apart[i].values.size() * sizeof(float)))
          << name(isa) << " job " << i;
      if (jobs[i].x_rows && jobs[i].m > 7) {
        EXPECT_EQ(together[i].row(4), together[i].row(5));
      }
    }
    EXPECT_EQ(together[8].row(1), std::vector<float>(31, 0.0f));
  }
  set_num_threads(before);
}

TEST(WeightMatmul, NotANumberAndInfinityReachTheirRowsOnly) {
  const float inf = std::numeric_limits<float>::infinity();
  for (WeightFormat f : {WeightFormat::kF32, WeightFormat::kF16, WeightFormat::kBF16, WeightFormat::kF8E4M3,
                         WeightFormat::kF8E5M2, WeightFormat::kQ8_0, WeightFormat::kQ4_0, WeightFormat::kQ4_K}) {
    for (int64_t m : {1, 4, 16, 40}) {
      TestWeight w(f, 40, 256, 1, 31);
      // Row 2 is zeros: 0 * inf is NaN. Row 3 has a NaN of its own where the format has one.
      memset(w.row(2), 0, static_cast<size_t>(row_bytes(f, 256)));
      if (is_plain(f)) memset(w.row(3) + block_bytes(f) * 9, 0xFF, static_cast<size_t>(block_bytes(f)));
      for (float bad : {inf, -inf, std::nanf("")}) {
        TestRows x(m, 256, 32);
        x.row(m - 1)[200] = bad;
        for (Isa isa : levels()) {
          TestOutput y(40, m);
          MatmulJob j = job(w.view, x, m, y);
          weight_matmul_at(isa, {&j, 1});
          for (int64_t i = 0; i < m; i++) {
            for (int64_t n = 0; n < 40; n++) {
              float got = y.at(i, n);
              bool own_nan = n == 3 && is_plain(f);
              std::string where = cat(name(f), " ", name(isa), " m ", m, " at ", i, ", ", n);
              if (i < m - 1 && !own_nan) {
                EXPECT_TRUE(std::isfinite(got)) << where;
              } else if (own_nan || bad != bad || n == 2) {
                EXPECT_TRUE(std::isnan(got)) << where;
              } else {
                EXPECT_FALSE(std::isfinite(got)) << where;
              }
            }
          }
        }
      }
    }
  }
}

TEST(WeightMatmul, ActivationsBeyondHalfPrecision) {
  for (WeightFormat f : {WeightFormat::kF16, WeightFormat::kBF16, WeightFormat::kQ8_0}) {
    for (int64_t m : {1, 17}) {
      std::vector<float> row(32, 0.0f);
      row[0] = 0.001f;
      std::vector<uint8_t> bytes(static_cast<size_t>(row_bytes(f, 32)));
      quantize_row(f, row.data(), bytes.data(), 32);
      std::vector<float> x(static_cast<size_t>(32 * m), 0.0f), y(static_cast<size_t>(m));
      for (int64_t i = 0; i < m; i++) x[static_cast<size_t>(32 * i)] = 70000.0f;
      for (Isa isa : levels()) {
        MatmulJob j = {{f, bytes.data(), 1, 32, row_bytes(f, 32)}, x.data(), 32, nullptr, m, y.data(), 1};
        weight_matmul_at(isa, {&j, 1});
        EXPECT_NEAR(y[static_cast<size_t>(m - 1)], 70.0f, 0.4f) << name(f) << " " << name(isa);
      }
    }
  }
}

TEST(WeightMatmul, EmptySizes) {
  TestWeight w(WeightFormat::kF32, 4, 0, 0, 1);
  TestRows x(3, 4, 1);
  TestOutput y(4, 3);
  MatmulJob j = job(w.view, x, 3, y);
  weight_matmul({&j, 1});
  EXPECT_EQ(y.row(2), std::vector<float>(4, 0.0f));
  EXPECT_TRUE(y.guards_untouched());
  weight_matmul({});
  j = {{WeightFormat::kQ4_K, nullptr, 0, 256, 0}, nullptr, 0, nullptr, 3, nullptr, 0};
  weight_matmul({&j, 1});
  j = {{WeightFormat::kQ4_K, nullptr, 5, 256, 0}, nullptr, 0, nullptr, 0, nullptr, 0};
  weight_matmul({&j, 1});
}

TEST(WeightMatmul, BadArgumentsAreErrors) {
  TestWeight w(WeightFormat::kQ8_0, 4, 64, 0, 1);
  TestRows x(3, 64, 1);
  TestOutput y(4, 3);
  const MatmulJob good = job(w.view, x, 3, y);
  auto refused = [&](auto change) {
    MatmulJob bad = good;
    change(bad);
    try {
      weight_matmul({&bad, 1});
    } catch (const Error& e) {
      return e.kind() == ErrorKind::kArgument && y.guards_untouched();
    }
    return false;
  };
  constexpr int64_t kHuge = std::numeric_limits<int64_t>::max() / 2;
  const int32_t negative[] = {0, -1, 2};
  EXPECT_TRUE(refused([](MatmulJob& j) { j.m = -1; }));
  EXPECT_TRUE(refused([](MatmulJob& j) { j.w.rows = -1; }));
  EXPECT_TRUE(refused([](MatmulJob& j) { j.w.cols = -32; }));
  EXPECT_TRUE(refused([](MatmulJob& j) { j.w.cols = 33; }));
  EXPECT_TRUE(refused([](MatmulJob& j) { j.w.cols = kHuge / 32 * 32; }));
  EXPECT_TRUE(refused([](MatmulJob& j) { j.w.rows = kHuge; }));
  EXPECT_TRUE(refused([](MatmulJob& j) { j.m = kHuge; }));
  EXPECT_TRUE(refused([](MatmulJob& j) { j.w.row_stride = 67; }));
  EXPECT_TRUE(refused([](MatmulJob& j) { j.w.row_stride = -68; }));
  EXPECT_TRUE(refused([](MatmulJob& j) { j.w.data = nullptr; }));
  EXPECT_TRUE(refused([](MatmulJob& j) { j.x = nullptr; }));
  EXPECT_TRUE(refused([](MatmulJob& j) { j.y = nullptr; }));
  EXPECT_TRUE(refused([](MatmulJob& j) { j.y_stride = 3; }));
  EXPECT_TRUE(refused([](MatmulJob& j) { j.x_stride = -64; }));
  EXPECT_TRUE(refused([](MatmulJob& j) { j.x_stride = kHuge; }));
  EXPECT_TRUE(refused([&](MatmulJob& j) { j.x_rows = negative; }));
  EXPECT_TRUE(refused([](MatmulJob& j) { j.w.scale_layout = ScaleLayout::kRow; }));
  EXPECT_TRUE(refused([](MatmulJob& j) { j.w.format = static_cast<WeightFormat>(99); }));
  const float scale = 1;
  EXPECT_TRUE(refused([&](MatmulJob& j) {
    j.w.scale_layout = ScaleLayout::kBlock128;
    j.w.scales = &scale;
  }));
}

TEST(Bandwidth, IsPlausible) {
  double one = read_bandwidth_gb_s(1, 0.01);
  EXPECT_GT(one, 0.05);
  EXPECT_LT(one, 10000);
  EXPECT_THROW(read_bandwidth_gb_s(0, 0.01), Error);
  release_bandwidth_buffer();
}

}  // namespace
}  // namespace ingot
