// The forms of ingot/msl/emitted.md.
#include "ingot/msl/emit.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "ingot/base/error.h"
#include "ingot/msl/embed.h"
#include "ingot/msl/test_support.h"

namespace ingot::msl {
namespace {

const char* const kText = R"(#include <metal_stdlib>
#include "ingot/msl/wait_inputs.h"
using namespace metal;
constant float kScale = 2.0f;
constant uint kRows [[function_constant(1)]];
struct Params {
    uint n;
    uint m;
};
template <typename T>
[[kernel, max_total_threads_per_threadgroup(64)]]
void scale(device const T* x [[buffer(1)]], device T& y [[buffer(0)]],
           constant Params& p [[buffer(2)]], threadgroup float* dynamic [[threadgroup(0)]],
           uint2 i [[thread_position_in_grid]], ushort lane [[thread_index_in_simdgroup]])
{
    threadgroup float s[4], t;
    thread float* q = &s[0];
    constant Params* r = &p;
    y = T(x[i.x] * kScale) + 2.0h;
}
template [[host_name("scale_f32")]] [[kernel]] decltype(scale<float>) scale<float>;
)";

const Files kFiles = {{"ingot/msl/wait_inputs.h", "#pragma once\ninline void wait_inputs() {}\n"}};

bool holds(const std::string& text, std::string_view part) { return text.find(part) != text.npos; }

#define EXPECT_HOLDS(text, part) EXPECT_TRUE(holds(text, part)) << text

TEST(MslEmit, MetalIsAsWritten) {
  const std::string text = emit_metal(read_text(kText, kFiles));
  EXPECT_TRUE(text.starts_with(
      "#line 1 \"ingot/test.metal\"\n#include <metal_stdlib>\n\n#line 1 \"ingot/msl/wait_inputs.h\"\n"));
  EXPECT_HOLDS(text, "inline void wait_inputs() {}\n#line 2 \"ingot/test.metal\"\n\nusing namespace metal;\n");
  EXPECT_HOLDS(text, "constant uint kRows [[function_constant(1)]];\n");
}

TEST(MslEmit, Sim) {
  const std::string text = emit_sim(read_text(kText, kFiles));
  EXPECT_TRUE(text.starts_with(
      "#include \"msl_cpu.h\"\n#include \"msl_names.h\"\n#define kernel static\n#define MSL_GCONST static\n"
      "namespace metal { namespace msl_ingot_test_metal {\n#line 1 \"ingot/test.metal\"\n"));
  EXPECT_FALSE(holds(text, "void wait_inputs"));
  EXPECT_HOLDS(text, "MSL_GCONST const float kScale = 2.0f;\nstatic uint kRows;\n");
  EXPECT_HOLDS(text, "kernel\nvoid scale( const T* x ,  T& y ,\n");
  EXPECT_HOLDS(text,
               "auto& s = ::msl_sim::tg_var<::msl_sim::id_t<float>[4]>(0); auto& t = "
               "::msl_sim::tg_var<::msl_sim::id_t<float>>(1);\n");
  EXPECT_HOLDS(text, "     float* q = &s[0];\n    const Params* r = &p;\n    y = T(x[i.x] * kScale) + half(2.0f);\n");
  EXPECT_HOLDS(
      text,
      "scale<float>((const float*)a_.buf[1], *(float*)a_.buf[0], *(const Params*)a_.buf[2], (float*)bi_.tg_arg(0), "
      "uint2(bi_.grid_pos().x, bi_.grid_pos().y), ushort(bi_.lane())); }\n");
  EXPECT_HOLDS(text, "if (a_.fc[1].set) kRows = (uint)a_.fc[1].v; }\n");
  EXPECT_HOLDS(text,
               "static const msl_sim::Param params_scale_f32[] = {\n"
               "  {\"x\", msl_sim::ParamKind::kPointer, 1, false, false, sizeof(float), alignof(float)},\n"
               "  {\"y\", msl_sim::ParamKind::kPointer, 0, true, false, sizeof(float), alignof(float)},\n"
               "  {\"p\", msl_sim::ParamKind::kValue, 2, false, false, sizeof(Params), alignof(Params)},\n"
               "  {\"dynamic\", msl_sim::ParamKind::kThreadgroup, 0, true, false, sizeof(float), alignof(float)},\n};\n"
               "static const msl_sim::Register reg_scale_f32(\"scale_f32\", call_scale_f32, fc_scale_f32, 64, "
               "params_scale_f32, 4);\n");
  EXPECT_TRUE(
      text.ends_with("}}\nnamespace msl_sim { void link_ingot_test_metal(); void link_ingot_test_metal() {} }\n"));
}

TEST(MslEmit, Cuda) {
  const std::string text = emit_cuda(read_text(kText, kFiles));
  EXPECT_TRUE(
      text.starts_with("#include \"msl_cuda.h\"\n#include \"msl_names.h\"\nMSL_TEXT_BEGIN\nnamespace metal { namespace "
                       "msl_ingot_test_metal {\n#line 1 \"ingot/test.metal\"\n"));
  EXPECT_HOLDS(text, "MSL_FC(1, uint, kRows)\n");
  EXPECT_HOLDS(text, "    __shared__ float s[4], t;\n");
  EXPECT_HOLDS(text,
               "}}\nMSL_TEXT_END\nnamespace metal { namespace msl_ingot_test_metal { namespace entries {\n"
               "#line 1 \"ingot_test_metal.wrappers\"\n");
  EXPECT_HOLDS(text,
               "extern \"C\" __global__ void __launch_bounds__(64) scale_f32(float* b0_, const float* b1_, "
               "const __grid_constant__ Params b2_, unsigned off0) {\n"
               "  extern __shared__ __align__(16) unsigned char msl_dyn_smem[]; msl_cuda::Builtins bi_; (void)bi_; "
               "msl_ingot_test_metal::scale<float>(b1_, *b0_, b2_, (float*)(msl_dyn_smem + off0), ");
}

TEST(MslEmit, Strict) {
  const std::string text = emit_strict(read_text(kText, kFiles));
  EXPECT_TRUE(text.starts_with("#include <metal_stdlib>\nnamespace checked_kernels {\n#line 1 \"ingot/test.metal\"\n"));
  EXPECT_HOLDS(text, "void wait_inputs");
  EXPECT_HOLDS(text, "constant uint kRows = ::msl_strict::AnyConstant();\n");
  EXPECT_HOLDS(text,
               "auto& s = ::msl_strict::threadgroup_variable<threadgroup float[4]>(); "
               "auto& t = ::msl_strict::threadgroup_variable<threadgroup float>(); "
               "static_assert(sizeof(s) + sizeof(t) <= 32768, ");
  EXPECT_HOLDS(text, "decltype(scale<float>) scale<float>;\n");
}

TEST(MslEmit, StrictCallsConstructorsOfVectors) {
  const std::string text = emit_strict(
      read_text("#define ONE float2(1)\ninline float4 f(half4 h) { return float4(h) + float4(ONE, ONE); }\n"));
  EXPECT_HOLDS(text,
               "#define ONE ::metal::make_<float, 2>::of(1)\ninline float4 f(half4 h) { return "
               "::metal::make_<float, 4>::of(h) + ::metal::make_<float, 4>::of(ONE, ONE); }\n");
}

TEST(MslEmit, LinesStayWhereTheyAre) {
  const Module module = read_text(kText, kFiles);
  const auto line_of = [](const std::string& text, std::string_view part) {
    const size_t from = text.rfind("#line 2 \"ingot/test.metal\"\n");
    return std::count(text.begin() + static_cast<ptrdiff_t>(from),
                      text.begin() + static_cast<ptrdiff_t>(text.find(part, from)), '\n');
  };
  for (const std::string& text : {emit_metal(module), emit_sim(module), emit_cuda(module), emit_strict(module)})
    EXPECT_EQ(line_of(text, "y = T(x[i.x]"), 18) << text;
}

TEST(MslEmit, NamesCannotLeaveTheirQuotes) {
  const Module module = read("a\"b\n.metal", "", nullptr);
  EXPECT_EQ(emit_metal(module), "#line 1 \"a_b_.metal\"\n");
  EXPECT_HOLDS(emit_sim(module), "namespace msl_a_b__metal {");
}

TEST(MslEmit, RefusesWhatOtherCompilersReadDifferently) {
  const Module module = read_text(one_kernel("float* a [[buffer(0)]]", ""));
  for (const auto emit : {emit_metal, emit_sim, emit_cuda, emit_strict}) {
    try {
      emit(module);
      ADD_FAILURE();
    } catch (const Error& error) {
      EXPECT_TRUE(std::string(error.what()).starts_with("ingot/test.metal:2: error: "));
    }
  }
}

TEST(MslEmit, EmbedsTextsAndNames) {
  const Module module = read_text(kText, kFiles);
  const std::string text = embed({module}, {{"a.h", "say \"x\\n\"?\n"}}, true);
  EXPECT_HOLDS(text, "constexpr std::string_view hosts_ingot_test_metal[] = {\"scale_f32\"};\n");
  EXPECT_HOLDS(text, "constexpr std::string_view header_a_h =\n    \"say \\\"x\\\\n\\\"\\077\\n\";\n");
  EXPECT_HOLDS(text, "  msl_sim::link_ingot_test_metal();\n");
  EXPECT_FALSE(holds(embed({module}, {}, false), "msl_sim::link"));
  EXPECT_THROW(embed({module, module}, {}, false), Error);
}

TEST(MslEdits, KeepLinesAndOrder) {
  Edits edits;
  edits.replace(2, 7, "X");
  edits.replace(3, 4, "inner");
  edits.replace(0, 0, ">");
  edits.replace(0, 1, "A");
  edits.replace(0, 1, "later");
  EXPECT_EQ(edits.apply("ab\ncd\nef"), ">AbX\n\nf");
}

}  // namespace
}  // namespace ingot::msl
