// What tests/msl/bad does not show: exact places and words, users' rules, and text that must not be refused. The files
// there are judged here too, as far as no clang is needed.
#include "ingot/msl/rules.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "ingot/base/error.h"
#include "ingot/msl/numbers.h"
#include "ingot/msl/test_support.h"

namespace ingot::msl {
namespace {

std::string mistakes(const std::string& text, Rules rules = Rules::kHouse) {
  return to_text(check(read_text(text), rules));
}

TEST(MslRules, NameFileLineAndRule) {
  EXPECT_EQ(mistakes(one_kernel("device float* a [[buffer(0)]]", "float x = 1.0f;\na[i] = x * 2.0;")),
            "ingot/test.metal:4: error: '2.0' is a double, which Metal has not: write 2.0f [rule 3]\n");
  const Module module = read_text("#include \"h.h\"\n", {{"ingot/h.h", "\ninline float f(float* p) { return *p; }\n"}});
  EXPECT_EQ(to_text(check(module)),
            "ingot/h.h:2: error: pointer or reference 'p' has no address space: device, constant, threadgroup or, for "
            "locals, thread "
            "[rule 2]\n");
}

TEST(MslRules, UsersMayBreakTheHousesRules) {
  const std::string text =
      "kernel void k(device float* a [[buffer(0)]], constant uint& n [[buffer(1)]], constant uint& m [[buffer(2)]]) "
      "{}\n";
  EXPECT_NE(mistakes(text), "");
  EXPECT_EQ(mistakes(text, Rules::kPortable), "");
}

TEST(MslRules, LookIntoMacros) {
  EXPECT_EQ(mistakes("#define HALF 0.5\n"),
            "ingot/test.metal:1: error: '0.5' is a double, which Metal has not: write 0.5f [rule 3]\n");
  EXPECT_NE(mistakes("\n#define EXP(x) \\\n  std::exp(x)\n").find("test.metal:3: error: no std::"), std::string::npos);
  EXPECT_EQ(mistakes("#define SUM(a, b) \\\n  ((a)[0] + (b)[1] * 2.0f)\n"), "");
}

TEST(MslRules, LeavesExpressionsAlone) {
  EXPECT_EQ(mistakes(one_kernel("device float* a [[buffer(0)]], device uint* u [[buffer(1)]]",
                                "float x = a[i], y = a[i + 1];\n"
                                "float list[2] = {x * y, y};\n"
                                "x = x * y;\n"
                                "for (uint k = i * i; k < 4 && k > u[0] * 2; ++k) x *= y;\n"
                                "if (x * y > list[0]) { x = -y; }\n"
                                "u[i] = (u[i] & 3u) | (i & u[0]);\n"
                                "thread float* p = &x;\n"
                                "a[i] = *p * y + list[1];\n"
                                "a[i] = float(u[i]) * (*p) * *p;\n"
                                "auto q = a + i;\n"
                                "a[i] = q[0] > *p ? x : y;\n"
                                "return;")),
            "");
}

TEST(MslRules, PointersInOddPlaces) {
  const auto refused = [](const std::string& body) {
    return mistakes(one_kernel("device float* a [[buffer(0)]]", body)).find("has no address space") !=
           std::string::npos;
  };
  EXPECT_TRUE(refused("for (float* p = 0; p; ++p) {}"));
  EXPECT_TRUE(refused("const vec<float, 4>* p = 0;"));
  EXPECT_TRUE(refused("a[i] = *reinterpret_cast<const float*>(a);"));
  EXPECT_TRUE(refused("{ metal::uint* p; }"));
  EXPECT_FALSE(refused("a[i] = *reinterpret_cast<device const float*>(a);"));
  EXPECT_FALSE(refused("device vec<float, 4>* p = (device vec<float, 4>*)a;"));
  EXPECT_FALSE(refused("auto& r = a[i];"));
}

TEST(MslRules, OverloadsAreComparedWithoutSpaces) {
  EXPECT_NE(mistakes("template <typename T> T f(device const T* p) { return *p; }\n"
                     "template <typename U> U f(threadgroup const U* p) { return *p; }\n"),
            "");
  EXPECT_EQ(mistakes("float f(device const float* p);\nfloat f(device const float* p) { return *p; }\n"
                     "float f(device const uint* p) { return float(*p); }\nfloat f(float p) { return p; }\n"
                     "template <typename T, typename U> T f(device const U* p) { return T(*p); }\n"),
            "");
}

TEST(MslRules, MembersMayLookLikeSwizzles) {
  EXPECT_EQ(mistakes("struct S {\n  float xxy;\n};\ninline float f(S s) { return s.xxy; }\n"), "");
  EXPECT_NE(mistakes("inline float3 f(float4 s) { return s.xxy; }\n"), "");
}

TEST(MslRules, Numbers) {
  EXPECT_TRUE(is_double_literal("1.0"));
  EXPECT_TRUE(is_double_literal("1e5"));
  EXPECT_TRUE(is_double_literal("0x1p3"));
  EXPECT_FALSE(is_double_literal("0xE5"));
  EXPECT_FALSE(is_double_literal("1.0f"));
  EXPECT_FALSE(is_double_literal("2.h"));
  EXPECT_FALSE(is_double_literal("15"));
  EXPECT_EQ(integer_literal("0x20u"), 32u);
  EXPECT_EQ(integer_literal("010"), 8u);
  EXPECT_EQ(integer_literal("1.5"), std::nullopt);
  EXPECT_EQ(integer_literal("99999999999999999999"), std::nullopt);
  EXPECT_EQ(small_number("0"), 0);
  EXPECT_EQ(small_number("N"), -1);
}

TEST(MslRules, UnreadableTextIsAnError) {
  for (const char* text : {"void f() {", "void f() )", "int a[;", "/*", "#include \"x.h\"\n",
                           "kernel void k(device float* a [[buffer(0])) {}"})
    EXPECT_THROW(read_text(text), Error) << text;
}

// Deep nesting and long runs of what could begin something must cost no more than their length.
TEST(MslRules, HostileTextStaysCheap) {
  for (const std::string piece :
       {"<", "template <", "threadgroup ", "a*", "a<", "struct S ", "namespace n ", "kernel void k(int a", "* ",
        "[[a]]", "template [[host_name(\"k\")]] ", "typedef ", "a b,", "#if 1\n", "(", "{", "constant a,"}) {
    std::string text;
    while (text.size() < 200'000) text += piece;
    try {
      const Module module = read_text(text);
      check(module);
      emit_strict(module);
    } catch (const Error&) {
    }
  }
}

std::string read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return std::string((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
}

TEST(MslRules, GoodFilesPass) {
  const std::filesystem::path root = INGOT_SOURCE_DIR;
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(root / "tests/msl/good")) {
    if (entry.path().extension() != ".metal") continue;
    const Module module = read(std::filesystem::relative(entry.path(), root).string(), read_file(entry.path()),
                               [&](const std::string& header) -> std::optional<std::string> {
                                 if (!std::filesystem::exists(root / header)) return std::nullopt;
                                 return read_file(root / header);
                               });
    EXPECT_EQ(to_text(check(module)), "") << entry.path();
    EXPECT_FALSE(signatures(module).empty());
    files++;
  }
  EXPECT_GE(files, 7);
}

}  // namespace
}  // namespace ingot::msl
