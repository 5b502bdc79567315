#include "ingot/device/cuda/cuda.h"

#include <gtest/gtest.h>

#include "ingot/base/error.h"

namespace ingot::cuda {
namespace {

Facts good() {
  Facts facts;
  facts.kernel_driver = true;
  facts.driver_version = 13000;
  facts.devices = 2;
  facts.device_name = "NVIDIA H200";
  facts.device_bytes = size_t{140} << 30;
  facts.compute_capability = 90;
  facts.compiler = "13.0";
  return facts;
}

void expect_no(const Facts& facts, const std::string& reason, const std::string& advice) {
  const Availability answer = explain(facts);
  EXPECT_FALSE(answer.available);
  EXPECT_NE(answer.reason.find(reason), std::string::npos) << answer.reason;
  EXPECT_NE(answer.advice.find(advice), std::string::npos) << answer.advice;
  EXPECT_FALSE(answer.reason.ends_with('.') || answer.advice.ends_with('.'));
}

TEST(CudaAvailability, Good) {
  const Availability answer = explain(good());
  EXPECT_TRUE(answer.available);
  EXPECT_EQ(answer.reason, "NVIDIA H200, 140.00 GiB, compute 9.0, driver for CUDA 13.0, NVRTC 13.0");
  EXPECT_EQ(answer.advice, "");
}

TEST(CudaAvailability, NoLibrary) {
  Facts facts;
  facts.library_error = "libcuda.so.1: cannot open shared object file";
  expect_no(facts, "libcuda.so.1", "install NVIDIA's driver, version 525");
  facts.kernel_driver = true;
  expect_no(facts, "libcuda.so.1", "--gpus all");
}

TEST(CudaAvailability, DriverTooOld) {
  Facts facts = good();
  facts.driver_version = 11080;
  expect_no(facts, "knows CUDA 11.8, needed is 12.0", "525 or newer");
}

TEST(CudaAvailability, DoesNotStart) {
  Facts facts = good();
  facts.start_result = 999;
  facts.start_error = "CUDA_ERROR_UNKNOWN (999): unknown error";
  expect_no(facts, "CUDA_ERROR_UNKNOWN", "nvidia-smi");
  facts.start_result = 803;
  facts.start_error = "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH (803): mismatch";
  expect_no(facts, "MISMATCH", "restart the machine");
}

TEST(CudaAvailability, NoDevice) {
  Facts facts = good();
  facts.devices = 0;
  expect_no(facts, "sees no GPU", "nvidia-smi");
  facts.kernel_driver = false;
  expect_no(facts, "sees no GPU", "modprobe");
  facts.start_result = 100;
  expect_no(facts, "sees no GPU", "modprobe");
}

TEST(CudaAvailability, HiddenByTheEnvironment) {
  Facts facts = good();
  facts.devices = 0;
  facts.start_result = 100;
  facts.visible_devices = "-1";
  expect_no(facts, "CUDA_VISIBLE_DEVICES=\"-1\" hides every GPU", "unset CUDA_VISIBLE_DEVICES");
}

TEST(CudaAvailability, IndexOutOfRange) {
  Facts facts = good();
  facts.index = 2;
  expect_no(facts, "no device 2: CUDA sees 2 GPUs", "smaller number");
  facts.devices = 1;
  facts.visible_devices = "3";
  expect_no(facts, "CUDA sees 1 GPU, numbered from 0 (CUDA_VISIBLE_DEVICES=\"3\")", "CUDA_VISIBLE_DEVICES");
}

TEST(CudaAvailability, GpuTooOld) {
  Facts facts = good();
  facts.device_name = "Tesla T4";
  facts.compute_capability = 75;
  expect_no(facts, "Tesla T4 has compute capability 7.5, needed is 8.0", "Ampere");
}

TEST(CudaAvailability, NoCompiler) {
  Facts facts = good();
  facts.compiler = "";
  facts.compiler_error = "NVRTC cannot be opened";
  expect_no(facts, "NVRTC cannot be opened", "pip install nvidia-cuda-nvrtc; INGOT_NVRTC_LIBRARY");
  facts.driver_version = 12020;
  expect_no(facts, "NVRTC cannot be opened", "pip install nvidia-cuda-nvrtc-cu12; INGOT_NVRTC_LIBRARY");
}

// Whatever this machine has, the question is answered, and a driver is made exactly where the answer is yes.
TEST(CudaAvailability, OfThisMachine) {
  const Availability answer = cuda_availability(0);
  EXPECT_FALSE(answer.reason.empty());
  EXPECT_EQ(answer.available, answer.advice.empty());
  if (answer.available) return;
  try {
    make_cuda_driver(0);
    FAIL() << "a driver where none is available";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kUnsupported);
    EXPECT_NE(std::string(error.what()).find(answer.reason), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace ingot::cuda
