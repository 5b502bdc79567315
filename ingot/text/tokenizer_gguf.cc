#include <cmath>
#include <string>
#include <utility>

#include "ingot/base/error.h"
#include "ingot/text/tokenizer_build.h"
#include "ingot/text/tokenizer_spm.h"
#include "ingot/text/tokenizer_state.h"

namespace ingot {

namespace {

constexpr const char* kWhere = "GGUF tokenizer";
enum TokenType : int32_t { kNormal = 1, kUnknown = 2, kControl = 3, kUserDefined = 4, kUnused = 5, kByte = 6 };

void check(const GgufVocab& vocab) {
  auto refuse = [](const std::string& message) { fail(ErrorKind::kFormat, kWhere, message); };
  size_t n = vocab.tokens.size();
  if (n == 0) refuse("no tokens");
  if (n > static_cast<size_t>(Tokenizer::State::kMaxId)) refuse(cat("too many tokens: ", n));
  if (!vocab.token_types.empty() && vocab.token_types.size() != n) {
    refuse(cat("token_type: expected ", n, " values, got ", vocab.token_types.size()));
  }
  for (size_t i = 0; i < n; i++) {
    if (tok::valid_prefix(vocab.tokens[i]) != vocab.tokens[i].size()) {
      refuse(cat("token ", i, " is not valid UTF-8: ", quoted(vocab.tokens[i])));
    }
  }
  auto check_id = [&](const char* name, std::optional<int32_t> id) {
    if (id && (*id < 0 || static_cast<size_t>(*id) >= n))
      refuse(cat(name, "_token_id: expected a value in [0, ", n, "), got ", *id));
  };
  check_id("bos", vocab.bos);
  check_id("eos", vocab.eos);
  check_id("unknown", vocab.unk);
  check_id("padding", vocab.pad);
  if (vocab.add_bos && !vocab.bos) refuse("add_bos_token without bos_token_id");
  if (vocab.add_eos && !vocab.eos) refuse("add_eos_token without eos_token_id");
}

int32_t type_of(const GgufVocab& vocab, size_t id) {
  auto is = [&](std::optional<int32_t> other) { return other && static_cast<size_t>(*other) == id; };
  int32_t type = vocab.token_types.empty() ? int32_t{kNormal} : vocab.token_types[id];
  // Some files call these normal; a turn's end that text can spell is not wanted.
  if (type != kUserDefined && (is(vocab.bos) || is(vocab.eos))) return kControl;
  if (vocab.token_types.empty() && is(vocab.unk)) return kUnknown;
  if (vocab.token_types.empty() && vocab.model == "llama" && tok::byte_token_value(vocab.tokens[id]) >= 0) return kByte;
  return type;
}

void build_gpt2(Tokenizer::State& state, const GgufVocab& vocab) {
  tok::GgufPreTokenizer pre = tok::gguf_pre_tokenizer(vocab.pre);
  state.pre_tokenizer = std::move(pre.steps);
  if (pre.compose) state.normalizer = tok::normalize_unicode(tok::UnicodeForm::kNfc);
  state.decoder.add_byte_level();
  tok::MergeTexts merges;
  merges.reserve(vocab.merges.size());
  for (const std::string& merge : vocab.merges) merges.push_back(tok::split_merge(merge, kWhere));
  tok::Bpe::Options options;
  options.unk = vocab.unk;
  state.model = tok::build_bpe(state, options, pre.ignore_merges, merges, kWhere);
}

void build_llama(Tokenizer::State& state, const GgufVocab& vocab) {
  if (vocab.scores.size() != vocab.tokens.size()) {
    fail(ErrorKind::kFormat, kWhere,
         cat("scores: expected ", vocab.tokens.size(), " values, got ", vocab.scores.size()));
  }
  bool prefix = vocab.add_space_prefix.value_or(true);
  std::string mark(tok::kSpaceMark);
  std::vector<tok::Normalizer> steps;
  if (prefix) steps.push_back(tok::normalize_prepend(mark));
  steps.push_back(tok::normalize_replace(tok::Pattern(std::string(" ")), mark));
  state.normalizer = tok::normalize_sequence(std::move(steps));
  state.decoder.add_replace(tok::Pattern(mark), " ");
  state.decoder.add_byte_fallback();
  if (prefix) state.decoder.strip_at_start(" ", 1);

  tok::SpmVocab spm;
  spm.unk = vocab.unk;
  spm.size = static_cast<int32_t>(vocab.tokens.size());
  for (size_t i = 0; i < vocab.tokens.size(); i++) {
    const std::string& text = vocab.tokens[i];
    int32_t type = type_of(vocab, i);
    auto id = static_cast<int32_t>(i);
    if (std::isnan(vocab.scores[i])) fail(ErrorKind::kFormat, kWhere, cat("scores: value ", i, " is not a number"));
    if (type == kByte) {
      int value = tok::byte_token_value(text);
      if (value < 0)
        fail(ErrorKind::kFormat, kWhere, cat("token ", i, " is of type byte but not <0x00> to <0xFF>: ", quoted(text)));
      spm.bytes[static_cast<size_t>(value)] = id;
    } else if (type != kControl && type != kUnknown && !text.empty()) {
      spm.texts.push_back({text, id, vocab.scores[i]});
    }
  }
  state.model = tok::build_spm(spm, kWhere);
}

}  // namespace

Tokenizer Tokenizer::from_gguf(GgufVocab vocab) {
  check(vocab);
  auto state = std::make_shared<State>();
  state->tokens.resize(vocab.tokens.size());
  for (size_t i = 0; i < vocab.tokens.size(); i++) {
    State::Token& token = state->tokens[i];
    token.text = vocab.tokens[i];
    token.present = true;
    int32_t type = type_of(vocab, i);
    token.special = type == kControl || type == kUnknown;
    token.added = token.special || type == kUserDefined;
    // Files repeat the texts of tokens that are not used; the first one counts.
    if (!token.text.empty()) state->ids.try_emplace(token.text, static_cast<int32_t>(i));
  }
  if (vocab.model == "gpt2") {
    build_gpt2(*state, vocab);
  } else if (vocab.model == "llama") {
    build_llama(*state, vocab);
  } else {
    fail(ErrorKind::kUnsupported, kWhere, cat("model ", quoted(vocab.model), " is not supported (known: gpt2, llama)"));
  }
  for (size_t i = 0; i < vocab.tokens.size(); i++) {
    const State::Token& token = state->tokens[i];
    if (token.added) state->add_added({static_cast<int32_t>(i), token.text, false, false, false, false, token.special});
  }
  auto text_of = [&](std::optional<int32_t> id) { return id ? vocab.tokens[static_cast<size_t>(*id)] : std::string(); };
  state->bos = vocab.bos, state->bos_text = text_of(vocab.bos);
  state->eos = vocab.eos, state->eos_text = text_of(vocab.eos);
  state->pad = vocab.pad, state->pad_text = text_of(vocab.pad);
  state->unk_text = text_of(vocab.unk);
  if (vocab.add_bos) state->before.push_back(*vocab.bos);
  if (vocab.add_eos) state->after.push_back(*vocab.eos);
  state->finish();
  return Tokenizer(std::move(state));
}

}  // namespace ingot
