// The sampling flags that generate and chat share.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "ingot/cli/command.h"
#include "ingot/generate/generate.h"

namespace ingot::cli {

struct SamplingFlags {
  std::optional<float> temperature, top_p, min_p, repetition_penalty, presence_penalty, frequency_penalty;
  std::optional<int> top_k;
  std::optional<uint64_t> seed;
  std::vector<std::string> logit_bias;  // ID:BIAS
  std::vector<std::string> stop;
  int64_t max_tokens = 512;
  bool ignore_eos = false;

  void add(CLI::App& command);
  // The model's own settings, changed by the flags that were given.
  GenerateOptions options(const LanguageModel& model) const;
};

// "prefill 12 tokens, 240 tok/s; decode 40 tokens, 88.1 tok/s; peak memory 180 MiB" on standard error.
void print_stats(const GenerateStats& stats);

}  // namespace ingot::cli
