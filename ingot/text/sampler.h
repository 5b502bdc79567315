// Choosing the next token from a row of logits, in the order of Hugging Face's generate, on the host:
//   1. logit_bias is added. 2. Repetition penalty p over every distinct id of prompt and output: l < 0 ? l * p : l / p.
//   3. Presence and frequency penalties over the output: l -= presence * [count > 0] + frequency * count.
//   4. Masked to -inf: what would repeat an n-gram, eos before min_new_tokens, `suppress`, ids from vocab_limit on.
//   5. Temperature 0: the largest logit, the lowest id among equals. Otherwise l /= temperature.
//   6. top_k: what is smaller than the k-th largest goes (ties stay). 7. top_p: in falling order, tokens go once those
//   before them sum to
//      top_p. 8. min_p: what has less than min_p times the largest probability goes. The top token passes every filter.
//   9. One draw from the softmax of what is left.
// The same parameters, history and logits give the same token in every run: the random numbers are splitmix64's, and
// nothing depends on a standard library's distributions. (Between C libraries exp() may differ in its last bit, and
// logits may differ between devices or batch sizes: that is the business of the model.)
#pragma once
#include <cstdint>
#include <span>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "ingot/base/export.h"

namespace ingot {

struct INGOT_API SamplingParams {
  float temperature = 0;  // 0: greedy
  int top_k = 0;          // 0: off
  float top_p = 1;
  float min_p = 0;
  float repetition_penalty = 1;
  float presence_penalty = 0;
  float frequency_penalty = 0;
  std::vector<std::pair<int32_t, float>> logit_bias;  // finite; to forbid a token name it in `suppress`
  std::vector<int32_t> suppress;                      // ids beyond the vocabulary are ignored
  int no_repeat_ngram = 0;                            // 0: off
  int min_new_tokens = 0;
  std::vector<int32_t> eos;
  uint64_t seed = 0;
  int32_t vocab_limit = 0;  // ids >= this are never sampled (padded rows of the vocabulary); 0: no limit

  // Error (kArgument) naming the field: NaN, infinities, out of range, negative ids.
  void validate() const;
};

// The sampling part of a checkpoint's generation_config.json: do_sample, temperature, top_k, top_p, min_p,
// repetition_penalty, eos_token_id (a number or a list), no_repeat_ngram_size, min_new_tokens, suppress_tokens. Missing
// or null: do_sample false (temperature 0), else temperature 1, top_k 50, top_p 1, min_p 0, repetition_penalty 1. Other
// keys are not read. Error (kFormat) naming a key of the wrong type or range, (kUnsupported) for sampling with
// typical_p below 1.
INGOT_API SamplingParams sampling_from_generation_config(std::string_view json);

// Not thread-safe; one per sequence.
class INGOT_API Sampler {
 public:
  explicit Sampler(SamplingParams params);  // validates

  // Tokens that the penalties and n-grams see. Call before the first sample, in as many parts as wanted. Error on
  // negative ids.
  void add_prompt(std::span<const int32_t> tokens);

  // `logits`: one per id, as the model gives them. Records the choice as output.
  // Error: kArgument when a logit is NaN (names the id), when there are none, or when logit_bias names an id beyond
  // them; kState when every token is masked. After an Error nothing is recorded.
  int32_t sample(std::span<const float> logits);

  // As freshly made: no prompt, no output, the random numbers from their start.
  void reset();
  // Takes a token as output that something else chose.
  void record(int32_t token);

  const SamplingParams& params() const { return params_; }

 private:
  struct Candidate {
    float logit;
    int32_t id;
    double weight;  // exp(logit): 1 for the top token
  };
  void apply_penalties(std::span<const float> logits);
  void apply_masks();
  void keep_top_k();
  void keep_top_p();
  void keep_min_p();
  int32_t draw();

  SamplingParams params_;
  uint64_t random_state_ = 0;
  std::vector<int32_t> history_;  // prompt, then output
  size_t output_begin_ = 0;
  std::unordered_set<int32_t> seen_;
  std::unordered_map<int32_t, int> output_counts_;
  std::vector<float> work_;            // the logits as changed
  std::vector<float> selection_;       // for top_k
  std::vector<Candidate> candidates_;  // in the order of ids
};

}  // namespace ingot
