// Where a model's weights come from: a safetensors folder, a GGUF file, or random numbers. Families ask by Hugging Face
// names; a GGUF source translates them.
#pragma once
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "ingot/io/gguf.h"
#include "ingot/io/safetensors_folder.h"
#include "ingot/ops/linear/weight.h"

namespace ingot {

class INGOT_API WeightSource {
 public:
  virtual ~WeightSource() = default;
  virtual bool has(const std::string& name) const = 0;
  // The [rows, cols] matrix, as it lies. Error naming the tensor, and expected and found shape, if it is not there or
  // does not fit. FP8 weights come with the scales that stand beside them in the checkpoint; without any: Error.
  virtual Weight matrix(const std::string& name, int64_t rows, int64_t cols) = 0;
  // `count` matrices stacked in one [count, rows, cols] tensor.
  virtual std::vector<Weight> stacked(const std::string& name, int64_t count, int64_t rows, int64_t cols) = 0;
  // Any shape with that many elements, as f32.
  virtual Tensor floats(const std::string& name, const Dims& sizes) = 0;
};

std::unique_ptr<WeightSource> safetensors_source(SafetensorsFolder folder);

// Pairs of (pattern of the Hugging Face name, GGUF name); "{}" stands for a layer number.
using GgufNames = std::vector<std::pair<std::string, std::string>>;
std::unique_ptr<WeightSource> gguf_source(GgufFile file, GgufNames names);

// Weights for speed tests: N(0, 1/cols)-like numbers of the given format (bf16, f16, f32, f8e4m3 with a scale a row,
// Q8_0, Q4_0), norms of one, routers f32. Optional tensors (biases) are not there.
std::unique_ptr<WeightSource> random_source(WeightFormat format, uint64_t seed);

}  // namespace ingot
