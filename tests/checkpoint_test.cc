// Checkpoints as people have them: tied weights under either name, FP8 with and without scales, data that is not
// aligned, quantised GGUF.
#include <gtest/gtest.h>

#include <unistd.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "ingot/base/error.h"
#include "ingot/io/tensor_io.h"
#include "ingot/models/load.h"
#include "ingot/ops/copy/copy.h"
#include "tests/support/tiny_gguf.h"

namespace ingot {
namespace {

const std::string kGolden = std::string(INGOT_SOURCE_DIR) + "/tests/golden/";

NamedTensors tensors_of(const std::string& model) {
  SafetensorsFile f = SafetensorsFile::open(kGolden + model + "/model.safetensors");
  NamedTensors out;
  for (const std::string& name : f.names()) out.emplace_back(name, load_tensor(f, name));
  return out;
}

// A folder with llama_tiny's config (edited) and the given tensors.
class Checkpoint {
 public:
  Checkpoint(const std::string& model, const NamedTensors& tensors, const std::string& from = "",
             const std::string& to = "") {
    static int serial = 0;
    path = testing::TempDir() + "/checkpoint_" + std::to_string(getpid()) + "_" + std::to_string(serial++);
    std::filesystem::create_directories(path);
    std::string config = read_text_file(kGolden + model + "/config.json");
    if (!from.empty()) {
      size_t at = config.find(from);
      EXPECT_NE(at, std::string::npos) << from;
      config.replace(at, from.size(), to);
    }
    std::ofstream(path + "/config.json") << config;
    write_safetensors(path + "/model.safetensors", tensors);
  }
  ~Checkpoint() { std::filesystem::remove_all(path); }
  std::string path;
};

std::vector<double> logits(const LanguageModel& m) {
  auto state = m.decoder.new_state();
  std::vector<int32_t> ids = {5, 17, 400, 3, 99};
  return to_doubles(m.decoder.forward(ids, *state, LogitsOf::kAll));
}

std::string error_of(const std::string& path) {
  try {
    load_model(path);
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

double relative(const std::vector<double>& a, const std::vector<double>& b) {
  double worst = 0, largest = 0;
  for (size_t i = 0; i < a.size(); i++)
    worst = std::max(worst, std::fabs(a[i] - b[i])), largest = std::max(largest, std::fabs(b[i]));
  return worst / largest;
}

// Pitfalls B51 and B52.
TEST(Checkpoints, TiedWeightsUnderEitherNameOrBoth) {
  std::vector<double> want = logits(load_model(kGolden + "llama_tiny"));
  NamedTensors only_head = tensors_of("llama_tiny"), both = only_head, neither, untied = only_head;
  for (auto& [name, t] : only_head)
    if (name == "model.embed_tokens.weight") name = "lm_head.weight";
  for (auto& [name, t] : untied)
    if (name == "model.embed_tokens.weight") both.emplace_back("lm_head.weight", clone(t));
  EXPECT_EQ(logits(load_model(Checkpoint("llama_tiny", only_head).path)), want);
  EXPECT_EQ(logits(load_model(Checkpoint("llama_tiny", both).path)), want);
  Checkpoint broken("llama_tiny", untied, "\"tie_word_embeddings\": true", "\"tie_word_embeddings\": false");
  EXPECT_NE(error_of(broken.path).find("lm_head.weight"), std::string::npos) << error_of(broken.path);
}

TEST(Checkpoints, MissingOrMisshapenTensorIsNamed) {
  NamedTensors missing = tensors_of("llama_tiny"), wrong = missing;
  std::erase_if(missing, [](const auto& t) { return t.first == "model.layers.1.mlp.up_proj.weight"; });
  EXPECT_NE(error_of(Checkpoint("llama_tiny", missing).path).find("model.layers.1.mlp.up_proj.weight"),
            std::string::npos);
  for (auto& [name, t] : wrong)
    if (name == "model.layers.1.mlp.up_proj.weight") t = contiguous(t.t());
  std::string message = error_of(Checkpoint("llama_tiny", wrong).path);
  EXPECT_NE(message.find("[160, 64]"), std::string::npos) << message;
  EXPECT_NE(message.find("[64, 160]"), std::string::npos) << message;
}

// Pitfall B53: the scale beside an FP8 weight is used, and its absence is an error.
TEST(Checkpoints, Fp8ScalesAreUsedAndRequired) {
  struct Form {
    const char* suffix;
    Dims sizes;
  };
  for (const Form& form :
       {Form{"_scale", {}}, Form{"_scale", {1}}, Form{"_scale", {160, 1}}, Form{"_scale_inv", {2, 1}}, Form{"", {}}}) {
    NamedTensors fp8, plain;
    for (auto& [name, t] : tensors_of("llama_tiny")) {
      if (name.find("up_proj") == std::string::npos) {
        fp8.emplace_back(name, t);
        plain.emplace_back(name, t);
        continue;
      }
      Tensor scales = full(form.sizes, 0.0013, DType::kF32);
      Tensor codes = empty(t.sizes(), DType::kF8E4M3), decoded = empty(t.sizes(), DType::kF32);
      for (int64_t i = 0; i < t.numel(); i++) {
        codes.data<f8e4m3>()[i] = f8e4m3(t.data<float>()[i] / 0.0013f);
        decoded.data<float>()[i] = float(codes.data<f8e4m3>()[i]) * 0.0013f;
      }
      fp8.emplace_back(name, codes);
      if (*form.suffix) fp8.emplace_back(name + form.suffix, scales);
      plain.emplace_back(name, decoded);
    }
    Checkpoint a("llama_tiny", fp8), b("llama_tiny", plain);
    if (!*form.suffix) {
      EXPECT_NE(error_of(a.path).find("has no scale"), std::string::npos) << error_of(a.path);
      continue;
    }
    EXPECT_LT(relative(logits(load_model(a.path)), logits(load_model(b.path))), 1e-2) << form.suffix << cat(form.sizes);
  }
}

// Pitfall B47: a header length that is no multiple of 8 puts every tensor at an odd address.
TEST(Checkpoints, UnalignedDataGivesTheSameBits) {
  std::vector<double> want = logits(load_model(kGolden + "qwen3_moe_tiny"));
  std::string bytes = read_text_file(kGolden + "qwen3_moe_tiny/model.safetensors");
  uint64_t header = 0;
  memcpy(&header, bytes.data(), 8);
  for (uint64_t shift : {1, 2, 3, 5}) {
    Checkpoint c("qwen3_moe_tiny", {{"unused", zeros({1}, DType::kF32)}});
    uint64_t longer = header + shift;
    std::string moved = bytes.substr(0, 8 + header) + std::string(shift, ' ') + bytes.substr(8 + header);
    memcpy(moved.data(), &longer, 8);
    std::ofstream(c.path + "/model.safetensors", std::ios::binary) << moved;
    EXPECT_EQ(logits(load_model(c.path)), want) << "header length + " << shift;
  }
}

TEST(Checkpoints, QuantisedGgufIsCloseToItsDequantisedSelf) {
  std::vector<double> exact = logits(load_model(kGolden + "llama_tiny"));
  for (WeightFormat f : {WeightFormat::kBF16, WeightFormat::kF16, WeightFormat::kQ8_0}) {
    std::string path = testing::TempDir() + "/quantised.gguf";
    write_tiny_gguf(kGolden + "llama_tiny", path, {.matrices = f});
    EXPECT_LT(relative(logits(load_model(path)), exact), 0.05) << name(f);
    std::filesystem::remove(path);
  }
}

TEST(Checkpoints, ConfigOutOfRangeIsRefused) {
  NamedTensors t = tensors_of("llama_tiny");
  EXPECT_NE(error_of(Checkpoint("llama_tiny", t, "\"num_attention_heads\": 4", "\"num_attention_heads\": 3").path)
                .find("heads"),
            std::string::npos);
  EXPECT_NE(error_of(Checkpoint("llama_tiny", t, "\"hidden_size\": 64", "\"hidden_size\": -5").path).find("hidden"),
            std::string::npos);
  EXPECT_NE(
      error_of(Checkpoint("llama_tiny", t, "\"vocab_size\": 516", "\"vocab_size\": \"many\"").path).find("vocab_size"),
      std::string::npos);
  EXPECT_NE(
      error_of(Checkpoint("llama_tiny", t, "\"hidden_act\": \"silu\"", "\"hidden_act\": \"gelu\"").path).find("gelu"),
      std::string::npos);
}

}  // namespace
}  // namespace ingot
