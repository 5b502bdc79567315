#include "ingot/tensor/gpu_stream.h"

#include <gtest/gtest.h>

#include <numeric>

#include "ingot/base/message_test.h"

namespace ingot::gpu {
namespace {

constexpr Device kSim{DeviceKind::kSim, 0};

struct ScaleParams {
  int64_t count;
  float factor;
  uint32_t reserved = 0;
};
struct GatherParams {
  int64_t bound;
};

Tensor counting(int64_t n, float from = 0) {
  std::vector<float> v(static_cast<size_t>(n));
  std::iota(v.begin(), v.end(), from);
  return tensor_of(v, {n}, kSim);
}
std::vector<double> doubles(std::initializer_list<double> v) { return v; }

class GpuStream : public testing::Test {
 protected:
  Stream& s = stream(kSim);
  void scale(const Tensor& x, const Tensor& y, float factor) {
    s.launch("stream_scale", {x.dtype()}, {{0, 0}}, {1}, {64}, x, y, ScaleParams{x.numel(), factor}, none);
  }
  void gather(const Tensor& x, const Tensor& at, const Tensor& y) {
    s.launch("stream_gather", {}, {{0, 0}}, {1}, {uint32_t(at.numel())}, x, at, y, GatherParams{x.numel()},
             errors("gather: index {a} is outside [0, {b})"));
  }
};

TEST_F(GpuStream, Tensors) {
  Tensor x = tensor_of(std::vector<float>{1, 2, 3, 4, 5, 6}, {2, 3}, kSim);
  EXPECT_EQ(x.device(), kSim);
  EXPECT_EQ(to_doubles(x), doubles({1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(to_doubles(x.t()), doubles({1, 4, 2, 5, 3, 6}));
  EXPECT_EQ(x.t().cpu().strides(), Dims({1, 3}));
  EXPECT_EQ(x.select(0, 1).select(0, 2).item(), 6);
  EXPECT_EQ(to_string(x.select(0, 1)), "tensor([4, 5, 6], f32, sim)");
  EXPECT_EQ(to_doubles(zeros({3}, DType::kBF16, kSim)), doubles({0, 0, 0}));
  EXPECT_EQ(x.slice(0, 0, 0).cpu().sizes(), Dims({0, 3}));
  EXPECT_EQ(empty({0}, DType::kF32, kSim).storage()->slice().memory, nullptr);
  EXPECT_EQ(message_of([&] { x.data<float>(); }), "tensor: element access on sim: move it to the cpu");
  EXPECT_EQ(x.storage()->data(), nullptr);
  EXPECT_EQ(message_of([&] { empty({1}, DType::kF64, kSim); }), "tensor: f64 on sim: it lives on the cpu only");
}

TEST_F(GpuStream, FullInEveryDTypeAndLength) {
  for (int64_t n : {0, 1, 3, 8, 9, 255, 4097}) {
    for (int t = 0; t < kNumDTypes; t++) {
      if (DType(t) == DType::kF64) continue;
      EXPECT_EQ(to_doubles(full({n}, 1, DType(t), kSim)), std::vector<double>(size_t(n), 1)) << n << name(DType(t));
    }
  }
  EXPECT_EQ(to_doubles(full({3}, -2.5, DType::kF16, kSim)), doubles({-2.5, -2.5, -2.5}));
  EXPECT_THROW(full({3}, 300, DType::kU8, kSim), Error);
}

TEST_F(GpuStream, MemoryIsCountedAndFreed) {
  size_t before = allocator(kSim).use().in_use;
  {
    Tensor x = empty({1000}, DType::kF32, kSim);
    EXPECT_EQ(allocator(kSim).use().in_use, before + 4000);
  }
  EXPECT_EQ(allocator(kSim).use().in_use, before);
}

TEST_F(GpuStream, LaunchByDTypeWithOptionalBuffer) {
  Tensor x = counting(5), y = zeros({5}, DType::kF32, kSim);
  uint64_t version = y.version(), x_version = x.version();
  scale(x, y, 2);
  EXPECT_EQ(to_doubles(y), doubles({0, 2, 4, 6, 8}));
  EXPECT_EQ(y.version(), version + 1);
  EXPECT_EQ(x.version(), x_version);
  s.launch("stream_scale", {DType::kF32}, {{0, 1}}, {1}, {64}, x, y, ScaleParams{5, 2}, counting(5, 10));
  EXPECT_EQ(to_doubles(y), doubles({10, 13, 16, 19, 22}));
  // An offset view: the kernel sees its first element.
  scale(x.slice(0, 2, 5), y.slice(0, 1, 4), 1);
  EXPECT_EQ(to_doubles(y), doubles({10, 2, 3, 4, 22}));
  Tensor b = full({4}, 3, DType::kBF16, kSim);
  scale(b, b, 0.5f);
  EXPECT_EQ(to_doubles(b), doubles({1.5, 1.5, 1.5, 1.5}));
}

TEST_F(GpuStream, ThreadgroupMemory) {
  Tensor x = counting(64);
  s.launch("stream_reverse", {}, {{0, 0}}, {2}, {32}, x, Threadgroup{32 * 4});
  EXPECT_EQ(x.select(0, 0).item(), 31);
  EXPECT_EQ(x.select(0, 63).item(), 32);
}

TEST_F(GpuStream, Refusals) {
  Tensor x = counting(4), y = counting(4), host = zeros({4}, DType::kF32);
  ScaleParams p{4, 1};
  auto run = [&](Size groups, Size threads, const auto&... args) {
    return message_of([&] { s.launch("stream_scale", {DType::kF32}, {{0, 0}}, groups, threads, args...); });
  };
  EXPECT_EQ(run({1}, {64}, x, y, p), "stream_scale_f32: arguments: expected 4, got 3");
  EXPECT_EQ(run({1}, {64}, x, y, p, none, none), "stream_scale_f32: arguments: expected 4, got 5");
  EXPECT_EQ(run({1}, {64}, none, y, p, none), "stream_scale_f32: buffer 0 (x): expected a tensor, got none");
  EXPECT_EQ(run({1}, {64}, p, y, p, none), "stream_scale_f32: buffer 0 (x): expected a tensor, got a value");
  EXPECT_EQ(run({1}, {64}, x, y, x, none), "stream_scale_f32: buffer 2 (p): expected a value, got another argument");
  EXPECT_EQ(run({1}, {64}, x, host, p, none), "stream_scale_f32: buffer 1 (y): expected a tensor on sim, got cpu");
  EXPECT_EQ(run({1}, {64}, x, y, 1.0f, none), "stream_scale_f32: buffer 2 (p): expected 16 bytes, got 4");
  EXPECT_EQ(run({1}, {48}, x, y, p, none),
            "stream_scale_f32: threads of a group: expected a multiple of 32, at most 64, got (48, 1, 1)");
  EXPECT_EQ(run({1}, {128}, x, y, p, none),
            "stream_scale_f32: threads of a group: expected a multiple of 32, at most 64, got (128, 1, 1)");
  EXPECT_EQ(run({1, 70000}, {64}, x, y, p, none),
            "stream_scale_f32: groups: expected at most 65535 in y and z, got (1, 70000, 1)");
  Tensor odd(x.storage(), 2, {1}, {1}, DType::kF32);
  EXPECT_EQ(run({1}, {64}, odd, y, p, none),
            "stream_scale_f32: buffer 0 (x): expected a byte offset that f32 is aligned at, got 2");
  EXPECT_EQ(message_of([&] { s.launch("stream_scale", {DType::kI32}, {}, {1}, {64}, x); }),
            "sim: no kernel \"stream_scale_i32\" in this build");
  uint64_t version = y.version();
  EXPECT_EQ(run({0}, {64}, x, y, p, none), "no error");
  EXPECT_EQ(y.version(), version);
}

TEST_F(GpuStream, KernelsReportErrorsAtTheNextSynchronisation) {
  Tensor x = counting(10), y = zeros({32}, DType::kF32, kSim);
  std::vector<int64_t> at(32, 3);
  at[5] = -7;
  gather(x, tensor_of(at, {32}, kSim), y);
  EXPECT_EQ(message_of([&] { s.synchronize(); }), "gather: index -7 is outside [0, 10)");
  EXPECT_EQ(message_of([&] { s.synchronize(); }), "no error");
  at[5] = int64_t(1) << 40;
  gather(x, tensor_of(at, {32}, kSim), y);
  EXPECT_EQ(message_of([&] { to_doubles(y); }), "gather: index 1099511627776 is outside [0, 10)");
  at[5] = 4;
  gather(x, tensor_of(at, {32}, kSim), y);
  EXPECT_EQ(to_doubles(y)[5], 4);
  try {
    gather(x, full({32}, 10, DType::kI64, kSim), y);
    s.synchronize();
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.kind(), ErrorKind::kIndex);
  }
}

TEST_F(GpuStream, CaptureAndReplay) {
  Tensor x = counting(3, 1), y = zeros({3}, DType::kF32, kSim);
  std::shared_ptr<const Captured> step = s.capture([&] {
    EXPECT_TRUE(s.capturing());
    Tensor between = empty({3}, DType::kF32, kSim);
    scale(x, between, 2);
    scale(between, y, 5);
    s.copy(y, x);
  });
  EXPECT_FALSE(s.capturing());
  EXPECT_EQ(step->launches(), 2u);
  EXPECT_EQ(to_doubles(y), doubles({0, 0, 0}));
  // What was freed meanwhile must not be given to others.
  Tensor other = full({3}, 7, DType::kF32, kSim);
  uint64_t version = y.version();
  s.replay(*step);
  s.replay(*step);
  EXPECT_EQ(to_doubles(y), doubles({100, 200, 300}));
  EXPECT_EQ(to_doubles(other), doubles({7, 7, 7}));
  EXPECT_EQ(y.version(), version + 2);
}

TEST_F(GpuStream, CaptureKeepsTensorsAlive) {
  std::shared_ptr<const Captured> step;
  Tensor y = zeros({4}, DType::kF32, kSim);
  {
    Tensor x = counting(4);
    step = s.capture([&] { scale(x, y, 3); });
  }
  s.replay(*step);
  EXPECT_EQ(to_doubles(y), doubles({0, 3, 6, 9}));
}

TEST_F(GpuStream, CaptureEndsWithAnError) {
  Tensor x = counting(4), y = zeros({4}, DType::kF32, kSim);
  EXPECT_EQ(message_of([&] {
              s.capture([&] {
                scale(x, y, 3);
                to_doubles(y);
              });
            }),
            "sim: download: not while this thread records");
  EXPECT_FALSE(s.capturing());
  EXPECT_EQ(message_of([&] { s.capture([&] { s.capture([] {}); }); }),
            "capture: a capture is under way on this thread");
  EXPECT_EQ(message_of([&] { s.capture([&] { s.synchronize(); }); }), "sim: synchronize: not inside a capture");
  scale(x, y, 3);
  EXPECT_EQ(to_doubles(y), doubles({0, 3, 6, 9}));
}

TEST_F(GpuStream, ReplaysReportErrorsToo) {
  Tensor x = counting(10), y = zeros({32}, DType::kF32, kSim), at = zeros({32}, DType::kI64, kSim);
  auto step = s.capture([&] { gather(x, at, y); });
  s.replay(*step);
  s.synchronize();
  std::vector<int64_t> wrong(32, 99);
  s.upload(wrong.data(), at);
  s.replay(*step);
  EXPECT_EQ(message_of([&] { s.synchronize(); }), "gather: index 99 is outside [0, 10)");
}

}  // namespace
}  // namespace ingot::gpu
