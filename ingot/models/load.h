// Opening a model: a folder in Hugging Face layout (config.json, safetensors, tokenizer.json) or a GGUF file.
#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ingot/models/config.h"
#include "ingot/nn/decoder.h"
#include "ingot/text/chat_template.h"
#include "ingot/text/sampler.h"
#include "ingot/text/tokenizer.h"

namespace ingot {

struct LanguageModel {
  std::string path, name;
  DecoderConfig config;
  Decoder decoder;
  std::optional<Tokenizer> tokenizer;        // absent if the folder has none
  std::optional<std::string> chat_template;  // its source
  SamplingParams sampling;                   // of generation_config.json; greedy without one
  std::vector<int32_t> stop_ids;             // any of them ends an answer
};

// Maps the weights and builds the model; nothing is expanded or repacked. On another device than the CPU the weights
// are copied there as they lie. Errors name the path and what is wrong: no such file, a shard missing, an unknown
// architecture, a tensor missing or of the wrong shape.
INGOT_API LanguageModel load_model(const std::string& path, Device device = kCpu);

// A model of random weights from a config.json-like file, for speed tests. No tokenizer.
INGOT_API LanguageModel random_model(const std::string& config_path, WeightFormat format, uint64_t seed,
                                     Device device = kCpu);

// The vocabulary of a GGUF file for Tokenizer::from_gguf. Error if it has none.
INGOT_API GgufVocab gguf_vocab(const GgufFile& file);

// Whole file as text; Error kIo naming it.
INGOT_API std::string read_text_file(const std::string& path);

}  // namespace ingot
