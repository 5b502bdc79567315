// From kernel text to signatures and their JSON.
#include "ingot/msl/signature.h"

#include <gtest/gtest.h>

#include "ingot/msl/module.h"
#include "ingot/msl/test_support.h"

namespace ingot::msl {
namespace {

const char* const kText = R"(#include <metal_stdlib>
using namespace metal;
constant bool kFlag [[function_constant(3)]];
struct Params {
    uint n;
    uint m;
};
struct Format {
    typedef uchar storage;
};
static void start() { wait_inputs(); }

template <typename W, typename T = float>
[[kernel, max_total_threads_per_threadgroup(64)]]
void scale(device const typename W::storage* w [[buffer(2)]],
           device vec<T, 4>* y                 [[buffer(0)]],
           constant Params& p                  [[buffer(1)]],
           constant float* table               [[buffer(5), function_constant(kFlag)]],
           threadgroup T* scratch              [[threadgroup(1)]],
           uint2 group                         [[threadgroup_position_in_grid]],
           ushort lane                         [[thread_index_in_simdgroup]])
{
    start();
}

kernel void plain(device atomic_uint& slot [[buffer(0)]]) {}

template [[host_name("scale_half")]] [[kernel]] decltype(scale<Format, half>) scale<Format, half>;
template [[host_name("scale_default")]] [[kernel]] decltype(scale<Format>) scale<Format>;
)";

TEST(MslSignatures, KernelsComeInTheOrderOfTheText) {
  const Module module = read_text(kText);
  EXPECT_EQ(to_text(check(module, Rules::kPortable)), "");
  const std::vector<KernelSignature>& kernels = signatures(module);
  ASSERT_EQ(kernels.size(), 3u);
  EXPECT_EQ(kernels[0].host_name, "plain");
  EXPECT_EQ(kernels[1].host_name, "scale_half");
  EXPECT_EQ(kernels[1].function, "scale<Format, half>");
  EXPECT_EQ(kernels[1].max_threads, 64);
  EXPECT_EQ(kernels[1].line, 13);
  EXPECT_EQ(kernels[2].function, "scale<Format>");
  EXPECT_EQ(kernels[0].max_threads, 0);
}

TEST(MslSignatures, TemplateArgumentsAreInTheElements) {
  const Module module = read_text(kText);
  const KernelSignature& kernel = signatures(module)[1];
  ASSERT_EQ(kernel.parameters.size(), 7u);
  EXPECT_EQ(kernel.parameters[0].element, "Format::storage");
  EXPECT_FALSE(kernel.parameters[0].written);
  EXPECT_EQ(kernel.parameters[0].index, 2);
  EXPECT_EQ(kernel.parameters[1].element, "vec<half,4>");
  EXPECT_TRUE(kernel.parameters[1].written);
  EXPECT_EQ(kernel.parameters[2].kind, ParameterKind::kValue);
  EXPECT_EQ(kernel.parameters[2].element, "Params");
  EXPECT_EQ(kernel.parameters[3].kind, ParameterKind::kPointer);
  EXPECT_EQ(kernel.parameters[3].space, "constant");
  EXPECT_EQ(kernel.parameters[3].optional_if, "kFlag");
  EXPECT_FALSE(kernel.parameters[3].written);
  EXPECT_EQ(kernel.parameters[4].kind, ParameterKind::kThreadgroup);
  EXPECT_EQ(kernel.parameters[4].index, 1);
  EXPECT_EQ(kernel.parameters[5].kind, ParameterKind::kBuiltin);
  EXPECT_EQ(kernel.parameters[5].builtin, "threadgroup_position_in_grid");
  EXPECT_EQ(signatures(module)[2].parameters[1].element, "vec<float,4>");
}

TEST(MslSignatures, ReferencesAndConstantsAndWaiting) {
  const Module module = read_text(kText);
  EXPECT_TRUE(signatures(module)[0].parameters[0].reference);
  EXPECT_TRUE(signatures(module)[0].parameters[0].written);
  EXPECT_FALSE(signatures(module)[0].waits_for_inputs);
  EXPECT_TRUE(signatures(module)[1].waits_for_inputs);
  ASSERT_EQ(signatures(module)[1].function_constants.size(), 1u);
  EXPECT_EQ(signatures(module)[1].function_constants[0].index, 3);
  EXPECT_EQ(signatures(module)[1].function_constants[0].type, "bool");
}

TEST(MslSignatures, Json) {
  const std::string json = to_json(signatures(read_text(kText)));
  const std::string start =
      R"({"kernels": [
{"host_name": "plain", "function": "plain", "file": "ingot/test.metal", "line": 26, "max_threads": 0, "waits_for_inputs": false, )"
      R"("parameters": [{"name": "slot", "kind": "pointer", "element": "atomic_uint", "index": 0, "space": "device", )"
      R"("reference": true, "written": true}], "function_constants": [{"index": 3, "type": "bool", "name": "kFlag"}]},)";
  EXPECT_EQ(json.substr(0, start.size()), start);
  EXPECT_EQ(to_json(std::vector<KernelSignature>{}), "{\"kernels\": [\n]}\n");
}

TEST(MslSignatures, FindsStructsAndThreadgroupVariables) {
  const Module module = read_text(
      "struct P {\n  vec<float, 4> a, b[2];\n  device const uint* c;\n  static float f(float x) { return x; }\n};\n" +
      one_kernel("", "threadgroup float s[4], t;\n{ threadgroup vec<half, 2> u[8][2]; }\nthreadgroup float* p = s;"));
  const ParsedModule& parsed = module.parsed();
  ASSERT_EQ(parsed.structs.size(), 1u);
  ASSERT_EQ(parsed.structs[0].members.size(), 3u);
  EXPECT_EQ(parsed.structs[0].members[1].name, "b");
  EXPECT_EQ(parsed.structs[0].members[2].type.space, "device");
  ASSERT_EQ(parsed.threadgroups.size(), 2u);
  EXPECT_EQ(parsed.threadgroups[0].variables.size(), 2u);
  EXPECT_EQ(parsed.spelled(parsed.threadgroups[1].type), "vec<half,2>");
  EXPECT_EQ(parsed.spelled(parsed.threadgroups[1].variables[0].dimensions), "[8][2]");
}

}  // namespace
}  // namespace ingot::msl
