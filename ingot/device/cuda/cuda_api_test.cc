// Ingot's own declarations of CUDA's interfaces against NVIDIA's headers, where those are installed.
#include "ingot/device/cuda/cuda_api.h"

#include <gtest/gtest.h>

#include "ingot/device/cuda/cublaslt_api.h"
#include "ingot/device/cuda/fake_cuda_test.h"
#include "ingot/device/cuda/library.h"

#if __has_include(<cuda.h>)
#include <cuda.h>

namespace ingot::cuda {
static_assert(sizeof(Result) == sizeof(CUresult) && sizeof(DeviceId) == sizeof(CUdevice));
static_assert(sizeof(Address) == sizeof(CUdeviceptr));
static_assert(kOutOfMemory == CUDA_ERROR_OUT_OF_MEMORY && kInvalidValue == CUDA_ERROR_INVALID_VALUE);
static_assert(kDeinitialized == CUDA_ERROR_DEINITIALIZED && kNoDevice == CUDA_ERROR_NO_DEVICE);
static_assert(kNotReady == CUDA_ERROR_NOT_READY && kIllegalAddress == CUDA_ERROR_ILLEGAL_ADDRESS);
static_assert(kComputeCapabilityMajor == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
static_assert(kComputeCapabilityMinor == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
static_assert(kMaxSharedMemoryPerBlockOptin == CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
static_assert(kMaxThreadsPerBlock == CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
static_assert(kSharedSizeBytes == CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES);
static_assert(kMaxDynamicSharedSizeBytes == CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES);
static_assert(kStreamNonBlocking == CU_STREAM_NON_BLOCKING && kEventDisableTiming == CU_EVENT_DISABLE_TIMING);
static_assert(kCaptureModeRelaxed == CU_STREAM_CAPTURE_MODE_RELAXED);
static_assert(kProgrammaticStreamSerialization == CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION);
static_assert(sizeof(LaunchAttribute) == sizeof(CUlaunchAttribute));
static_assert(offsetof(LaunchAttribute, value) == offsetof(CUlaunchAttribute, value));
static_assert(sizeof(LaunchConfig) == sizeof(CUlaunchConfig));
static_assert(offsetof(LaunchConfig, shared_bytes) == offsetof(CUlaunchConfig, sharedMemBytes));
static_assert(offsetof(LaunchConfig, stream) == offsetof(CUlaunchConfig, hStream));
static_assert(offsetof(LaunchConfig, attributes) == offsetof(CUlaunchConfig, attrs));
static_assert(offsetof(LaunchConfig, attribute_count) == offsetof(CUlaunchConfig, numAttrs));
}  // namespace ingot::cuda
#endif

#if __has_include(<cublasLt.h>)
#include <cublasLt.h>

namespace ingot::cuda {
static_assert(sizeof(LtAlgo) == sizeof(cublasLtMatmulAlgo_t));
static_assert(sizeof(LtHeuristic) == sizeof(cublasLtMatmulHeuristicResult_t));
static_assert(offsetof(LtHeuristic, workspace_bytes) == offsetof(cublasLtMatmulHeuristicResult_t, workspaceSize));
static_assert(offsetof(LtHeuristic, state) == offsetof(cublasLtMatmulHeuristicResult_t, state));
static_assert(kLtNotSupported == CUBLAS_STATUS_NOT_SUPPORTED && kLtCompute32F == CUBLAS_COMPUTE_32F);
static_assert(kLtF32 == CUDA_R_32F && kLtF16 == CUDA_R_16F && kLtBF16 == CUDA_R_16BF && kLtTranspose == CUBLAS_OP_T);
static_assert(kLtTransposeA == CUBLASLT_MATMUL_DESC_TRANSA && kLtTransposeB == CUBLASLT_MATMUL_DESC_TRANSB);
static_assert(kLtBatchCount == CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT);
static_assert(kLtBatchStride == CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET);
static_assert(kLtMaxWorkspace == CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES);
static_assert(kLtAlignmentA == CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES);
static_assert(kLtAlignmentB == CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES);
static_assert(kLtAlignmentC == CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES);
static_assert(kLtAlignmentD == CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES);
}  // namespace ingot::cuda
#endif

namespace ingot::cuda {
namespace {

TEST(CudaLibrary, TakesTheFirstThatOpensAndNamesWhatIsMissing) {
  const std::string names[] = {"libingot-is-not-there.so", "libc.so.6"};
  Library library(names);
  ASSERT_TRUE(library.opened());
  EXPECT_EQ(library.path(), "libc.so.6");
  EXPECT_EQ(library.error(), "");
  size_t (*length)(const char*) = nullptr;
  int (*absent)(int) = nullptr;
  library.bind(length, "strlen");
  library.bind(absent, "cuNoSuchFunction");
  library.bind(absent, "cuNorThis");
  library.bind_if_there(absent, "cuNorThat");
  EXPECT_EQ(length("four"), 4u);
  EXPECT_EQ(absent, nullptr);
  EXPECT_EQ(library.missing(), "cuNoSuchFunction, cuNorThis");
}

TEST(CudaLibrary, SaysWhyNothingOpened) {
  const std::string names[] = {"libingot-is-not-there.so", "/nor/is/this.so"};
  const Library library(names);
  EXPECT_FALSE(library.opened());
  EXPECT_NE(library.error().find("libingot-is-not-there.so"), std::string::npos) << library.error();
  EXPECT_NE(library.error().find("/nor/is/this.so"), std::string::npos) << library.error();
}

TEST(CudaLibrary, TheEnvironmentOverrules) {
  setenv("INGOT_TEST_LIBRARY", "/opt/lib.so", 1);
  EXPECT_EQ(library_paths("INGOT_TEST_LIBRARY", {"lib.so"}), std::vector<std::string>{"/opt/lib.so"});
  setenv("INGOT_TEST_LIBRARY", "", 1);
  EXPECT_EQ(library_paths("INGOT_TEST_LIBRARY", {"lib.so"}), std::vector<std::string>{"lib.so"});
  unsetenv("INGOT_TEST_LIBRARY");
}

TEST(CudaApi, ResultsInWords) {
  const FakeCuda cuda;
  EXPECT_EQ(describe(cuda.api(), kIllegalAddress), "CUDA_ERROR_ILLEGAL_ADDRESS (700): made up by the test");
  Api silent = cuda.api();
  silent.get_error_name = [](Result, const char**) { return kInvalidValue; };
  silent.get_error_string = [](Result, const char**) { return kInvalidValue; };
  EXPECT_EQ(describe(silent, 12345), "unknown CUDA error (12345): no description");
  EXPECT_EQ(version_text(12040), "12.4");
}

}  // namespace
}  // namespace ingot::cuda
