// The CUDA driver against a CUDA that writes down what it is told (fake_cuda_test.h).
#include "ingot/device/cuda/cuda_driver.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <numeric>
#include <thread>

#include "ingot/base/error.h"
#include "ingot/base/scratch_folder_test.h"
#include "ingot/device/cuda/fake_cuda_test.h"

namespace ingot::cuda {
namespace {

using gpu::Binding;
using gpu::Constant;
using gpu::Slice;

constexpr const char* kScale = R"(
#include <metal_stdlib>
#include "ingot/msl/wait_inputs.h"
using namespace metal;
constant bool BIASED [[function_constant(0)]];
constant uint MODE [[function_constant(3)]];
struct Params { uint n; float scale; };
[[kernel]] void scale(threadgroup float* b [[threadgroup(1)]], constant Params& p [[buffer(2)]],
                      device const float* x [[buffer(1)]], device float* y [[buffer(0)]],
                      device const float* bias [[buffer(7), function_constant(BIASED)]],
                      threadgroup float* a [[threadgroup(0)]], uint i [[thread_position_in_grid]]) {
  if (i < p.n) y[i] = x[i] * p.scale + a[0] + b[0] + bias[i] + float(MODE);
}
[[kernel]] void chained(device float* y [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  wait_inputs();
  y[i] += 1.0f;
}
)";

struct Params {
  uint32_t n;
  float scale;
};

Binding slice(int index, const gpu::Memory& memory, size_t offset, size_t bytes) {
  return {.kind = Binding::Kind::kSlice, .index = index, .slice = {&memory, offset}, .bytes = bytes};
}
Binding value(int index, const void* data, size_t bytes) {
  return {.kind = Binding::Kind::kValue, .index = index, .slice = {}, .value = data, .bytes = bytes};
}
Binding threadgroup(int index, size_t bytes) {
  return {.kind = Binding::Kind::kThreadgroup, .index = index, .slice = {}, .bytes = bytes};
}

std::string message_of(ErrorKind kind, const std::function<void()>& act) {
  try {
    act();
  } catch (const Error& error) {
    EXPECT_EQ(int(error.kind()), int(kind)) << error.what();
    return error.what();
  }
  ADD_FAILURE() << "nothing was thrown";
  return "";
}
bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

class CudaDriverTest : public ::testing::Test {
 protected:
  CudaDriverTest() {
    cuda_.parameter_bytes["scale"] = {8, 8, sizeof(Params), 8, 4, 4};
    cuda_.parameter_bytes["chained"] = {8};
  }

  CudaDriver& driver() {
    if (!driver_) driver_ = cuda_.driver();
    return *driver_;
  }
  const gpu::Kernel& scale(bool biased, double mode = 4) {
    const Constant constants[] = {{0, biased ? 1.0 : 0.0}, {3, mode}};
    return driver().user_kernel(text_, "scale", constants);
  }
  const gpu::Kernel& chained() {
    const Constant constants[] = {{0, 0}, {3, 4.0}};
    return driver().user_kernel(text_, "chained", constants);
  }
  void launch(const gpu::Kernel& kernel, const std::vector<Binding>& bindings, gpu::Size groups = {},
              gpu::Size threads = {32, 1, 1}) {
    driver().launch({&kernel, groups, threads, bindings});
  }
  gpu::Memory& memory() {
    if (!memory_) memory_ = driver().allocate(1024);
    return *memory_;
  }
  std::vector<Binding> good_bindings() {
    return {threadgroup(1, 12), slice(1, memory(), 256, 128), value(2, &params_, sizeof params_), threadgroup(0, 20),
            slice(0, memory(), 0, 128)};
  }

