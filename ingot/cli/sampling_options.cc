#include "ingot/cli/sampling_options.h"

#include <cstdio>
#include <random>

#include "ingot/base/error.h"
#include "ingot/device/cpu/memory.h"

namespace ingot::cli {

void SamplingFlags::add(CLI::App& command) {
  std::string group = "Sampling (defaults: what the model's generation_config.json says, else greedy)";
  command.add_option("--temperature", temperature, "0: always the likeliest token")->group(group);
  command.add_option("--top-k", top_k, "keep the k likeliest; 0: off")->group(group);
  command.add_option("--top-p", top_p, "keep the likeliest that make up this probability; 1: off")->group(group);
  command.add_option("--min-p", min_p, "drop tokens below this share of the likeliest; 0: off")->group(group);
  command.add_option("--repetition-penalty", repetition_penalty, "divide the logits of tokens seen before; 1: off")
      ->group(group);
  command.add_option("--presence-penalty", presence_penalty, "subtracted from tokens of the answer so far; 0: off")
      ->group(group);
  command.add_option("--frequency-penalty", frequency_penalty, "the same for each time they occurred; 0: off")
      ->group(group);
  command.add_option("--logit-bias", logit_bias, "ID:BIAS, added to a token's logit; may be repeated")->group(group);
  command.add_option("--seed", seed, "same seed, same text; chosen at random and printed if absent")->group(group);
  command.add_option("-n,--max-tokens", max_tokens, "longest answer in tokens; -1: until the context is full")
      ->capture_default_str();
  command.add_option("--stop", stop, "end the answer before this text; may be repeated");
  command.add_flag("--ignore-eos", ignore_eos, "do not stop at the model's end-of-text tokens");
}

namespace {
std::pair<int32_t, float> parse_bias(const std::string& text) {
  size_t colon = text.find(':');
  try {
    if (colon == std::string::npos) throw std::invalid_argument("");
    size_t used_id = 0, used_bias = 0;
    int id = std::stoi(text.substr(0, colon), &used_id);
    float bias = std::stof(text.substr(colon + 1), &used_bias);
    if (used_id != colon || used_bias != text.size() - colon - 1) throw std::invalid_argument("");
    return {id, bias};
  } catch (const std::exception&) {
    fail_argument("--logit-bias", "value", "ID:BIAS, for example 42:-1.5", ingot::quoted(text));
  }
}
}  // namespace

GenerateOptions SamplingFlags::options(const LanguageModel& model) const {
  GenerateOptions o;
  o.sampling = model.sampling;
  SamplingParams& s = o.sampling;
  if (temperature) s.temperature = *temperature;
  if (top_k) s.top_k = *top_k;
  if (top_p) s.top_p = *top_p;
  if (min_p) s.min_p = *min_p;
  if (repetition_penalty) s.repetition_penalty = *repetition_penalty;
  if (presence_penalty) s.presence_penalty = *presence_penalty;
  if (frequency_penalty) s.frequency_penalty = *frequency_penalty;
  for (const std::string& text : logit_bias) s.logit_bias.push_back(parse_bias(text));
  if (seed) {
    s.seed = *seed;
  } else if (s.temperature > 0) {
    s.seed = std::random_device{}();
    fprintf(stderr, "seed %llu\n", static_cast<unsigned long long>(s.seed));
  }
  s.validate();
  o.max_tokens = max_tokens;
  if (max_tokens < -1) fail_argument("--max-tokens", "value", "at least -1", cat(max_tokens));
  o.stop = stop;
  o.ignore_eos = ignore_eos;
  return o;
}

void print_stats(const GenerateStats& s) {
  auto rate = [](int64_t n, double seconds) { return seconds > 0 ? double(n) / seconds : 0.0; };
  fprintf(stderr, "prefill %lld tokens, %.1f tok/s; decode %lld tokens, %.1f tok/s; peak memory %s\n",
          (long long)s.prompt_tokens, rate(s.prompt_tokens, s.prefill_seconds), (long long)s.new_tokens,
          rate(s.new_tokens, s.decode_seconds), human_bytes(double(process_memory().peak_resident)).c_str());
}

}  // namespace ingot::cli
