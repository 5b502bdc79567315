// From a prompt to text: prefill, then one token at a time, streamed.
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "ingot/models/load.h"
#include "ingot/text/jinja_value.h"

namespace ingot {

enum class StopReason { kEndOfText, kStopString, kMaxTokens, kContextFull, kCancelled };
INGOT_API const char* name(StopReason r);

struct GenerateOptions {
  int64_t max_tokens = 512;  // -1: until the context is full
  SamplingParams sampling;
  std::vector<std::string> stop;  // strings that end the answer; not part of it
  bool ignore_eos = false;
};

struct GenerateStats {
  int64_t prompt_tokens = 0, new_tokens = 0;
  double prefill_seconds = 0, decode_seconds = 0;
};

struct Generated {
  std::string text;
  std::vector<int32_t> ids;
  StopReason reason = StopReason::kMaxTokens;
  GenerateStats stats;
};

// A conversation's tokens and caches. A prompt that begins with what is there already is not computed again.
class INGOT_API Session {
 public:
  explicit Session(const LanguageModel& model);  // the model must outlive it

  // Generates behind `prompt` (all ids from the start). on_text gets text as it becomes certain and may return false to
  // cancel; on_prefill gets (done, total) tokens. Error kArgument if the prompt is empty or longer than the context.
  Generated generate(const std::vector<int32_t>& prompt, const GenerateOptions& options,
                     const std::function<bool(std::string_view)>& on_text = {},
                     const std::function<void(int64_t, int64_t)>& on_prefill = {});
  int64_t length() const { return state_->length(); }
  void reset();

 private:
  Tensor prefill(const std::vector<int32_t>& prompt, const std::function<void(int64_t, int64_t)>& on_prefill);

  const LanguageModel& model_;
  std::unique_ptr<SequenceState> state_;
  std::vector<int32_t> ids_;  // that the state holds
};

// Token ids of a plain text (with the model's own begin token where it has one) or of a conversation through its chat
// template; text that came from messages never becomes a control token. Error if the model has no tokenizer, or no
// template.
INGOT_API std::vector<int32_t> encode_raw(const LanguageModel& model, std::string_view text);
INGOT_API std::vector<int32_t> encode_chat(const LanguageModel& model, const jinja::Value& messages,
                                           const jinja::Value& options);

}  // namespace ingot