  FakeCuda cuda_;
  std::shared_ptr<const gpu::KernelText> text_ = kernel_text("user.metal", kScale);
  const Params params_{100, 0.5f};
  std::unique_ptr<CudaDriver> driver_;
  std::unique_ptr<gpu::Memory> memory_;
};

TEST_F(CudaDriverTest, ArgumentsStandInTheOrderOfTheirIndices) {
  launch(scale(false), good_bindings(), {7, 6, 5}, {32, 4, 2});
  ASSERT_EQ(cuda_.launches.size(), 1u);
  const FakeLaunch& seen = cuda_.launches[0];
  EXPECT_EQ(seen.kernel, "scale");
  EXPECT_EQ(seen.argument<uint64_t>(0), memory().address());
  EXPECT_EQ(seen.argument<uint64_t>(1), memory().address() + 256);
  EXPECT_EQ(seen.argument<Params>(2).n, 100u);
  EXPECT_EQ(seen.argument<Params>(2).scale, 0.5f);
  EXPECT_EQ(seen.argument<uint64_t>(3), 0u) << "an optional buffer that is absent is null";
  EXPECT_EQ(seen.argument<uint32_t>(4), 0u);
  EXPECT_EQ(seen.argument<uint32_t>(5), 32u) << "threadgroup memory begins at multiples of 16";
  EXPECT_EQ(seen.config.shared_bytes, 44u);
  const LaunchConfig& c = seen.config;
  EXPECT_EQ((std::array{c.grid_x, c.grid_y, c.grid_z, c.block_x, c.block_y, c.block_z}),
            (std::array{7u, 6u, 5u, 32u, 4u, 2u}));
}

TEST_F(CudaDriverTest, BindingsThatDoNotFitAreRefusedBeforeAnythingIsLaunched) {
  const auto refused = [&](const std::vector<Binding>& bindings) {
    return message_of(ErrorKind::kArgument, [&] { launch(scale(false), bindings); });
  };
  std::vector<Binding> b = good_bindings();
  b.pop_back();
  EXPECT_TRUE(contains(refused(b), "scale: y [[buffer(0)]]: expected a binding, got none"));
  b.push_back(value(0, &params_, 8));
  EXPECT_TRUE(contains(refused(b), "y [[buffer(0)]]: expected a piece of memory, got a value"));
  b = good_bindings(), b[2] = slice(2, memory(), 0, 8);
  EXPECT_TRUE(contains(refused(b), "p [[buffer(2)]]: expected a value, got memory"));
  b = good_bindings(), b[2].bytes = 4;
  EXPECT_TRUE(contains(refused(b), "p [[buffer(2)]]: expected 8 bytes (Params), got 4"));
  b = good_bindings(), b[2].value = nullptr;
  EXPECT_TRUE(contains(refused(b), "null pointer"));
  b = good_bindings(), b[1] = slice(1, memory(), 1000, 25);
  EXPECT_TRUE(contains(refused(b), "x [[buffer(1)]]: expected at most 1024 bytes of memory, got 25 from byte 1000 on"));
  b = good_bindings(), b[1].slice.memory = nullptr;
  EXPECT_TRUE(contains(refused(b), "x [[buffer(1)]]: expected memory"));
  b = good_bindings(), b.push_back(slice(1, memory(), 0, 8));
  EXPECT_TRUE(contains(refused(b), "expected each index once, got 1"));
  b = good_bindings(), b.push_back(slice(9, memory(), 0, 8));
  EXPECT_TRUE(contains(refused(b), "some index is not in the signature"));
  b = good_bindings(), b.push_back(slice(31, memory(), 0, 8));
  EXPECT_TRUE(contains(refused(b), "expected an index below 31"));
  b = good_bindings(), b.erase(b.begin());
  EXPECT_TRUE(contains(refused(b), "b [[threadgroup(1)]]: expected a binding, got none"));
  EXPECT_TRUE(contains(message_of(ErrorKind::kArgument, [&] { launch(scale(true), good_bindings()); }),
                       "bias [[buffer(7)]]: expected a binding, got none"));
  EXPECT_TRUE(cuda_.launches.empty());
}

TEST_F(CudaDriverTest, SizesBeyondTheDeviceAreRefused) {
  cuda_.max_threads = 512;
  const auto refused = [&](gpu::Size groups, gpu::Size threads) {
    return message_of(ErrorKind::kArgument, [&] { launch(scale(false), good_bindings(), groups, threads); });
  };
  EXPECT_TRUE(contains(refused({1, 1, 1}, {513, 1, 1}), "threads: expected 1 to 512 in a group, got 513 x 1 x 1"));
  EXPECT_TRUE(contains(refused({1, 1, 1}, {32, 0, 1}), "threads"));
  EXPECT_TRUE(contains(refused({1, 1, 1}, {65536, 65536, 1}), "threads"));
  EXPECT_TRUE(contains(refused({0, 1, 1}, {32, 1, 1}), "groups"));
  EXPECT_TRUE(contains(refused({1, 65536, 1}, {32, 1, 1}), "groups"));
  EXPECT_TRUE(cuda_.launches.empty());
}

TEST_F(CudaDriverTest, OnlyKernelsThatWaitBeginEarly) {
  launch(scale(false), good_bindings());
  launch(chained(), {slice(0, memory(), 0, 128)});
  EXPECT_FALSE(cuda_.launches[0].programmatic);
  EXPECT_TRUE(cuda_.launches[1].programmatic);
}

TEST_F(CudaDriverTest, NoneBeginEarlyWhereTheGpuCannot) {
  cuda_.compute_capability = 80;
  launch(chained(), {slice(0, memory(), 0, 128)});
  EXPECT_FALSE(cuda_.launches[0].programmatic);
}

TEST_F(CudaDriverTest, MoreThan48KibOfThreadgroupMemoryIsAskedForOnce) {
  cuda_.static_shared_bytes = 1024;
  std::vector<Binding> b = good_bindings();
  b[0].bytes = 40 << 10;
  launch(scale(false), b);
  EXPECT_TRUE(cuda_.function_attributes_set.empty());
  b[0].bytes = 64 << 10;
  launch(scale(false), b);
  launch(scale(false), b);
  ASSERT_EQ(cuda_.function_attributes_set.size(), 1u);
  EXPECT_EQ(cuda_.function_attributes_set[0], (std::pair{kMaxDynamicSharedSizeBytes, (227 << 10) - 1024}));
  b[0].bytes = 227 << 10;
  EXPECT_TRUE(contains(message_of(ErrorKind::kArgument, [&] { launch(scale(false), b); }), "threadgroup memory"));
}

TEST_F(CudaDriverTest, AFileIsCompiledOnceForEachSetOfConstants) {
  const gpu::Kernel& first = scale(false);
  EXPECT_EQ(&scale(false), &first);
  EXPECT_NE(&scale(true), &first);
  chained();
  ASSERT_EQ(cuda_.compiled_options.size(), 2u);
  const std::vector<std::string> expected = {"--gpu-architecture=sm_90", "--std=c++17", "-default-device",
                                             "-DMSL_FC_0=0", "-DMSL_FC_3=4"};
  EXPECT_EQ(cuda_.compiled_options[0], expected);
  EXPECT_EQ(cuda_.modules.size(), 2u);
  EXPECT_EQ(first.signature().host_name, "scale");
  EXPECT_EQ(first.max_threads(), 1024);
}

TEST_F(CudaDriverTest, AGpuNewerThanTheCompilerGetsPtx) {
  cuda_.compute_capability = 120;
  scale(false);
  EXPECT_EQ(cuda_.compiled_options[0][0], "--gpu-architecture=compute_90");
  EXPECT_EQ(cuda_.modules.begin()->second.substr(0, 5), "ptx..");
}

TEST_F(CudaDriverTest, WrongConstantsAndNames) {
  const auto refused = [&](const std::vector<Constant>& constants, const char* kernel = "scale") {
    return message_of(ErrorKind::kArgument, [&] { driver().user_kernel(text_, kernel, constants); });
  };
  EXPECT_TRUE(contains(refused({{0, 1}}), "function constant MODE: expected a value, got none"));
  EXPECT_TRUE(contains(refused({{0, 1}, {3, 4}, {5, 0}}), "function constants: expected 2 values, got 3"));
  EXPECT_TRUE(contains(refused({{0, 2}, {3, 4}}), "function constant BIASED: expected a bool, got 2"));
  EXPECT_TRUE(contains(refused({{0, 1}, {3, -1}}), "function constant MODE: expected a uint, got -1"));
  EXPECT_TRUE(contains(refused({{0, 1}, {3, 0.5}}), "expected a uint"));
  EXPECT_TRUE(contains(refused({{0, 1}, {3, 4}}, "absent"), "expected a kernel of user.metal, got \"absent\""));
  EXPECT_TRUE(contains(message_of(ErrorKind::kArgument, [&] { driver().kernel("no such kernel", {}); }),
                       "a kernel of this build"));
}

TEST_F(CudaDriverTest, WhatDoesNotCompileBringsTheCompilersWords) {
  cuda_.compile_log = "user.metal(12): error: identifier \"q\" is undefined";
  const std::string message = message_of(ErrorKind::kDevice, [&] { scale(false); });
  EXPECT_TRUE(contains(message, "user.metal does not compile for sm_90 with CUDA 13.0")) << message;
  EXPECT_TRUE(contains(message, "user.metal(12): error: identifier \"q\" is undefined")) << message;
  cuda_.compile_log = "";
  scale(false);  // another try works
}

TEST_F(CudaDriverTest, CompiledKernelsAreKeptOnDisk) {
  const ScratchFolder folder;
  for (int process = 0; process < 3; ++process) {
    driver_ = cuda_.driver(folder.path());
    scale(false);
    EXPECT_EQ(cuda_.compiled_options.size(), 1u) << "driver " << process;
  }
  cuda_.compute_capability = 80;  // another architecture is another kernel
  driver_ = cuda_.driver(folder.path());
  scale(false);
  EXPECT_EQ(cuda_.compiled_options.size(), 2u);
  driver_.reset();
}

TEST_F(CudaDriverTest, UploadsLargerThanTheRing) {
  const DeviceContext context(cuda_.api(), 0);
  std::vector<char> bytes(10000), seen(10000);
  for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = char(i * 7 + i / 251);
  {
    Staging staging(context, 1024, 3);
    const auto target = reinterpret_cast<Address>(seen.data());
    for (int i = 0; i < 3; ++i) staging.upload(bytes.data() + i, target + Address(i), 1, nullptr);
    EXPECT_EQ(cuda_.count("mem_host_alloc"), 1u) << "small uploads share a slot";
    staging.upload(bytes.data() + 3, target + 3, bytes.size() - 3, nullptr);
  }
  EXPECT_EQ(seen, bytes);
  EXPECT_EQ(cuda_.count("mem_host_alloc"), 3u);
  EXPECT_EQ(cuda_.count("mem_free_host"), 3u);
  EXPECT_GE(cuda_.count("event_synchronize"), 7u) << "a slot is written again only after it was read";
}

TEST_F(CudaDriverTest, DownloadsOfAnySize) {
  const DeviceContext context(cuda_.api(), 0);
  std::vector<char> bytes(5000);
  for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = char(i * 7 + i / 251);
  Staging staging(context, 256, 3);
  for (const size_t size : {1, 255, 256, 257, 512, 768, 769, 1024, 5000}) {
    std::vector<char> seen(size + 1, 'z');
    staging.download(reinterpret_cast<Address>(bytes.data()), seen.data(), size, nullptr);
    EXPECT_TRUE(std::equal(seen.begin(), seen.end() - 1, bytes.begin())) << size;
    EXPECT_EQ(seen[size], 'z');
  }
  EXPECT_EQ(cuda_.count("event_record"), cuda_.count("event_synchronize"));
}

TEST_F(CudaDriverTest, CopiesAndFills) {
  std::vector<uint8_t> bytes(512), seen(512);
  std::iota(bytes.begin(), bytes.end(), uint8_t{0});
  driver().upload(bytes.data(), {&memory(), 512}, 512);
  driver().copy({&memory(), 512}, {&memory(), 0}, 512);
  driver().fill({&memory(), 8}, 0xab, 4);
  driver().download({&memory(), 0}, seen.data(), 512);
  for (size_t i = 8; i < 12; ++i) bytes[i] = 0xab;
  EXPECT_EQ(seen, bytes);
  EXPECT_TRUE(contains(message_of(ErrorKind::kArgument,
                                  [&] {
                                    driver().fill({&memory(), 1000}, 0, 25);
                                  }),
                       "a range within 1024 bytes, got 25 from byte 1000 on"));
  EXPECT_TRUE(contains(message_of(ErrorKind::kArgument,
                                  [&] {
                                    driver().upload(bytes.data(), {nullptr, 0}, 1);
                                  }),
                       "null pointer"));
  driver().upload(nullptr, {nullptr, 0}, 0);
  driver().copy({nullptr, 0}, {nullptr, 0}, 0);
}

TEST_F(CudaDriverTest, CountsWhatItHandedOut) {
  EXPECT_EQ(driver().counters().driver_bytes, 0u);
  auto a = driver().allocate(1000), b = driver().allocate(0);
  EXPECT_EQ(driver().counters().driver_bytes, 1000u);
  EXPECT_EQ(driver().counters().total_bytes, size_t{2} << 30);
  a.reset();
  EXPECT_EQ(driver().counters().driver_bytes, 0u);
  EXPECT_EQ(driver().wrap_host(nullptr, 0), nullptr);
  EXPECT_FALSE(driver().unified_memory());
}

TEST_F(CudaDriverTest, OutOfMemoryTellsTheNumbers) {
  auto held = driver().allocate(1 << 20);
  cuda_.fail["mem_alloc"] = kOutOfMemory;
  const std::string message = message_of(ErrorKind::kMemory, [&] { driver().allocate(size_t{3} << 30); });
  EXPECT_EQ(message, "cuda:0: no memory for 3.00 GiB: Ingot holds 1.00 MiB, free are 1.00 GiB of 2.00 GiB");
  cuda_.fail.clear();
  EXPECT_NE(driver().allocate(16), nullptr);
}

TEST_F(CudaDriverTest, EveryCallThatFailsSaysWhatWasBeingDone) {
  scale(false), memory();
  std::vector<char> bytes(16);
  auto event = driver().record_event();
  const std::vector<std::pair<const char*, std::function<void()>>> cases = {
      {"launch_kernel", [&] { launch(scale(false), good_bindings()); }},
      {"memcpy_to_device",
       [&] {
         driver().upload(bytes.data(), {&memory(), 0}, 16);
       }},
      {"memcpy_to_host",
       [&] {
         driver().download({&memory(), 0}, bytes.data(), 16);
       }},
      {"memcpy_on_device",
       [&] {
         driver().copy({&memory(), 0}, {&memory(), 16}, 16);
       }},
      {"memset_bytes",
       [&] {
         driver().fill({&memory(), 0}, 0, 16);
       }},
      {"stream_synchronize", [&] { driver().synchronize(); }},
      {"event_record", [&] { driver().record_event(); }},
      {"event_create", [&] { driver().record_event(); }},
      {"event_query", [&] { event->done(); }},
      {"event_elapsed_time", [&] { driver().seconds_between(*event, *event); }},
      {"mem_get_info", [&] { driver().counters(); }},
      {"mem_alloc", [&] { driver().allocate(16); }},
      {"module_load_data", [&] { scale(true, 5); }},
      {"module_get_function", [&] { scale(true, 6); }},
      {"func_get_attribute", [&] { scale(true, 7); }},
      {"stream_begin_capture", [&] { driver().begin_recording(); }},
      {"stream_create", [&] { driver().begin_recording(); }},
  };
  for (const auto& [name, act] : cases) {
    cuda_.fail = {{name, 999}};
    const std::string message = message_of(ErrorKind::kDevice, act);
    EXPECT_TRUE(message.starts_with("cuda:0: ")) << message;
    EXPECT_TRUE(contains(message, "CUDA_ERROR_MADE_UP (999): made up by the test")) << name << ": " << message;
    cuda_.fail.clear();
    act();
    driver().cancel_recording();
  }
}

TEST_F(CudaDriverTest, AFaultNamesTheKernelAndIsForEver) {
  launch(scale(false), good_bindings());
  cuda_.fail["stream_synchronize"] = kIllegalAddress;
  const std::string message = message_of(ErrorKind::kDevice, [&] { driver().synchronize(); });
  EXPECT_TRUE(contains(message, "waiting for the device: CUDA_ERROR_ILLEGAL_ADDRESS (700)")) << message;
  EXPECT_TRUE(contains(message, "the last kernel launched was scale")) << message;
  EXPECT_TRUE(contains(message, "cannot be used any more")) << message;
  cuda_.fail.clear();
  for (const auto& act :
       std::vector<std::function<void()>>{[&] { driver().synchronize(); }, [&] { driver().allocate(1); },
                                          [&] { launch(scale(false), good_bindings()); }}) {
    const std::string later = message_of(ErrorKind::kDevice, act);
    EXPECT_TRUE(contains(later, "since an earlier call failed")) << later;
    EXPECT_TRUE(contains(later, "the last kernel launched was scale")) << later;
  }
}

TEST_F(CudaDriverTest, WaitsAfterEveryLaunchIfAsked) {
  setenv("INGOT_CUDA_SYNC", "1", 1);
  const auto bindings = good_bindings();
  unsetenv("INGOT_CUDA_SYNC");
  EXPECT_EQ(cuda_.count("stream_synchronize"), 0u);
  launch(scale(false), bindings);
  EXPECT_EQ(cuda_.count("stream_synchronize"), 1u);
  cuda_.fail["stream_synchronize"] = kIllegalAddress;
  EXPECT_TRUE(contains(message_of(ErrorKind::kDevice, [&] { launch(scale(false), bindings); }), "running scale"));
}

TEST_F(CudaDriverTest, ARecordingIsAGraph) {
  const auto bindings = good_bindings();
  scale(false);
  driver().begin_recording();
  launch(scale(false), bindings);
  launch(chained(), {slice(0, memory(), 0, 128)});
  driver().copy({&memory(), 0}, {&memory(), 512}, 64);
  driver().fill({&memory(), 0}, 1, 64);
  const auto recording = driver().end_recording();
  EXPECT_EQ(recording->launches(), 2u);
  ASSERT_EQ(cuda_.launches.size(), 2u);
  EXPECT_EQ(cuda_.launches[0].stream, cuda_.launches[1].stream);
  EXPECT_TRUE(cuda_.launches[1].programmatic) << "also within the graph";
  launch(scale(false), bindings);
  EXPECT_NE(cuda_.launches[2].stream, cuda_.launches[0].stream);
  EXPECT_EQ(cuda_.count("graph_launch"), 0u);
  driver().replay(*recording);
  driver().replay(*recording);
  EXPECT_EQ(cuda_.count("graph_launch"), 2u);
  EXPECT_EQ(cuda_.count("graph_instantiate"), 1u);
  EXPECT_EQ(cuda_.count("graph_destroy"), 1u);
}

TEST_F(CudaDriverTest, AnEmptyRecordingDoesNothing) {
  driver().begin_recording();
  const auto recording = driver().end_recording();
  EXPECT_EQ(recording->launches(), 0u);
  driver().replay(*recording);
  EXPECT_EQ(cuda_.count("graph_launch"), 0u);
}

TEST_F(CudaDriverTest, OtherThreadsGoOnWhileOneRecords) {
  const auto bindings = good_bindings();
  scale(false);
  driver().begin_recording();
  launch(scale(false), bindings);
  std::thread([&] {
    launch(scale(false), bindings);
    driver().upload(&params_, {&memory(), 0}, sizeof params_);
    driver().begin_recording();
    launch(scale(false), bindings);
    EXPECT_EQ(driver().end_recording()->launches(), 1u);
  }).join();
  EXPECT_EQ(driver().end_recording()->launches(), 1u);
  ASSERT_EQ(cuda_.launches.size(), 3u);
  EXPECT_NE(cuda_.launches[0].stream, cuda_.launches[1].stream);
  EXPECT_NE(cuda_.launches[0].stream, cuda_.launches[2].stream);
}

TEST_F(CudaDriverTest, RecordingAtTheWrongTime) {
  char byte = 0;
  memory();
  message_of(ErrorKind::kState, [&] { driver().end_recording(); });
  driver().cancel_recording();
  driver().begin_recording();
  message_of(ErrorKind::kState, [&] { driver().begin_recording(); });
  message_of(ErrorKind::kState, [&] { driver().upload(&byte, {&memory(), 0}, 1); });
  message_of(ErrorKind::kState, [&] { driver().download({&memory(), 0}, &byte, 1); });
  const auto recording = driver().end_recording();
  driver().begin_recording();
  message_of(ErrorKind::kState, [&] { driver().replay(*recording); });
  driver().cancel_recording();
  EXPECT_EQ(cuda_.count("stream_create"), cuda_.count("stream_destroy") + 1) << "the driver's own lives on";
}

TEST_F(CudaDriverTest, ARecordingThatFailsLeavesNothingBehind) {
  driver().begin_recording();
  cuda_.fail["stream_end_capture"] = 901;
  message_of(ErrorKind::kDevice, [&] { driver().end_recording(); });
  cuda_.fail.clear();
  driver().begin_recording();
  EXPECT_EQ(driver().end_recording()->launches(), 0u);
  EXPECT_EQ(cuda_.count("stream_create"), cuda_.count("stream_destroy") + 1);
}

TEST_F(CudaDriverTest, TheContextOfOthersIsPutBack) {
  const auto others = reinterpret_cast<Context>(0x42);
  driver();
  cuda_.current = others;
  memory();
  launch(scale(false), good_bindings());
  driver().synchronize();
  EXPECT_EQ(cuda_.current, others);
  memory_.reset();
  EXPECT_EQ(cuda_.current, others);
}

TEST_F(CudaDriverTest, EventsTellTheTime) {
  const auto from = driver().record_event(), to = driver().record_event();
  EXPECT_TRUE(to->done());
  cuda_.fail["event_query"] = kNotReady;
  EXPECT_FALSE(to->done());
  EXPECT_DOUBLE_EQ(driver().seconds_between(*from, *to), 0.002);
}

TEST_F(CudaDriverTest, MemoryMayOutliveTheDriver) {
  auto kept = driver().allocate(64);
  driver_.reset();
  EXPECT_EQ(cuda_.count("primary_ctx_release"), 0u);
  kept.reset();
  EXPECT_EQ(cuda_.count("primary_ctx_release"), 1u);
  EXPECT_TRUE(cuda_.memory.empty());
}

TEST_F(CudaDriverTest, ThreadsShareKernels) {
  const auto bindings = good_bindings();
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 20; ++i) launch(scale(false), bindings);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(cuda_.launches.size(), 80u);
  EXPECT_EQ(cuda_.compiled_options.size(), 1u);
}

TEST(CudaDriverRelease, IsFoundInTheKernelsText) {
  EXPECT_EQ(driver_release("NVRM version: NVIDIA UNIX x86_64 Kernel Module  580.65.06  Sun Jul 27 07:12:32 UTC 2025"),
            "580.65.06");
  EXPECT_EQ(driver_release("NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  580.159.04  Release Build"),
            "580.159.04");
  EXPECT_EQ(driver_release("535.104"), "535.104");
  EXPECT_EQ(driver_release("nothing 64 here x86_64"), "");
}

}  // namespace
}  // namespace ingot::cuda
