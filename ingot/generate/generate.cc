#include "ingot/generate/generate.h"

#include <algorithm>
#include <chrono>

#include "ingot/base/error.h"
#include "ingot/tensor/autograd.h"
#include "ingot/text/stop_matcher.h"

namespace ingot {

namespace {
double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

std::span<const float> row_of(const Tensor& logits) {
  int64_t v = logits.size(1);
  return {logits.data<float>() + (logits.size(0) - 1) * v, size_t(v)};
}
}  // namespace

const char* name(StopReason r) {
  switch (r) {
    case StopReason::kEndOfText:
      return "end of text";
    case StopReason::kStopString:
      return "stop string";
    case StopReason::kMaxTokens:
      return "token limit";
    case StopReason::kContextFull:
      return "context full";
    default:
      return "cancelled";
  }
}

Session::Session(const LanguageModel& model) : model_(model), state_(model.decoder.new_state()) {}

void Session::reset() {
  state_ = model_.decoder.new_state();
  ids_.clear();
}

Tensor Session::prefill(const std::vector<int32_t>& prompt, const std::function<void(int64_t, int64_t)>& on_prefill) {
  // Keep the common beginning, but compute at least the last token again: its logits are what comes next.
  size_t common = 0;
  while (common < ids_.size() && common + 1 < prompt.size() && ids_[common] == prompt[common]) common++;
  if (common < ids_.size()) {
    bool can_cut = std::none_of(model_.decoder.layers.begin(), model_.decoder.layers.end(),
                                [](const DecoderLayer& l) { return l.conv.has_value(); });
    if (!can_cut) common = 0;
    state_->truncate(int64_t(common));
    ids_.resize(common);
  }
  Tensor logits;
  int64_t total = int64_t(prompt.size());
  for (int64_t at = int64_t(common); at < total;) {
    int64_t count = std::min(Decoder::kChunk, total - at);
    logits = model_.decoder.forward({prompt.data() + at, size_t(count)}, *state_).cpu();
    at += count;
    if (on_prefill) on_prefill(at, total);
  }
  ids_ = prompt;
  return logits;
}

Generated Session::generate(const std::vector<int32_t>& prompt, const GenerateOptions& options,
                            const std::function<bool(std::string_view)>& on_text,
                            const std::function<void(int64_t, int64_t)>& on_prefill) {
  int64_t context = model_.decoder.shape.max_position, length = int64_t(prompt.size());
  if (prompt.empty()) fail_argument("generate", "prompt", "at least one token", "none");
  if (length >= context)
    fail(ErrorKind::kArgument, "generate",
         cat("the prompt has ", length, " tokens, and the model's context holds ", context, ": shorten it"));
  NoGrad no_grad;
  Generated out;
  Sampler sampler(options.sampling);
  sampler.add_prompt(prompt);
  double t0 = now();
  Tensor logits = prefill(prompt, on_prefill);
  double t1 = now();
  out.stats.prompt_tokens = length;
  out.stats.prefill_seconds = t1 - t0;

  std::optional<StreamDecoder> decoder;
  if (model_.tokenizer) decoder.emplace(*model_.tokenizer, /*skip_special=*/true);
  StopMatcher stops(options.stop);
  auto emit = [&](const std::string& text) {
    out.text += text;
    return text.empty() || !on_text || on_text(text);
  };
  bool cancelled = false, stopped = false;
  int64_t limit = options.max_tokens < 0 ? context : options.max_tokens;
  while (true) {
    if (out.stats.new_tokens >= limit) {
      out.reason = StopReason::kMaxTokens;
      break;
    }
    if (state_->length() >= context) {
      out.reason = StopReason::kContextFull;
      break;
    }
    int32_t id = sampler.sample(row_of(logits));
    bool end =
        !options.ignore_eos && std::find(model_.stop_ids.begin(), model_.stop_ids.end(), id) != model_.stop_ids.end();
    if (end) {
      out.reason = StopReason::kEndOfText;
      break;
    }
    out.ids.push_back(id);
    out.stats.new_tokens++;
    if (decoder) {
      StopMatcher::Emit e = stops.push(decoder->push(id));
      cancelled = !emit(e.text);
      stopped = e.stopped;
    } else {
      cancelled = on_text && !on_text("");
    }
    if (cancelled || stopped) {
      out.reason = cancelled ? StopReason::kCancelled : StopReason::kStopString;
      break;
    }
    if (out.stats.new_tokens < limit) {
      logits = model_.decoder.forward({&id, 1}, *state_).cpu();
      ids_.push_back(id);
    }
  }
  if (decoder && !cancelled && !stopped) {
    StopMatcher::Emit e = stops.push(decoder->finish());
    emit(e.text);
    if (e.stopped) {
      out.reason = StopReason::kStopString;
    } else {
      emit(stops.finish());
    }
  }
  out.stats.decode_seconds = now() - t1;
  return out;
}

std::vector<int32_t> encode_raw(const LanguageModel& model, std::string_view text) {
  if (!model.tokenizer) fail(ErrorKind::kState, model.path, "this model has no tokenizer");
  EncodeOptions options;
  options.add_special_tokens = true;
  return model.tokenizer->encode(text, options);
}

std::vector<int32_t> encode_chat(const LanguageModel& model, const jinja::Value& messages,
                                 const jinja::Value& options) {
  if (!model.tokenizer) fail(ErrorKind::kState, model.path, "this model has no tokenizer");
  if (!model.chat_template)
    fail(ErrorKind::kState, model.path, "this model has no chat template: use --raw to continue plain text");
  ChatTemplate chat(*model.chat_template, model.tokenizer->bos_token(), model.tokenizer->eos_token());
  RenderedChat rendered = chat.render(messages, options);
  EncodeOptions encode;
  encode.plain = rendered.plain;
  return model.tokenizer->encode(rendered.text, encode);
}

}  // namespace ingot
