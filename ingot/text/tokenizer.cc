#include "ingot/text/tokenizer.h"

#include <algorithm>
#include <utility>

#include "ingot/base/error.h"
#include "ingot/text/tokenizer_state.h"

namespace ingot {

namespace {

constexpr size_t kMaxText = size_t{1} << 31;

// The text as valid UTF-8, with the bytes of `plain` marked; copies only what it must.
class Input {
 public:
  Input(std::string_view text, std::span<const TextRange> plain) : bytes_(text) {
    for (const TextRange& range : plain) {
      if (range.begin > range.end || range.end > text.size()) {
        fail_argument("Tokenizer::encode", "plain", cat("ranges within ", text.size(), " bytes"),
                      cat("[", range.begin, ", ", range.end, ")"));
      }
      if (copy_.marks.empty()) copy_.marks.assign(text.size(), '\0');
      std::fill(copy_.marks.begin() + static_cast<ptrdiff_t>(range.begin),
                copy_.marks.begin() + static_cast<ptrdiff_t>(range.end), '\1');
    }
    size_t good = tok::valid_prefix(text);
    if (good < text.size()) repair(text, good);
  }
  std::string_view bytes() const { return bytes_; }
  std::string_view marks() const { return copy_.marks; }

 private:
  void repair(std::string_view text, size_t good) {
    std::string marks;
    copy_.bytes = text.substr(0, good);
    if (!copy_.marks.empty()) marks = copy_.marks.substr(0, good);
    for (size_t at = good; at < text.size();) {
      tok::Utf8Step step = tok::utf8_step(text.substr(at));
      std::string_view made = step.kind == tok::Utf8Kind::kCharacter ? text.substr(at, step.length) : tok::kReplacement;
      copy_.bytes += made;
      if (!copy_.marks.empty()) {
        bool marked = std::string_view(copy_.marks).substr(at, step.length).find('\1') != std::string_view::npos;
        marks.append(made.size(), marked ? '\1' : '\0');
      }
      at += step.length;
    }
    copy_.marks = std::move(marks);
    bytes_ = copy_.bytes;
  }

  std::string_view bytes_;
  tok::MarkedText copy_;
};

// One call of encode: text -> added tokens -> normalizer -> added tokens of normalised text -> pieces -> tokens.
class Encoder {
 public:
  Encoder(const Tokenizer::State& state, const EncodeOptions& options, size_t bytes)
      : state_(state),
        added_tokens_(options.added_tokens),
        cache_(bytes),
        sink_([this](tok::Piece piece) { state_.model->encode(piece.text, cache_, out_); }) {}

  std::vector<int32_t> run(std::string_view text, std::string_view marks) {
    if (!added_tokens_ || state_.raw_added.empty()) {
      segment(text, marks, true);
    } else {
      for (const tok::Segment& s : state_.raw_added.cut(text, marks)) {
        if (s.id >= 0) {
          out_.push_back(s.id);
        } else {
          segment(text.substr(s.begin, s.end - s.begin), part_of(marks, s), s.begin == 0);
        }
      }
    }
    return std::move(out_);
  }

 private:
  static std::string_view part_of(std::string_view marks, const tok::Segment& s) {
    return marks.empty() ? marks : marks.substr(s.begin, s.end - s.begin);
  }

  void segment(std::string_view text, std::string_view marks, bool at_start) {
    if (!state_.normalizer) return normalized(text, marks, at_start);
    tok::MarkedText changed{std::string(text), std::string(marks)};
    state_.normalizer(changed);
    normalized(changed.bytes, changed.marks, at_start);
  }

  void normalized(std::string_view text, std::string_view marks, bool at_start) {
    if (!added_tokens_ || state_.normalized_added.empty()) return state_.pre_tokenizer.run({text, at_start}, sink_);
    for (const tok::Segment& s : state_.normalized_added.cut(text, marks)) {
      if (s.id >= 0) {
        out_.push_back(s.id);
      } else {
        state_.pre_tokenizer.run({text.substr(s.begin, s.end - s.begin), at_start && s.begin == 0}, sink_);
      }
    }
  }

