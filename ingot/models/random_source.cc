// Random weights of a given format, for speed tests.
#include <cmath>
#include <cstring>

#include "ingot/base/error.h"
#include "ingot/device/cpu/thread_pool.h"
#include "ingot/models/weight_source.h"

namespace ingot {

namespace {

// Sum of four uniform bytes, centred: close enough to a normal distribution for a speed test, and quick.
float draw(uint64_t& state) {
  state = state * 6364136223846793005ull + 1442695040888963407ull;
  uint32_t u = uint32_t(state >> 32);
  int sum = int(u & 255) + int(u >> 8 & 255) + int(u >> 16 & 255) + int(u >> 24) - 510;
  return float(sum) * (1.0f / 147.8f);
}

class RandomSource : public WeightSource {
 public:
  RandomSource(WeightFormat format, uint64_t seed) : format_(format), seed_(seed) {}

  // Optional tensors (biases, an output head where the config ties it) stay away.
  bool has(const std::string&) const override { return false; }

  Weight matrix(const std::string& name, int64_t rows, int64_t cols) override { return make(name, 1, rows, cols)[0]; }
  std::vector<Weight> stacked(const std::string& name, int64_t count, int64_t rows, int64_t cols) override {
    return make(name, count, rows, cols);
  }
  Tensor floats(const std::string& name, const Dims& sizes) override {
    if (name.find("norm") != std::string::npos) return full(sizes, 1, DType::kF32);
    Tensor t = empty(sizes, DType::kF32);
    uint64_t state = next_seed();
    for (int64_t i = 0; i < t.numel(); i++) t.data<float>()[i] = 0.1f * draw(state);
    return t;
  }

 private:
  uint64_t next_seed() { return seed_ = seed_ * 0x9E3779B97F4A7C15ull + 0x7F4A7C15ull; }

  std::vector<Weight> make(const std::string& name, int64_t count, int64_t rows, int64_t cols) {
    // Routers stay f32, as checkpoints keep them.
    WeightFormat format = name.ends_with("gate.weight") ? WeightFormat::kF32 : format_;
    int64_t bytes = row_bytes(format, cols);
    auto storage = Storage::allocate(size_t(count * rows * bytes));
    uint64_t seed = next_seed();
    bool fp8 = format == WeightFormat::kF8E4M3 || format == WeightFormat::kF8E5M2;
    // Checkpoints in float8 use the format's whole range, so few of their numbers are subnormal.
    float range = !fp8 ? 1.0f : format == WeightFormat::kF8E4M3 ? 448.0f : 57344.0f;
    float scale = 1.0f / std::sqrt(float(cols));
    parallel_for(count * rows, 8, [&](int64_t begin, int64_t end) {
      std::vector<float> row(static_cast<size_t>(cols));
      for (int64_t r = begin; r < end; r++) {
        uint64_t state = seed + uint64_t(r) * 0xD1B54A32D192ED03ull;
        for (float& v : row) v = draw(state) * (fp8 ? range : scale);
        quantize_row(format, row.data(), static_cast<char*>(storage->data()) + r * bytes, cols);
      }
    });
    std::vector<Weight> out;
    for (int64_t i = 0; i < count; i++) {
      Weight w;
      w.format = format;
      w.rows = rows;
      w.cols = cols;
      w.bytes = Tensor(storage, i * rows * bytes, {rows * bytes}, {1}, DType::kU8);
      if (fp8) {
        w.scales = full({rows}, scale / range, DType::kF32);
        w.scale_layout = ScaleLayout::kRow;
      }
      out.push_back(w);
    }
    return out;
  }

  WeightFormat format_;
  uint64_t seed_;
};

}  // namespace

std::unique_ptr<WeightSource> random_source(WeightFormat format, uint64_t seed) {
  return std::make_unique<RandomSource>(format, seed);
}

}  // namespace ingot
