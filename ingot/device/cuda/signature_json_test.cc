#include "ingot/device/cuda/signature_json.h"

#include <gtest/gtest.h>

#include "ingot/base/error.h"
#include "ingot/msl/embedded.h"
#include "ingot/msl/msl.h"

namespace ingot::cuda {
namespace {

constexpr const char* kText = R"(
#include <metal_stdlib>
#include "ingot/msl/wait_inputs.h"
using namespace metal;
constant bool BIASED [[function_constant(2)]];
struct Params { uint n; float scale; };
template <typename T>
[[kernel, max_total_threads_per_threadgroup(64)]]
void scale(device const T* x [[buffer(1)]], device T* y [[buffer(0)]], constant Params& p [[buffer(2)]],
           device const float* bias [[buffer(4), function_constant(BIASED)]],
           threadgroup float* scratch [[threadgroup(0)]], uint i [[thread_position_in_grid]]) {
  wait_inputs();
  if (i < p.n) y[i] = x[i] + bias[i] + scratch[0];
}
template [[host_name("scale_f32")]] [[kernel]] decltype(scale<float>) scale<float>;
template [[host_name("scale_f16")]] [[kernel]] decltype(scale<half>) scale<half>;
)";

TEST(SignatureJson, IsTheInverseOfToJson) {
  const msl::Module module = msl::read("quotes \" and \\ in it.metal", kText, msl::read_embedded_header);
  ASSERT_EQ(msl::signatures(module).size(), 2u);
  const std::string json = msl::to_json(msl::signatures(module));
  const std::vector<msl::KernelSignature> read = signatures_from_json(json);
  EXPECT_EQ(msl::to_json(read), json);
  EXPECT_EQ(read[1].host_name, "scale_f16");
  EXPECT_TRUE(read[1].waits_for_inputs);
  EXPECT_EQ(read[1].max_threads, 64);
  EXPECT_EQ(read[0].parameters[3].optional_if, "BIASED");
  EXPECT_EQ(read[0].function_constants[0].index, 2);
}

TEST(SignatureJson, ReadsEveryKernelOfTheBuild) {
  for (const msl::EmbeddedKernels& file : msl::embedded_kernels()) {
    EXPECT_EQ(msl::to_json(signatures_from_json(file.json)), file.json) << file.name;
  }
  EXPECT_TRUE(signatures_from_json(msl::to_json({})).empty());
}

TEST(SignatureJson, RefusesEverythingElse) {
  for (const char* text :
       {"", "{", "[]", "{\"kernels\": [{}", "{\"kernels\": [{\"host_name\": 3}]}", "{\"kernels\": [{\"unknown\": 3}]}",
        "{\"kernels\": [{\"line\": x}]}", "{\"other\": []}", "{\"kernels\": [{\"waits_for_inputs\": maybe}]}",
        "{\"kernels\": [{\"file\": \"\\u00", "{\"kernels\": [{\"parameters\": [{\"kind\": \"odd\"}]}]}"}) {
    EXPECT_THROW(signatures_from_json(text), Error) << text;
  }
}

}  // namespace
}  // namespace ingot::cuda
