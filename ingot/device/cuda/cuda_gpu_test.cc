// The CUDA driver on a GPU; skipped with the reason where there is none.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <random>
#include <thread>

#include "ingot/base/error.h"
#include "ingot/device/cuda/cuda.h"
#include "ingot/device/cuda/fake_cuda_test.h"

namespace ingot::cuda {
namespace {

using gpu::Binding;
using gpu::Constant;
using gpu::Slice;

constexpr const char* kKernels = R"(
#include <metal_stdlib>
#include "ingot/msl/wait_inputs.h"
using namespace metal;
constant uint MODE [[function_constant(0)]];
constant float BIAS [[function_constant(1)]];
struct Params { uint n; float scale; };

[[kernel]] void scale(device const float* x [[buffer(1)]], device float* y [[buffer(0)]],
                      constant Params& p [[buffer(2)]], uint i [[thread_position_in_grid]]) {
  if (i < p.n) y[i] = (MODE == 1u ? -x[i] : x[i]) * p.scale + BIAS;
}
// Each step needs the whole of the one before: a sum over a neighbour of another group.
[[kernel]] void shift_add(device const float* x [[buffer(0)]], device float* y [[buffer(1)]],
                          constant uint& n [[buffer(2)]], uint i [[thread_position_in_grid]]) {
  wait_inputs();
  if (i < n) y[i] = x[i] + x[(i + 1000u) % n];
}
[[kernel]] void reverse_groups(device const float* x [[buffer(0)]], device float* y [[buffer(1)]],
                               threadgroup float* unused [[threadgroup(0)]], threadgroup float* staged [[threadgroup(1)]],
                               uint i [[thread_position_in_grid]], uint local [[thread_position_in_threadgroup]],
                               uint size [[threads_per_threadgroup]]) {
  unused[local % 4u] = 0.0f;
  staged[local] = x[i];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  y[i] = staged[size - 1 - local];
}
[[kernel]] void count_groups(device atomic_uint* counts [[buffer(0)]], uint3 group [[threadgroup_position_in_grid]],
                             uint3 groups [[threadgroups_per_grid]], uint index [[thread_index_in_threadgroup]]) {
  atomic_fetch_add_explicit(&counts[(group.z * groups.y + group.y) * groups.x + group.x], index, memory_order_relaxed);
}
[[kernel]] void write_far(device float* y [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  y[ulong(i) + 0x100000000000ul] = 1.0f;
}
)";
constexpr Constant kPlain[] = {{0, 0}, {1, 0.25}};

struct Params {
  uint32_t n;
  float scale;
};

std::vector<float> random_floats(size_t n, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal;
  std::vector<float> values(n);
  for (float& v : values) v = normal(random);
  return values;
}

class CudaGpu : public ::testing::Test {
 protected:
  void SetUp() override {
    const Availability answer = cuda_availability(0);
    if (!answer.available) GTEST_SKIP() << answer.reason << "; " << answer.advice;
  }

