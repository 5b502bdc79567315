// Every simdgroup function, with and without seeds.
#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "ingot/base/small_floats.h"
#include "ingot/device/sim/sim.h"

namespace ingot {
namespace {

// T is the storage, C what sums are computed in.
template <class T, class C>
void check_values(const std::string& kernel, uint64_t seed) {
  std::vector<T> in(32), out(12 * 32);
  for (int i = 0; i < 32; ++i) in[i] = T(C(i % 5 == 0 ? 2 : 1) * C(i % 7 == 3 ? -1 : 1));
  sim::Args args;
  args.bind(0, in.data(), in.size() * sizeof(T));
  args.bind(1, out.data(), out.size() * sizeof(T));
  sim::dispatch(kernel, args, {1, 1, 1}, {32, 1, 1}, {.seed = seed});

  C sum = 0, product = 1, largest = C(in[0]), smallest = C(in[0]);
  for (T v : in) {
    sum += C(v);
    product *= C(v);
    largest = std::max(largest, C(v));
    smallest = std::min(smallest, C(v));
  }
  C running = 0;
  for (int lane = 0; lane < 32; ++lane) {
    auto got = [&](int result) { return C(out[result * 32 + lane]); };
    EXPECT_EQ(got(0), sum);
    EXPECT_EQ(got(1), product);
    EXPECT_EQ(got(2), largest);
    EXPECT_EQ(got(3), smallest);
    EXPECT_EQ(got(5), running);
    running += C(in[lane]);
    EXPECT_EQ(got(4), running);
    EXPECT_EQ(got(6), C(in[31 - lane]));
    EXPECT_EQ(got(7), C(in[lane ^ 5]));
    if (lane >= 3) {
      EXPECT_EQ(got(8), C(in[lane - 3]));
    }
    if (lane < 29) {
      EXPECT_EQ(got(9), C(in[lane + 3]));
    }
    EXPECT_EQ(got(10), C(in[7]));
    EXPECT_EQ(got(11), C(in[0]));
  }
  unsigned char garbage[sizeof(T)];
  std::memset(garbage, 0xFF, sizeof garbage);
  EXPECT_EQ(std::memcmp(&out[8 * 32], garbage, sizeof garbage), 0) << "a lane that does not exist gives 0xFF bytes";
}

TEST(SimSimd, ValuesOfAllTypes) {
  for (uint64_t seed : {0, 1, 2}) {
    check_values<float, float>("simd_values_f32", seed);
    check_values<half, float>("simd_values_f16", seed);
    check_values<int32_t, int32_t>("simd_values_i32", seed);
    check_values<uint32_t, uint32_t>("simd_values_u32", seed);
  }
}

TEST(SimSimd, Votes) {
  for (int round = 0; round < 3; ++round) {
    std::vector<uint32_t> in(64), out(4 * 64);
    for (int i = 0; i < 64; ++i) in[i] = round == 0 ? i % 3 : round == 1 ? 1 : 0;
    sim::Args args;
    args.bind(0, in.data(), 256);
    args.bind(1, out.data(), 1024);
    sim::dispatch("simd_votes", args, {1, 1, 1}, {64, 1, 1}, {.seed = uint64_t(round)});
    for (int i = 0; i < 64; ++i) {
      uint32_t mask = 0;
      for (int lane = 0; lane < 32; ++lane) mask |= (in[i / 32 * 32 + lane] & 1u) << lane;
      EXPECT_EQ(out[i], mask);
      EXPECT_EQ(out[64 + i], mask != 0);
      EXPECT_EQ(out[128 + i], mask == ~0u);
      EXPECT_EQ(out[192 + i], i % 32 == 0);
    }
  }
}

}  // namespace
}  // namespace ingot