  const Tokenizer::State& state_;
  bool added_tokens_;
  tok::Cache cache_;
  tok::PreTokenizer::Sink sink_;
  std::vector<int32_t> out_;
};

const Tokenizer::State::Token& checked(const Tokenizer::State& state, int32_t id, const char* where) {
  if (id < 0 || static_cast<size_t>(id) >= state.tokens.size()) {
    throw Error(ErrorKind::kIndex, cat(where, ": id: expected a value in [0, ", state.tokens.size(), "), got ", id));
  }
  return state.tokens[static_cast<size_t>(id)];
}

}  // namespace

std::optional<int32_t> Tokenizer::State::find(std::string_view text) const {
  auto found = ids.find(text);
  return found == ids.end() ? std::nullopt : std::optional(found->second);
}

void Tokenizer::State::add_token(std::string_view text, int32_t id, std::string_view where) {
  if (id < 0 || id > kMaxId)
    fail(ErrorKind::kFormat, where, cat("token ", quoted(text), ": id ", id, " is not in [0, ", kMaxId, "]"));
  if (tokens.size() <= static_cast<size_t>(id)) tokens.resize(static_cast<size_t>(id) + 1);
  Token& token = tokens[static_cast<size_t>(id)];
  if (token.present && token.text != text) {
    fail(ErrorKind::kFormat, where, cat("id ", id, " belongs to both ", quoted(token.text), " and ", quoted(text)));
  }
  auto [place, is_new] = ids.try_emplace(std::string(text), id);
  if (!is_new && place->second != id) {
    fail(ErrorKind::kFormat, where, cat("token ", quoted(text), " has both id ", place->second, " and ", id));
  }
  token.text = text;
  token.present = true;
}

void Tokenizer::State::add_added(const tok::AddedToken& added) {
  Token& token = tokens[static_cast<size_t>(added.id)];
  token.added = true;
  token.special = added.special;
  if (!added.normalized) return raw_added.add(added, added.content);
  tok::MarkedText content{added.content, {}};
  if (normalizer) normalizer(content);
  normalized_added.add(added, content.bytes);
}

void Tokenizer::State::finish() {
  for (Token& token : tokens)
    if (token.present) token.bytes = decoder.bytes_of(token.text, token.added);
}

std::vector<int32_t> Tokenizer::encode(std::string_view text, const EncodeOptions& options) const {
  if (text.size() >= kMaxText)
    fail_argument("Tokenizer::encode", "text", "less than 2 GiB", human_bytes(static_cast<double>(text.size())));
  Input input(text, options.plain);
  std::vector<int32_t> ids = Encoder(*state_, options, input.bytes().size()).run(input.bytes(), input.marks());
  if (options.add_special_tokens) {
    ids.insert(ids.begin(), state_->before.begin(), state_->before.end());
    ids.insert(ids.end(), state_->after.begin(), state_->after.end());
  }
  return ids;
}

std::string Tokenizer::decode(std::span<const int32_t> ids, bool skip_special) const {
  StreamDecoder stream(*this, skip_special);
  std::string text;
  for (int32_t id : ids) text += stream.push(id);
  return text + stream.finish();
}

std::string Tokenizer::token_bytes(int32_t id) const { return checked(*state_, id, "Tokenizer::token_bytes").bytes; }
const std::string& Tokenizer::token_text(int32_t id) const {
  return checked(*state_, id, "Tokenizer::token_text").text;
}

int32_t Tokenizer::size() const { return static_cast<int32_t>(state_->tokens.size()); }
std::optional<int32_t> Tokenizer::bos() const { return state_->bos; }
std::optional<int32_t> Tokenizer::eos() const { return state_->eos; }
std::optional<int32_t> Tokenizer::pad() const { return state_->pad; }
std::optional<int32_t> Tokenizer::id_of(std::string_view token) const { return state_->find(token); }
const std::string& Tokenizer::bos_token() const { return state_->bos_text; }
const std::string& Tokenizer::eos_token() const { return state_->eos_text; }
const std::string& Tokenizer::pad_token() const { return state_->pad_text; }
const std::string& Tokenizer::unk_token() const { return state_->unk_text; }

bool Tokenizer::is_special(int32_t id) const {
  return id >= 0 && id < size() && state_->tokens[static_cast<size_t>(id)].special;
}
bool Tokenizer::is_added(int32_t id) const {
  return id >= 0 && id < size() && state_->tokens[static_cast<size_t>(id)].added;
}

}  // namespace ingot
