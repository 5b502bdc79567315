// Positions, arguments, function constants, workers and what dispatch refuses.
#include <gtest/gtest.h>

#include <numeric>
#include <string>
#include <vector>

#include "ingot/base/error.h"
#include "ingot/base/message_test.h"
#include "ingot/device/sim/sim.h"

namespace ingot {
namespace {

TEST(SimDispatch, PositionsInThreeDimensions) {
  const sim::Size groups = {3, 2, 2}, threads = {4, 8, 2};
  const uint32_t gx = 12, gy = 16, n = 12 * 16 * 4;
  for (uint64_t seed : {0, 7}) {
    std::vector<uint32_t> out(n * 12, ~0u);
    sim::Args args;
    args.bind(0, out.data(), out.size() * 4);
    sim::dispatch("positions", args, groups, threads, {.seed = seed});
    for (uint32_t i = 0; i < n; ++i) {
      const uint32_t x = i % gx, y = i / gx % gy, z = i / (gx * gy), index = x % 4 + 4 * (y % 8 + 8 * (z % 2));
      const uint32_t expected[12] = {x / 4, y / 8,      z / 2,      x % 4, y % 8, z % 2,
                                     index, index % 32, index / 32, 2,     32,    32};
      for (int k = 0; k < 12; ++k) ASSERT_EQ(out[i * 12 + k], expected[k]) << i << " " << k;
    }
  }
}

TEST(SimDispatch, FunctionConstantsAndTheirAbsence) {
  std::vector<uint32_t> values(64, 1);
  sim::Args args;
  args.bind(0, values.data(), 256);
  args.fc[0].assign(41);
  args.fc[3].assign(0);
  sim::dispatch("add_constant", args, {1, 1, 1}, {64, 1, 1});
  EXPECT_EQ(values[63], 42u);
  args.fc[3].assign(1);
  sim::dispatch("add_constant", args, {1, 1, 1}, {64, 1, 1});
  EXPECT_EQ(values[0], 166u);
  sim::Args forgotten;
  forgotten.bind(0, values.data(), 256);
  forgotten.fc[0].assign(1);
  EXPECT_EQ(message_of([&] {
              sim::dispatch("add_constant", forgotten, {1, 1, 1}, {64, 1, 1});
            }),
            "add_constant: function constant 3: expected a value, got none");
}

TEST(SimDispatch, ThreadgroupArgumentsAtomicsAndWorkers) {
  for (int workers : {0, 1, 2, 4}) {
    const uint32_t groups = 50, size = 128, n = groups * size;
    std::vector<float> in(n), out(n);
    std::iota(in.begin(), in.end(), 0.0f);
    uint32_t count = 0;
    float total = 0;
    for (float& v : in) v = float(int(v) % 100);
    sim::Args args;
    args.bind(0, in.data(), n * 4);
    args.bind(1, out.data(), n * 4);
    args.bind(2, &count, 4);
    args.bind(3, &total, 4);
    args.tg_bytes[0] = size * 4;
    sim::dispatch("reverse_groups", args, {groups, 1, 1}, {size, 1, 1},
                  {.seed = uint64_t(workers), .workers = workers});
    EXPECT_EQ(count, n);
    EXPECT_EQ(total, std::accumulate(in.begin(), in.end(), 0.0f));
    for (uint32_t i = 0; i < n; ++i) ASSERT_EQ(out[i], in[i / size * size + size - 1 - i % size]);
  }
}

TEST(SimDispatch, Atomics) {
  std::vector<uint32_t> u = {0, 1000, 0, 5};
  std::vector<int32_t> s = {-1000, 1000, 0, 0};
  sim::Args args;
  args.bind(0, u.data(), 16);
  args.bind(1, s.data(), 16);
  sim::dispatch("atomics", args, {10, 1, 1}, {64, 1, 1}, {.workers = 2});
  EXPECT_EQ(u, (std::vector<uint32_t>{639, 0, ~0u, 5 + 2 * 640}));
  EXPECT_EQ(s, (std::vector<int32_t>{0, -639, -639 * 320, -7}));
}

TEST(SimDispatch, NoGroupsIsNothing) {
  std::vector<float> y(256, 3.0f);
  sim::Args args;
  args.bind(0, y.data(), 1024);
  sim::dispatch("neighbours", args, {0, 1, 1}, {256, 1, 1});
  EXPECT_EQ(y[7], 3.0f);
}

TEST(SimDispatch, Refusals) {
  alignas(16) float y[260] = {};
  sim::Args args;
  args.bind(0, y, 1024);
  auto run = [&](const char* kernel, sim::Size groups, sim::Size threads) {
    return message_of([&] { sim::dispatch(kernel, args, groups, threads); });
  };
  EXPECT_EQ(run("no_such_kernel", {}, {}), "simulator: no kernel 'no_such_kernel' in this build");
  EXPECT_EQ(run("neighbours", {1, 1, 1}, {512, 1, 1}),
            "neighbours: threads of a group: expected a multiple of 32, at most 256, got (512, 1, 1)");
  EXPECT_EQ(run("neighbours", {1, 1, 1}, {40, 1, 1}),
            "neighbours: threads of a group: expected a multiple of 32, at most 256, got (40, 1, 1)");
  EXPECT_EQ(run("neighbours", {1, 1, 1}, {0, 1, 1}),
            "neighbours: threads of a group: expected a multiple of 32, at most 256, got (0, 1, 1)");
  EXPECT_EQ(run("neighbours", {1, 70000, 1}, {256, 1, 1}),
            "neighbours: groups: expected at most 65535 in y and z, got (1, 70000, 1)");
  EXPECT_EQ(run("large_argument", {1, 1, 1}, {256, 1, 1}),
            "large_argument: threadgroup memory 0 (big): expected a number of bytes, got 0");
  EXPECT_EQ(run("beyond_buffer", {1, 1, 1}, {256, 1, 1}), "beyond_buffer: buffer 1 (y): expected a binding, got none");
  args.bind(1, reinterpret_cast<char*>(y) + 2, 1024);
  EXPECT_EQ(run("beyond_buffer", {1, 1, 1}, {256, 1, 1}),
            "beyond_buffer: buffer 1 (y): expected an address on 4 bytes, got one on 2");
  args.bind(1, y, 3);
  EXPECT_EQ(run("beyond_buffer", {1, 1, 1}, {256, 1, 1}),
            "beyond_buffer: buffer 1 (y): expected at least one element of 4 bytes, got 3");
  args.bind(1, nullptr, 8);
  EXPECT_EQ(run("beyond_buffer", {1, 1, 1}, {256, 1, 1}),
            "beyond_buffer: buffer 1 (y): expected an address for 8 bytes, got null");
  sim::Args tile;
  for (int i = 0; i < 4; ++i) tile.bind(i, y, 64);
  EXPECT_EQ(message_of([&] {
              sim::dispatch("tile_product_f32_f32", tile, {1, 1, 1}, {32, 1, 1});
            }),
            "tile_product_f32_f32: buffer 3 (p): expected 32 bytes, got 64");
}

TEST(SimDispatch, KernelsAreListed) {
  ASSERT_NE(sim::find("neighbours"), nullptr);
  EXPECT_EQ(sim::find("neighbours")->max_threads, 256u);
  EXPECT_EQ(sim::find("nobody"), nullptr);
  EXPECT_GT(sim::kernels().size(), 20u);
}

}  // namespace
}  // namespace ingot
