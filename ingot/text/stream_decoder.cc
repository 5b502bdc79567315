#include <string>

#include "ingot/base/error.h"
#include "ingot/text/tokenizer.h"
#include "ingot/text/tokenizer_state.h"

namespace ingot {

StreamDecoder::StreamDecoder(const Tokenizer& tokenizer, bool skip_special)
    : state_(tokenizer.state_), skip_special_(skip_special), to_strip_(state_->decoder.start_count) {}

void StreamDecoder::append(int32_t id) {
  if (id < 0 || static_cast<size_t>(id) >= state_->tokens.size()) {
    throw Error(ErrorKind::kIndex,
                cat("Tokenizer::decode: id: expected a value in [0, ", state_->tokens.size(), "), got ", id));
  }
  const Tokenizer::State::Token& token = state_->tokens[static_cast<size_t>(id)];
  if (!token.present || (skip_special_ && token.special)) return;
  const tok::Decoder& decoder = state_->decoder;
  if (first_ && !decoder.first_token_drop.empty()) {
    pending_ += decoder.bytes_of(tok::replaced(token.text, tok::Pattern(decoder.first_token_drop), ""), token.added);
  } else {
    pending_ += token.bytes;
  }
  first_ = false;
}

std::string StreamDecoder::take(bool all) {
  const std::string& strip = state_->decoder.start_text;
  while (to_strip_ > 0 && !pending_.empty()) {
    // What may still become the text to strip is held back.
    if (!all && pending_.size() < strip.size() && strip.starts_with(pending_)) return {};
    if (!pending_.starts_with(strip)) {
      to_strip_ = 0;
    } else {
      pending_.erase(0, strip.size());
      to_strip_--;
    }
  }
  std::string text;
  pending_.erase(0, tok::append_valid(text, pending_, all));
  return text;
}

std::string StreamDecoder::push(int32_t id) {
  append(id);
  return take(false);
}

std::string StreamDecoder::finish() {
  std::string text = take(true);
  first_ = true;
  to_strip_ = state_->decoder.start_count;
  return text;
}

}  // namespace ingot
