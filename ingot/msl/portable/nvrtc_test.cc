// The CUDA text of every test kernel compiles with NVRTC, and the instructions that speed depends on are in the PTX.
// Skipped with a message where libnvrtc is not found (INGOT_NVRTC_LIBRARY names it, otherwise CUDA's usual places).
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "ingot/msl/msl.h"

namespace ingot {
namespace {

namespace fs = std::filesystem;

std::string contents(const fs::path& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

class Nvrtc {
 public:
  Nvrtc() {
    const char* named = std::getenv("INGOT_NVRTC_LIBRARY");
    std::vector<std::string> names = {"libnvrtc.so.13", "libnvrtc.so.12", "/usr/local/cuda/lib64/libnvrtc.so.13",
                                      "/usr/local/cuda/lib64/libnvrtc.so.12"};
    if (named) names = {named};
    for (const std::string& name : names) {
      if ((library_ = dlopen(name.c_str(), RTLD_NOW))) break;
    }
    for (auto& entry : fs::directory_iterator(fs::path(INGOT_SOURCE_DIR) / "ingot/msl/portable")) {
      if (entry.path().extension() == ".cc") continue;
      header_names_.push_back(entry.path().filename());
      headers_.push_back(contents(entry.path()));
    }
  }

  bool found() const { return library_ != nullptr; }

  // The PTX of CUDA text, or what the compiler said against it.
  std::string compile(const std::string& name, const std::string& text, const std::string& architecture) {
    std::vector<const char*> headers, header_names;
    for (size_t i = 0; i < headers_.size(); ++i) {
      headers.push_back(headers_[i].c_str());
      header_names.push_back(header_names_[i].c_str());
    }
    std::vector<std::string> options = {"--gpu-architecture=" + architecture, "--std=c++17", "-default-device"};
    for (int i = 0; i < 8; ++i) options.push_back("-DMSL_FC_" + std::to_string(i) + "=1");
    std::vector<const char*> option_pointers;
    for (const std::string& o : options) option_pointers.push_back(o.c_str());

    void* program = nullptr;
    call<int(void**, const char*, const char*, int, const char* const*, const char* const*)>("nvrtcCreateProgram")(
        &program, text.c_str(), name.c_str(), int(headers.size()), headers.data(), header_names.data());
    int error = call<int(void*, int, const char* const*)>("nvrtcCompileProgram")(program, int(option_pointers.size()),
                                                                                 option_pointers.data());
    const char* what = error ? "Log" : "PTX";
    size_t size = 0;
    call<int(void*, size_t*)>(error ? "nvrtcGetProgramLogSize" : "nvrtcGetPTXSize")(program, &size);
    std::string result(size, '\0');
    call<int(void*, char*)>(error ? "nvrtcGetProgramLog" : "nvrtcGetPTX")(program, result.data());
    call<int(void**)>("nvrtcDestroyProgram")(&program);
    return error ? std::string(what) + ": " + result : result;
  }

 private:
  template <class F>
  F* call(const char* name) {
    return reinterpret_cast<F*>(dlsym(library_, name));
  }

  void* library_ = nullptr;
  std::vector<std::string> headers_, header_names_;
};

class CudaText : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!nvrtc().found()) GTEST_SKIP() << "libnvrtc is not installed; set INGOT_NVRTC_LIBRARY to its path";
  }

  static Nvrtc& nvrtc() {
    static Nvrtc instance;
    return instance;
  }

  static std::string ptx(const fs::path& file, const std::string& architecture) {
    auto reader = [](const std::string& path) -> std::optional<std::string> {
      fs::path header = fs::path(INGOT_SOURCE_DIR) / path;
      if (!fs::exists(header)) return std::nullopt;
      return contents(header);
    };
    std::string name = fs::relative(file, INGOT_SOURCE_DIR);
    return nvrtc().compile(name, msl::emit_cuda(msl::read(name, contents(file), reader)), architecture);
  }

  static std::string test_kernel(const char* name, const std::string& architecture) {
    return ptx(fs::path(INGOT_SOURCE_DIR) / "tests/msl/kernels" / name, architecture);
  }
  static int count(const std::string& text, const std::string& pattern) {
    std::regex expression(pattern);
    return int(std::distance(std::sregex_iterator(text.begin(), text.end(), expression), std::sregex_iterator()));
  }
};

TEST_F(CudaText, EveryKernelCompiles) {
  int files = 0;
  for (const char* folder : {"tests/msl/kernels", "tests/msl/good"}) {
    for (auto& entry : fs::directory_iterator(fs::path(INGOT_SOURCE_DIR) / folder)) {
      if (entry.path().extension() != ".metal") continue;
      ++files;
      for (const char* architecture : {"compute_80", "compute_90", "compute_100"}) {
        std::string text = ptx(entry.path(), architecture);
        EXPECT_NE(text.find(".entry"), std::string::npos) << entry.path() << " for " << architecture << "\n" << text;
      }
    }
  }
  EXPECT_GT(files, 5);
}

TEST_F(CudaText, TilesUseTensorCores) {
  for (const char* architecture : {"compute_80", "compute_90"}) {
    std::string text = test_kernel("tile.metal", architecture);
    EXPECT_GT(count(text, "mma\\.sync\\.aligned\\.m16n8k16\\.row\\.col\\.f32\\.f16\\.f16\\.f32"), 0);
    EXPECT_GT(count(text, "mma\\.sync\\.aligned\\.m16n8k16\\.row\\.col\\.f32\\.bf16\\.bf16\\.f32"), 0);
    EXPECT_GT(count(text, "ldmatrix\\.sync\\.aligned\\.m8n8\\.x4\\.shared\\.b16"), 0);
    EXPECT_GT(count(text, "ldmatrix\\.sync\\.aligned\\.m8n8\\.x4\\.trans\\.shared\\.b16"), 0);
    EXPECT_EQ(count(text, "\\.local"), 0) << "registers spilled to memory or indexed at run time";
  }
}

TEST_F(CudaText, VectorLoadsStayWhole) {
  std::string text = test_kernel("vectors.metal", "compute_90");
  EXPECT_GE(count(text, "ld\\.global(\\.nc)?\\.v4\\.(f32|b32|u32)"), 1) << text;
  EXPECT_GE(
      count(
          text,
          "ld\\.global(\\.nc)?\\.v4\\.(u16|b16)|ld\\.global(\\.nc)?\\.v2\\.(u32|b32)|ld\\.global(\\.nc)?\\.(u64|b64)"),
      1)
      << text;
  EXPECT_GE(count(text, "st\\.global\\.v4"), 1) << text;
}

TEST_F(CudaText, WaitInputsIsADependentLaunchOnHopper) {
  EXPECT_EQ(count(test_kernel("vectors.metal", "compute_80"), "griddepcontrol"), 0);
  EXPECT_EQ(count(test_kernel("vectors.metal", "compute_90"), "griddepcontrol\\.wait"), 2);
}

}  // namespace
}  // namespace ingot
