// Every kernel of the build compiles with NVRTC for each generation of GPUs; no GPU is needed. ctest: cuda_compile.
// What compiles goes into the user's cache of kernels, so that only what has changed is compiled again.
#include <gtest/gtest.h>

#include "ingot/base/error.h"
#include "ingot/device/cuda/kernel_store.h"
#include "ingot/device/cuda/signature_json.h"

namespace ingot::cuda {
namespace {

class CudaCompile : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!nvrtc()) GTEST_SKIP() << why();
  }
  static std::string& why() {
    static std::string text;
    return text;
  }
  static const Nvrtc* nvrtc() {
    static const std::unique_ptr<Nvrtc> opened = Nvrtc::open(13000, why());
    return opened.get();
  }
  static void compile(const std::string& name, const std::string& text, const std::vector<std::string>& options,
                      int capability) {
    static const CubinCache cache(CubinCache::default_folder());
    const Sha256::Digest key = nvrtc()->key(name, text, options, capability);
    if (cache.load(key)) return;
    const std::string image = nvrtc()->compile(name, text, options, capability);
    EXPECT_EQ(image.substr(1, 3), "ELF");
    cache.store(key, image);
  }
};

// All constants 0, and all 1: between them every branch on a flag is compiled.
TEST_F(CudaCompile, EveryKernelOfTheBuild) {
  size_t kernels = 0, texts = 0;
  for (const msl::EmbeddedKernels& file : msl::embedded_kernels()) {
    const std::vector<msl::KernelSignature> signatures = signatures_from_json(file.json);
    if (signatures.empty()) continue;
    kernels += signatures.size();
    const size_t variants = signatures[0].function_constants.empty() ? 1 : 2;
    for (size_t variant = 0; variant < variants; ++variant) {
      std::vector<gpu::Constant> constants;
      for (const msl::FunctionConstant& constant : signatures[0].function_constants) {
        constants.push_back({constant.index, double(variant)});
      }
      for (const int capability : {80, 90, 100}) {
        SCOPED_TRACE(cat(file.name, " for sm_", capability, ", constants ", variant));
        try {
          const std::vector<std::string> options = constant_options(signatures[0], constants);
          compile(std::string(file.name), std::string(file.cuda), options, capability);
          ++texts;
        } catch (const Error& error) {
          ADD_FAILURE() << error.what();
        }
      }
    }
  }
  std::printf("[          ] NVRTC %s (%s): %zu kernels, %zu texts\n", nvrtc()->version().c_str(),
              nvrtc()->path().c_str(), kernels, texts);
}

TEST_F(CudaCompile, TheKeyDependsOnEverything) {
  const std::string options[] = {"-DMSL_FC_0=1"}, others[] = {"-DMSL_FC_0=2"};
  const Sha256::Digest key = nvrtc()->key("a.metal", "text", options, 90);
  EXPECT_EQ(nvrtc()->key("a.metal", "text", options, 90), key);
  EXPECT_NE(nvrtc()->key("b.metal", "text", options, 90), key);
  EXPECT_NE(nvrtc()->key("a.metal", "texts", options, 90), key);
  EXPECT_NE(nvrtc()->key("a.metal", "text", others, 90), key);
  EXPECT_NE(nvrtc()->key("a.metal", "text", options, 80), key);
}

TEST_F(CudaCompile, ADriverThatIsTooOldForTheCompilerIsNotGivenIts) {
  std::string reason;
  setenv("INGOT_NVRTC_LIBRARY", nvrtc()->path().c_str(), 1);
  EXPECT_EQ(Nvrtc::open(11000, reason), nullptr);
  EXPECT_NE(reason.find("the driver only knows CUDA 11.0"), std::string::npos) << reason;
  setenv("INGOT_NVRTC_LIBRARY", "/nowhere/libnvrtc.so", 1);
  EXPECT_EQ(Nvrtc::open(13000, reason), nullptr);
  EXPECT_NE(reason.find("/nowhere/libnvrtc.so"), std::string::npos) << reason;
  unsetenv("INGOT_NVRTC_LIBRARY");
}

TEST_F(CudaCompile, ErrorsBringTheLog) {
  try {
    nvrtc()->compile("k.metal", "#line 7 \"k.metal\"\nint k() { return undefined_name; }\n", {}, 90);
    FAIL() << "compiled";
  } catch (const Error& error) {
    EXPECT_EQ(int(error.kind()), int(ErrorKind::kDevice));
    EXPECT_NE(std::string(error.what()).find("k.metal(7): error"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace ingot::cuda
