// Text to token ids and back, as the model's own tokenizer does it: tokenizer.json (byte-level BPE and the
// SentencePiece style with byte fallback) and the vocabularies of GGUF files ("gpt2" and "llama").
//
// A text is cut at its added tokens, normalised, split into pieces by the pre-tokenizer and the pieces are merged by
// rank (BPE) or by score (SPM). What a file asks for and this code cannot do is an Error (kUnsupported) that names it;
// nothing is skipped silently. Not looked at: truncation and padding, and clean_up_tokenization_spaces of
// tokenizer_config.json.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ingot/base/export.h"
#include "ingot/text/text_range.h"

namespace ingot {

struct EncodeOptions {
  bool added_tokens = true;         // recognise added and control tokens in the text (outside `plain`)
  bool add_special_tokens = false;  // what the post-processor adds, or the begin and end tokens that the file asks for
  // Byte ranges of the text that came from a user: no added token, special or not, may overlap them, nor swallow their
  // white space (lstrip, rstrip). The pre-tokenizer and the merges run across their borders as if nothing were there.
  // Any order, may overlap; a range outside the text is an Error.
  std::span<const TextRange> plain = {};
};

// The vocabulary of a GGUF file, as its loader found it (tokenizer.ggml.*).
struct GgufVocab {
  std::string model;  // "gpt2" (byte-level BPE) or "llama" (SPM)
  std::string pre;    // for "gpt2": the name of the pre-tokenizer; empty means "gpt-2"
  std::vector<std::string> tokens;
  std::vector<std::string> merges;  // "a b"; for "gpt2"
  std::vector<int32_t>
      token_types;  // 1 normal, 2 unknown, 3 control, 4 user-defined, 5 unused, 6 byte; empty means all normal
  std::vector<float> scores;  // one a token; for "llama"
  std::optional<int32_t> bos, eos, unk, pad;
  bool add_bos = false, add_eos = false;
  std::optional<bool> add_space_prefix;  // for "llama"; default true
};

// A handle to shared, immutable state: cheap to copy, and every member function may be called from many threads at
// once.
class INGOT_API Tokenizer {
 public:
  // The text of tokenizer.json and, where there is one, of tokenizer_config.json (bos and eos, add_bos_token,
  // added_tokens_decoder).
  static Tokenizer from_json(std::string_view tokenizer_json, std::string_view tokenizer_config_json = {});
  // A folder with tokenizer.json and perhaps tokenizer_config.json and special_tokens_map.json; or the path of a
  // tokenizer.json.
  static Tokenizer from_directory(const std::string& path);
  // "qwen2" and "qwen35" compose their text (NFC) first, as those models' tokenizer.json does.
  static Tokenizer from_gguf(GgufVocab vocab);

  // Invalid UTF-8 is read as U+FFFD, one for each maximal ill-formed subpart. Texts of 2 GiB and more are an Error.
  std::vector<int32_t> encode(std::string_view text, const EncodeOptions& options = {}) const;
  // The bytes of all tokens together, then invalid UTF-8 as U+FFFD, one for each maximal ill-formed subpart.
  // `skip_special` leaves special tokens out. An id outside [0, size()) is an Error; an id that no token has gives
  // nothing.
  std::string decode(std::span<const int32_t> ids, bool skip_special = false) const;
  // The bytes of one token, which need not be valid UTF-8; added tokens give their literal text.
  std::string token_bytes(int32_t id) const;
  // The token as the file spells it ("\u0120the", "\u2581the", "<0x0A>"); empty for an id that no token has.
  const std::string& token_text(int32_t id) const;

  int32_t size() const;  // highest id + 1
  std::optional<int32_t> bos() const;
  std::optional<int32_t> eos() const;
  std::optional<int32_t> pad() const;
  // Tokens as the file spells them.
  std::optional<int32_t> id_of(std::string_view token) const;
  bool is_special(int32_t id) const;  // false outside [0, size())
  bool is_added(int32_t id) const;    // false outside [0, size())
  // Their texts, for chat templates; empty where there is none.
  const std::string& bos_token() const;
  const std::string& eos_token() const;
  const std::string& pad_token() const;
  const std::string& unk_token() const;

  struct State;  // private to this room
  explicit Tokenizer(std::shared_ptr<const State> state) : state_(std::move(state)) {}

 private:
  friend class StreamDecoder;
  std::shared_ptr<const State> state_;
};

// Text as it becomes certain: what push() and finish() give, joined, is decode() of all ids, and no call ends inside a
// character that later tokens could complete.
class INGOT_API StreamDecoder {
 public:
  explicit StreamDecoder(const Tokenizer& tokenizer, bool skip_special = false);
  std::string push(int32_t id);  // an id outside [0, size()) is an Error and changes nothing
  std::string finish();          // what is still held back, broken characters as U+FFFD; the decoder is then as new

 private:
  void append(int32_t id);
  std::string take(bool all);

  std::shared_ptr<const Tokenizer::State> state_;
  bool skip_special_;
  bool first_ = true;    // no token has been written yet
  size_t to_strip_ = 0;  // how many leading strips are still allowed
  std::string pending_;
};

}  // namespace ingot