  static gpu::Driver& driver() {
    static gpu::Driver* const made = make_cuda_driver(0).release();
    return *made;
  }
  static const gpu::Kernel& kernel(const char* name, std::span<const Constant> constants = kPlain) {
    static const auto text = kernel_text("gpu_test.metal", kKernels);
    return driver().user_kernel(text, name, constants);
  }
  static Binding slice(int index, const gpu::Memory& memory, bool written = false) {
    return {.kind = Binding::Kind::kSlice,
            .index = index,
            .written = written,
            .slice = {&memory, 0},
            .bytes = memory.bytes()};
  }
  template <class T>
  static Binding value(int index, const T& v) {
    return {.kind = Binding::Kind::kValue, .index = index, .slice = {}, .value = &v, .bytes = sizeof v};
  }
  static void launch(const gpu::Kernel& kernel, size_t threads, std::vector<Binding> bindings,
                     uint32_t in_group = 256) {
    const auto groups = uint32_t((threads + in_group - 1) / in_group);
    driver().launch({&kernel, {groups, 1, 1}, {in_group, 1, 1}, bindings});
  }
  template <class T>
  static std::unique_ptr<gpu::Memory> uploaded(const std::vector<T>& values) {
    auto memory = driver().allocate(values.size() * sizeof(T));
    driver().upload(values.data(), {memory.get(), 0}, memory->bytes());
    return memory;
  }
  template <class T = float>
  static std::vector<T> downloaded(const gpu::Memory& memory) {
    std::vector<T> values(memory.bytes() / sizeof(T));
    driver().download({&memory, 0}, values.data(), memory.bytes());
    return values;
  }
};

TEST_F(CudaGpu, Description) {
  std::printf("[          ] %s\n[          ] %s\n", driver().description().c_str(),
              cuda_availability(0).reason.c_str());
  EXPECT_EQ(driver().device(), (Device{DeviceKind::kCuda, 0}));
  const gpu::Counters counters = driver().counters();
  EXPECT_GT(counters.total_bytes, size_t{1} << 30);
  EXPECT_LE(counters.free_bytes, counters.total_bytes);
  EXPECT_FALSE(cuda_availability(1000).available);
}

TEST_F(CudaGpu, MemoryRoundTrips) {
  for (const size_t bytes : {size_t{1}, size_t{3}, size_t{4096}, size_t{8} << 20, (size_t{100} << 20) + 5}) {
    std::vector<uint8_t> data(bytes + 64), seen(bytes + 64);
    for (size_t i = 0; i < data.size(); ++i) data[i] = uint8_t(i * 31 + i / 4099);
    const auto a = driver().allocate(bytes + 64), b = driver().allocate(bytes + 64);
    EXPECT_EQ(a->address() % 256, 0u);
    driver().upload(data.data(), {a.get(), 0}, data.size());
    std::vector<uint8_t> sent = data;
    std::fill(data.begin(), data.end(), uint8_t{0});  // the bytes may change at once
    driver().fill({b.get(), 0}, 0x5a, bytes + 64);
    driver().copy({a.get(), 7}, {b.get(), 13}, bytes);
    driver().download({b.get(), 0}, seen.data(), seen.size());
    EXPECT_TRUE(std::equal(seen.begin() + 13, seen.begin() + 13 + ptrdiff_t(bytes), sent.begin() + 7)) << bytes;
    EXPECT_EQ(seen[12], 0x5a);
    EXPECT_EQ(seen[13 + bytes], 0x5a);
  }
}

TEST_F(CudaGpu, ManySmallUploadsKeepTheirOrder) {
  const auto memory = driver().allocate(4);
  const auto log = driver().allocate(4 * 3000);
  for (uint32_t i = 0; i < 3000; ++i) {
    driver().upload(&i, {memory.get(), 0}, 4);
    driver().copy({memory.get(), 0}, {log.get(), 4 * i}, 4);
  }
  std::vector<uint32_t> expected(3000);
  std::iota(expected.begin(), expected.end(), 0u);
  EXPECT_EQ(downloaded<uint32_t>(*log), expected);
}

TEST_F(CudaGpu, FunctionConstants) {
  const std::vector<float> x = random_floats(1000, 1);
  const auto in = uploaded(x);
  for (const bool negated : {false, true}) {
    const Constant constants[] = {{0, negated ? 1.0 : 0.0}, {1, 0.1f}};
    const auto out = driver().allocate(in->bytes());
    launch(kernel("scale", constants), 1000, {slice(0, *out, true), slice(1, *in), value(2, Params{1000, 3})});
    const std::vector<float> y = downloaded(*out);
    for (size_t i = 0; i < x.size(); ++i) {
      EXPECT_EQ(y[i], std::fma(negated ? -x[i] : x[i], 3.0f, 0.1f)) << i;
    }
  }
}

TEST_F(CudaGpu, ThreadgroupArguments) {
  const std::vector<float> x = random_floats(64 * 256, 2);
  const auto in = uploaded(x), out = driver().allocate(x.size() * 4);
  for (const size_t staged : {size_t{1024}, size_t{100} << 10}) {  // the second has to be asked for
    driver().fill({out.get(), 0}, 0, out->bytes());
    launch(kernel("reverse_groups"), x.size(),
           {slice(0, *in),
            slice(1, *out, true),
            {.kind = Binding::Kind::kThreadgroup, .index = 1, .slice = {}, .bytes = staged},
            {.kind = Binding::Kind::kThreadgroup, .index = 0, .slice = {}, .bytes = 20}});
    const std::vector<float> y = downloaded(*out);
    for (size_t i = 0; i < x.size(); ++i) ASSERT_EQ(y[i], x[i / 256 * 256 + 255 - i % 256]) << i;
  }
}

TEST_F(CudaGpu, GridsOfThreeDimensions) {
  const auto counts = driver().allocate(4 * 3 * 5 * 7);
  driver().fill({counts.get(), 0}, 0, counts->bytes());
  const Binding bindings[] = {slice(0, *counts, true)};
  driver().launch({&kernel("count_groups"), {3, 5, 7}, {8, 4, 2}, bindings});
  EXPECT_EQ(downloaded<uint32_t>(*counts), std::vector<uint32_t>(3 * 5 * 7, 63 * 64 / 2));
}

// A chain of launches, each of which needs all of the one before.
class CudaChain : public CudaGpu {
 protected:
  static constexpr uint32_t kN = 300'000;
  static constexpr int kSteps = 40;

