// The AMX kernel on a stand-in for the tile instructions, compiled for the plainest CPU: packing and edges, anywhere.
#ifndef INGOT_ISA
#define INGOT_ISA isa_stand_in
#endif
#include "ingot/ops/linear/amx_matmul.h"

#include <gtest/gtest.h>

#include "ingot/ops/linear/amx_tile_stand_in.h"
#include "ingot/ops/linear/matmul_test_data.h"

namespace ingot {
namespace {

using Kernel = INGOT_ISA::AmxMatmul<StandInTiles>;
using matmul_test::Reference;
using matmul_test::TestOutput;
using matmul_test::TestRows;
using matmul_test::TestWeight;

// Rows in slices as several threads would take them.
void run(const MatmulJob& job) {
  struct alignas(64) Line {
    uint8_t bytes[64];
  };
  std::vector<Line> packed(static_cast<size_t>(Kernel::packed_bytes(job) / 64));
  std::vector<Line> scratch(static_cast<size_t>(Kernel::scratch_bytes(job) / 64 + 1));
  for (int64_t i = 0; i < job.m; i += 16) Kernel::pack(job, packed.data(), i, std::min(i + 16, job.m));
  for (int64_t begin = 0; begin < job.w.rows; begin += 64) {
    MatmulSlice slice = {&job, packed.data(), scratch.data(), begin, std::min(begin + 64, job.w.rows), 8};
    Kernel::run(slice);
  }
}

void check(WeightFormat f, int64_t rows, int64_t cols, ScaleLayout layout) {
  TestWeight w(f, rows, cols, 1, 41, layout);
  TestRows x(70, cols, 42);
  Reference reference(w.view, x, 70, {true, true});
  for (int64_t m : {1, 2, 3, 5, 8, 15, 16, 17, 31, 32, 33, 48, 49, 64, 70}) {
    TestOutput y(rows, m);
    run({w.view, x.values.data(), x.stride, nullptr, m, y.data(), y.stride});
    EXPECT_TRUE(y.guards_untouched());
    for (int64_t i = 0; i < m; i++) {
      for (int64_t n = 0; n < rows; n++) {
        ASSERT_TRUE(reference.close(y.at(i, n), i, n, cols))
            << name(f) << " m " << m << " rows " << rows << " cols " << cols << " at " << i << ", " << n;
      }
    }
  }
}

TEST(AmxMatmul, PackingAndEdges) {
  for (int64_t rows : {1, 15, 16, 17, 31, 32, 33, 100})
    for (int64_t cols : {1, 31, 32, 33, 64, 100}) check(WeightFormat::kBF16, rows, cols, ScaleLayout::kNone);
}

TEST(AmxMatmul, ChunksAndBlocksOfColumns) {
  // More than one panel of columns, and activations that take more than one turn.
  check(WeightFormat::kBF16, 40, 1100, ScaleLayout::kNone);
  check(WeightFormat::kF8E4M3, 40, 530, ScaleLayout::kRow);
  check(WeightFormat::kBF16, 17, 16400, ScaleLayout::kTensor);
  for (int64_t rows : {33, 130, 160}) {
    check(WeightFormat::kF8E4M3, rows, 300, ScaleLayout::kBlock128);
    check(WeightFormat::kBF16, rows, 256, ScaleLayout::kBlock128);
  }
}

TEST(AmxMatmul, Blocks) {
  for (WeightFormat f : {WeightFormat::kQ8_0, WeightFormat::kQ4_K, WeightFormat::kQ6_K, WeightFormat::kQ3_K})
    check(f, 50, 768, ScaleLayout::kNone);
}

}  // namespace
}  // namespace ingot
