// ingot/msl/float8.h through the simulator, bit for bit against ingot/base/small_floats.h.
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "ingot/base/small_floats.h"
#include "ingot/device/sim/sim.h"

namespace ingot {
namespace {

TEST(KernelFloat8, EveryCodeDecodes) {
  std::vector<float> e4m3(256), e5m2(256), e8m0(256);
  sim::Args args;
  args.bind(0, e4m3.data(), 1024);
  args.bind(1, e5m2.data(), 1024);
  args.bind(2, e8m0.data(), 1024);
  sim::dispatch("float8_decode", args, {1, 1, 1}, {256, 1, 1});
  for (int code = 0; code < 256; ++code) {
    EXPECT_EQ(float_to_bits(e4m3[code]), float_to_bits(f8e4m3_to_float(uint8_t(code)))) << code;
    EXPECT_EQ(float_to_bits(e5m2[code]), float_to_bits(f8e5m2_to_float(uint8_t(code)))) << code;
    EXPECT_EQ(float_to_bits(e8m0[code]), float_to_bits(f8e8m0_to_float(uint8_t(code)))) << code;
  }
}

TEST(KernelFloat8, FloatsEncode) {
  std::vector<float> x;
  for (uint64_t pattern = 0; pattern < (uint64_t{1} << 32); pattern += 16381)
    x.push_back(bits_to_float(uint32_t(pattern)));
  // Around every code and half-way to the next: where the rounding of each format turns.
  for (int code = 0; code < 256; ++code) {
    for (float value :
         {f8e4m3_to_float(uint8_t(code)), f8e5m2_to_float(uint8_t(code)), f8e8m0_to_float(uint8_t(code))}) {
      for (uint32_t half_way : {0u, 0x40000u, 0x80000u, 0x100000u, 0x200000u, 0x400000u}) {
        for (uint32_t off : {0u, 1u, ~0u}) x.push_back(bits_to_float(float_to_bits(value) + half_way + off));
      }
    }
  }
  for (int i = 0; i < 2048; ++i) x.push_back(float(i) * 0x1p-18f);  // subnormals of both, and their ties
  while (x.size() % 256 != 0) x.push_back(-0.0f);

  std::vector<uint8_t> codes(x.size() * 5);
  sim::Args args;
  args.bind(0, x.data(), x.size() * 4);
  args.bind(1, codes.data(), codes.size());
  sim::dispatch("float8_encode", args, {uint32_t(x.size() / 256), 1, 1}, {256, 1, 1});
  for (size_t i = 0; i < x.size(); ++i) {
    const uint8_t* c = codes.data() + 5 * i;
    ASSERT_EQ(c[0], float_to_f8e4m3(x[i])) << x[i];
    ASSERT_EQ(c[1], float_to_f8e4m3_nonsaturating(x[i])) << x[i];
    ASSERT_EQ(c[2], float_to_f8e5m2(x[i])) << x[i];
    ASSERT_EQ(c[3], float_to_f8e5m2_saturating(x[i])) << x[i];
    ASSERT_EQ(c[4], float_to_f8e8m0(x[i])) << x[i];
  }
}

}  // namespace
}  // namespace ingot
