// Whole models against the outputs of transformers on the same tiny checkpoints (tests/golden/<model>): every logit of
// the prompt and of 24 decode steps, from safetensors and from GGUF, in pieces of any size.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "ingot/io/tensor_io.h"
#include "ingot/models/load.h"
#include "tests/support/tiny_gguf.h"

namespace ingot {
namespace {

const std::string kGolden = std::string(INGOT_SOURCE_DIR) + "/tests/golden/";

struct Golden {
  std::vector<int32_t> ids, decode_ids;
  Tensor prefill, decode;
};

Golden read_golden(const std::string& model) {
  SafetensorsFile f = SafetensorsFile::open(kGolden + model + "/golden.safetensors");
  Golden g;
  for (int64_t id : to_int64s(load_tensor(f, "input_ids"))) g.ids.push_back(int32_t(id));
  for (int64_t id : to_int64s(load_tensor(f, "decode_ids"))) g.decode_ids.push_back(int32_t(id));
  g.prefill = load_tensor(f, "prefill_logits");
  g.decode = load_tensor(f, "decode_logits");
  if (g.prefill.dim() == 3) g.prefill = g.prefill.select(0, 0);
  if (g.decode.dim() == 3) g.decode = g.decode.select(0, 0);
  return g;
}

// Largest difference over the largest reference value.
double difference(const Tensor& a, const Tensor& b) {
  std::vector<double> x = to_doubles(a), y = to_doubles(b);
  EXPECT_EQ(x.size(), y.size());
  double worst = 0, largest = 0;
  for (size_t i = 0; i < std::min(x.size(), y.size()); i++) {
    worst = std::max(worst, std::fabs(x[i] - y[i]));
    largest = std::max(largest, std::fabs(y[i]));
  }
  return worst / largest;
}

void expect_golden(const LanguageModel& m, const Golden& g) {
  auto state = m.decoder.new_state();
  EXPECT_LT(difference(m.decoder.forward(g.ids, *state, LogitsOf::kAll), g.prefill), 5e-5);
  for (size_t i = 0; i < g.decode_ids.size(); i++) {
    Tensor logits = m.decoder.forward({&g.decode_ids[i], 1}, *state);
    EXPECT_LT(difference(logits, g.decode.narrow(0, int64_t(i), 1)), 5e-5) << "step " << i;
    const float* p = logits.data<float>();
    int32_t next = int32_t(std::max_element(p, p + logits.numel()) - p);
    if (i + 1 < g.decode_ids.size()) {
      EXPECT_EQ(next, g.decode_ids[i + 1]) << "step " << i;
    }
  }
}

class GoldenModel : public testing::TestWithParam<const char*> {};

TEST_P(GoldenModel, SafetensorsLogits) { expect_golden(load_model(kGolden + GetParam()), read_golden(GetParam())); }

TEST_P(GoldenModel, GgufLogits) {
  std::string path = testing::TempDir() + "/" + GetParam() + ".gguf";
  write_tiny_gguf(kGolden + GetParam(), path);
  expect_golden(load_model(path), read_golden(GetParam()));
  std::filesystem::remove(path);
}

TEST_P(GoldenModel, AnyChunkingAgrees) {
  LanguageModel m = load_model(kGolden + GetParam());
  Golden g = read_golden(GetParam());
  int64_t n = int64_t(g.ids.size());
  auto whole_state = m.decoder.new_state();
  Tensor whole = m.decoder.forward(g.ids, *whole_state, LogitsOf::kAll);
  for (int64_t size : {1, 2, 3, 5, 7, 16, 17}) {
    auto state = m.decoder.new_state();
    for (int64_t at = 0; at < n; at += size) {
      int64_t count = std::min(size, n - at);
      Tensor part = m.decoder.forward({g.ids.data() + at, size_t(count)}, *state, LogitsOf::kAll);
      EXPECT_LT(difference(part, whole.narrow(0, at, count)), 2e-5) << "chunks of " << size << " at " << at;
    }
  }
}

TEST_P(GoldenModel, SixteenRowsAtOnceAreBitEqualToOneByOne) {
  LanguageModel m = load_model(kGolden + GetParam());
  Golden g = read_golden(GetParam());
  auto one = m.decoder.new_state();
  std::vector<std::vector<double>> rows;
  for (int i = 0; i < 16; i++) rows.push_back(to_doubles(m.decoder.forward({&g.ids[size_t(i)], 1}, *one)));
  for (size_t count : {2u, 3u, 8u, 16u}) {
    auto state = m.decoder.new_state();
    Tensor all = m.decoder.forward({g.ids.data(), count}, *state, LogitsOf::kAll);
    for (size_t i = 0; i < count; i++)
      EXPECT_EQ(to_doubles(all.select(0, int64_t(i))), rows[i]) << count << " rows, row " << i;
  }
}

TEST_P(GoldenModel, BadInputIsRefused) {
  LanguageModel m = load_model(kGolden + GetParam());
  auto state = m.decoder.new_state();
  std::vector<int32_t> outside = {1, int32_t(m.config.vocab)}, negative = {-1};
  EXPECT_THROW(m.decoder.forward(outside, *state), Error);
  EXPECT_THROW(m.decoder.forward(negative, *state), Error);
  EXPECT_THROW(m.decoder.forward({}, *state), Error);
  EXPECT_EQ(state->length(), 0);
}

INSTANTIATE_TEST_SUITE_P(Models, GoldenModel, testing::Values("llama_tiny", "qwen3_moe_tiny", "lfm2_moe_tiny"),
                         [](const auto& test) { return test.param; });

}  // namespace
}  // namespace ingot