  void enqueue() {
    for (int step = 0; step < kSteps; ++step) {
      launch(kernel("shift_add"), kN,
             {slice(0, *buffers_[step % 2]), slice(1, *buffers_[1 - step % 2], true), value(2, kN)});
      launch(kernel("scale"), kN,
             {slice(0, *buffers_[1 - step % 2], true), slice(1, *buffers_[1 - step % 2]), value(2, Params{kN, 0.5f})});
    }
  }
  std::vector<float> result() { return downloaded(*buffers_[kSteps % 2]); }
  void reset() { driver().upload(start_.data(), {buffers_[0].get(), 0}, kN * 4); }

  void SetUp() override {
    CudaGpu::SetUp();
    if (IsSkipped()) return;
    buffers_ = {driver().allocate(kN * 4), driver().allocate(kN * 4)};
    reset();
  }
  std::vector<float> expected() {
    std::vector<float> x = start_, y(kN);
    for (int step = 0; step < kSteps; ++step) {
      for (uint32_t i = 0; i < kN; ++i) y[i] = std::fma(x[i] + x[(i + 1000) % kN], 0.5f, 0.25f);
      std::swap(x, y);
    }
    return x;
  }

  const std::vector<float> start_ = random_floats(kN, 3);
  std::array<std::unique_ptr<gpu::Memory>, 2> buffers_;
};

TEST_F(CudaChain, LaunchesRunInOrder) {
  enqueue();
  EXPECT_EQ(result(), expected());
}

TEST_F(CudaChain, AReplayEqualsDirectLaunches) {
  kernel("shift_add"), kernel("scale");
  driver().begin_recording();
  enqueue();
  driver().copy({buffers_[0].get(), 0}, {buffers_[1].get(), 0}, kN * 4);
  const auto recording = driver().end_recording();
  EXPECT_EQ(recording->launches(), size_t(2 * kSteps));
  const std::vector<float> want = expected();
  for (int round = 0; round < 3; ++round) {
    reset();
    driver().replay(*recording);
    EXPECT_EQ(result(), want) << round;
    EXPECT_EQ(downloaded(*buffers_[1]), want) << round;
  }
}

TEST_F(CudaChain, ThreadsEnqueueWhileOneRecords) {
  std::vector<std::thread> threads;
  kernel("scale"), kernel("shift_add");
  driver().begin_recording();
  enqueue();
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([t] {
      const std::vector<float> x = random_floats(5000, unsigned(t));
      const auto in = uploaded(x), out = driver().allocate(in->bytes());
      for (int i = 0; i < 50; ++i) {
        launch(kernel("scale"), 5000, {slice(0, *out, true), slice(1, *in), value(2, Params{5000, float(i)})});
      }
      const std::vector<float> y = downloaded(*out);
      for (size_t i = 0; i < x.size(); ++i) ASSERT_EQ(y[i], std::fma(x[i], 49.0f, 0.25f));
    });
  }
  for (std::thread& thread : threads) thread.join();
  const auto recording = driver().end_recording();
  driver().replay(*recording);
  EXPECT_EQ(result(), expected());
}

TEST_F(CudaGpu, EventsMeasureTime) {
  const auto memory = driver().allocate(size_t{256} << 20);
  const auto before = driver().record_event();
  for (int i = 0; i < 20; ++i) driver().fill({memory.get(), 0}, uint8_t(i), memory->bytes());
  const auto after = driver().record_event();
  const double seconds = driver().seconds_between(*before, *after);
  EXPECT_TRUE(before->done() && after->done());
  EXPECT_GT(seconds, 20 * double(memory->bytes()) / 20e12);  // no GPU writes 20 TB/s
  EXPECT_LT(seconds, 10);
}

TEST_F(CudaGpu, OutOfMemory) {
  const size_t held = driver().counters().driver_bytes;
  try {
    driver().allocate(size_t{1} << 50);
    FAIL() << "a petabyte";
  } catch (const Error& error) {
    EXPECT_EQ(int(error.kind()), int(ErrorKind::kMemory)) << error.what();
    EXPECT_NE(std::string(error.what()).find("no memory for 1.00 PiB"), std::string::npos) << error.what();
  }
  EXPECT_EQ(driver().counters().driver_bytes, held);
  EXPECT_NE(driver().allocate(1 << 20), nullptr);
}

TEST_F(CudaGpu, TheCompilerNamesTheUsersLine) {
  const auto text =
      kernel_text("mistake.metal",
                  "#include <metal_stdlib>\n"
                  "using namespace metal;\n"
                  "[[kernel]] void k(device float* y [[buffer(0)]], uint i [[thread_position_in_grid]]) {\n"
                  "  y[i] = 1.0f;\n"
                  "  y[i] += no_such_name;\n"
                  "}\n");
  try {
    driver().user_kernel(text, "k", {});
    FAIL() << "compiled";
  } catch (const Error& error) {
    EXPECT_EQ(int(error.kind()), int(ErrorKind::kDevice));
    EXPECT_NE(std::string(error.what()).find("mistake.metal(5): error"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("no_such_name"), std::string::npos) << error.what();
  }
}

using CudaGpuDeathTest = CudaGpu;
TEST_F(CudaGpuDeathTest, AnIllegalAddressEndsTheDeviceForTheProcess) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto fault = [] {
    const auto memory = driver().allocate(1024);
    try {
      launch(kernel("write_far"), 32, {slice(0, *memory, true)}, 32);
      driver().synchronize();
    } catch (const Error& error) {
      std::fprintf(stderr, "%s\n", error.what());
      try {
        driver().allocate(1);
      } catch (const Error& later) {
        std::fprintf(stderr, "%s\n", later.what());
        std::_Exit(int(later.kind()) == int(ErrorKind::kDevice) ? 3 : 4);
      }
    }
    std::_Exit(5);
  };
  EXPECT_EXIT(
      fault(), ::testing::ExitedWithCode(3),
      "CUDA_ERROR_ILLEGAL_ADDRESS.*the last kernel launched was write_far.*cannot be used any more.*\n.*since an "
      "earlier call failed");
}

// Products against sums in double.
class CudaMatmul : public CudaGpu {
 protected:
  void SetUp() override {
    CudaGpu::SetUp();
    const Availability answer = cublaslt_availability();
    if (!IsSkipped() && !answer.available) GTEST_SKIP() << answer.reason << "; " << answer.advice;
  }
  static std::vector<uint8_t> as(DType type, const std::vector<float>& values) {
    std::vector<uint8_t> bytes(values.size() * itemsize(type));
    for (size_t i = 0; i < values.size(); ++i) {
      if (type == DType::kF32) reinterpret_cast<float*>(bytes.data())[i] = values[i];
      if (type == DType::kF16) reinterpret_cast<half*>(bytes.data())[i] = half(values[i]);
      if (type == DType::kBF16) reinterpret_cast<bfloat*>(bytes.data())[i] = bfloat(values[i]);
    }
    return bytes;
  }
  static double at(DType type, const std::vector<uint8_t>& bytes, int64_t i) {
    if (type == DType::kF32) return reinterpret_cast<const float*>(bytes.data())[i];
    if (type == DType::kF16) return float(reinterpret_cast<const half*>(bytes.data())[i]);
    return float(reinterpret_cast<const bfloat*>(bytes.data())[i]);
  }
  static void compare(const Matmul& p) {
    const std::vector<uint8_t> a = as(p.type, random_floats(size_t(p.batch * p.stride_a), 1));
    const std::vector<uint8_t> b = as(p.type, random_floats(size_t(p.batch * p.stride_b), 2));
    const std::vector<uint8_t> c = as(p.result, random_floats(size_t(p.batch * p.stride_c), 3));
    const auto da = uploaded(a), db = uploaded(b), dc = uploaded(c);
    static_cast<CudaDriver&>(driver()).matmul(p, {da.get(), 0}, {db.get(), 0}, {dc.get(), 0}, 2, 0.5);
    const std::vector<uint8_t> seen = downloaded<uint8_t>(*dc);
    const double tolerance = p.result == DType::kF32 ? 2e-6 : p.result == DType::kF16 ? 1e-3 : 8e-3;
    for (int64_t j = 0; j < p.batch; ++j) {
      for (int64_t row = 0; row < p.m; ++row) {
        for (int64_t column = 0; column < p.n; ++column) {
          const int64_t at_c = j * p.stride_c + row * p.ldc + column;
          double sum = 0, size = 0;
          for (int64_t k = 0; k < p.k; ++k) {
            const double x = at(p.type, a, j * p.stride_a + (p.transpose_a ? k * p.lda + row : row * p.lda + k));
            const double y = at(p.type, b, j * p.stride_b + (p.transpose_b ? column * p.ldb + k : k * p.ldb + column));
            sum += x * y, size += std::fabs(x * y);
          }
          const double want = 2 * sum + 0.5 * at(p.result, c, at_c);
          ASSERT_NEAR(at(p.result, seen, at_c), want, tolerance * (2 * size + 1)) << row << ", " << column;
        }
      }
      ASSERT_EQ(at(p.result, seen, j * p.stride_c + p.n), at(p.result, c, j * p.stride_c + p.n)) << "between rows";
    }
  }
};

TEST_F(CudaMatmul, AgreesWithDouble) {
  for (const auto& [type, result] : {std::pair{DType::kF32, DType::kF32},
                                     {DType::kF16, DType::kF16},
                                     {DType::kF16, DType::kF32},
                                     {DType::kBF16, DType::kBF16},
                                     {DType::kBF16, DType::kF32}}) {
    for (const int transposes : {0, 1, 2, 3}) {
      for (const int64_t batch : {1, 3}) {
        Matmul p{33, 48, 72, type, result, (transposes & 1) != 0, (transposes & 2) != 0, 0, 0, 0, batch};
        p.lda = (p.transpose_a ? p.m : p.k) + 7, p.ldb = (p.transpose_b ? p.k : p.n) + 8, p.ldc = p.n + 1;
        p.stride_a = p.lda * (p.transpose_a ? p.k : p.m), p.stride_b = p.ldb * (p.transpose_b ? p.n : p.k);
        p.stride_c = p.ldc * p.m;
        SCOPED_TRACE(cat(type, " to ", result, ", transposes ", transposes, ", batch ", batch));
        compare(p);
      }
    }
  }
}

TEST_F(CudaMatmul, WithinARecordingWithTheSameBits) {
  const int64_t n = 256;
  const Matmul p{n, n, n, DType::kBF16, DType::kF32, false, true, n, n, n};
  const auto a = uploaded(as(DType::kBF16, random_floats(size_t(n * n), 4)));
  const auto c = driver().allocate(size_t(n * n) * 4), d = driver().allocate(size_t(n * n) * 4);
  auto& cuda = static_cast<CudaDriver&>(driver());
  cuda.matmul(p, {a.get(), 0}, {a.get(), 0}, {c.get(), 0});
  driver().begin_recording();
  cuda.matmul(p, {a.get(), 0}, {a.get(), 0}, {d.get(), 0});
  const auto recording = driver().end_recording();
  driver().replay(*recording);
  EXPECT_EQ(downloaded(*c), downloaded(*d));
  EXPECT_THROW(cuda.matmul(p, {a.get(), 2}, {a.get(), 0}, {c.get(), 0}), Error);
}

}  // namespace
}  // namespace ingot::cuda
