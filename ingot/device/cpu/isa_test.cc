#include "ingot/device/cpu/isa.h"

#include <gtest/gtest.h>

#include "ingot/base/error.h"

namespace ingot {
namespace {

constexpr Isa kX86[] = {Isa::kBase, Isa::kAvx2, Isa::kAvx512, Isa::kAvx512Bf16, Isa::kAmx};

TEST(ChooseIsa, LowersButNeverRaises) {
  for (Isa found : kX86) {
    EXPECT_EQ(choose_isa("", found), found);
    for (Isa wish : kX86) EXPECT_EQ(choose_isa(name(wish), found), wish < found ? wish : found);
  }
}

TEST(ChooseIsa, OtherArchitecturesChangeNothing) {
  for (Isa wish : kX86) EXPECT_EQ(choose_isa(name(wish), Isa::kNeon), Isa::kNeon);
  for (Isa found : kX86) EXPECT_EQ(choose_isa("neon", found), found);
}

TEST(ChooseIsa, UnknownNames) {
  for (const char* wish : {"AVX2", "avx", "avx512 ", "sse"}) EXPECT_THROW(choose_isa(wish, Isa::kAmx), Error) << wish;
  try {
    choose_isa("avx3", Isa::kAvx2);
    FAIL();
  } catch (const Error& e) {
    EXPECT_STREQ(e.what(),
                 "INGOT_CPU_ISA: unknown instruction set \"avx3\"; known: base avx2 avx512 avx512bf16 amx neon");
  }
}

TEST(CpuIsa, IsNotAboveWhatTheCpuHas) {
  EXPECT_LE(cpu_isa(), detected_isa());
#if defined(__x86_64__)
  EXPECT_NE(detected_isa(), Isa::kNeon);
#else
  EXPECT_EQ(detected_isa(), Isa::kNeon);
#endif
}

TEST(CpuIsa, InfoIsFilledIn) {
  EXPECT_GE(cpu_info().logical_cores, 1);
  EXPECT_FALSE(cpu_info().model.empty());
}

#if defined(__x86_64__)
TEST(SimdPick, TakesTheBestTableCompiled) {
  int picked = simd_pick(
      +[] { return 0; }, +[] { return 1; }, +[] { return 2; });
  EXPECT_EQ(picked, cpu_isa() >= Isa::kAvx512 ? 2 : cpu_isa() >= Isa::kAvx2 ? 1 : 0);
}
#endif

}  // namespace
}  // namespace ingot
