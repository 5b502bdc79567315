#include "ingot/text/tokenizer_json_steps.h"

#include <limits>
#include <string>
#include <utility>

#include "ingot/base/error.h"

namespace ingot::tok {

namespace {

constexpr int kMaxDepth = 16;  // of sequences in sequences

[[noreturn]] void refuse_type(const JsonValue& value) { value.fail_unsupported(cat("type ", quoted(value.type()))); }

// Calls on_step(member) for the members of a Sequence, which stand under `key`.
template <class OnStep>
void each_step(const JsonValue& sequence, std::string_view key, int depth, OnStep&& on_step) {
  if (depth >= kMaxDepth) sequence.fail_unsupported(cat("a Sequence more than ", kMaxDepth, " deep"));
  JsonValue list = sequence.at(key);
  size_t i = 0;
  for (simdjson::dom::element element : list.array()) on_step(JsonValue(element, cat(list.path(), "[", i++, "]")));
}

// {"Regex": "..."} or {"String": "..."}, or a plain string.
Pattern read_pattern(const JsonValue& value) {
  if (value.is_text()) return std::string(value.text());
  if (auto regex = value.find("Regex")) return Regex(regex->text());
  if (auto text = value.find("String")) return std::string(text->text());
  value.fail_unsupported("a pattern that is neither Regex nor String");
}

SplitBehavior read_behavior(const JsonValue& step, std::string_view otherwise) {
  std::string_view name = step.text_or("behavior", otherwise);
  if (name == "Removed") return SplitBehavior::kRemoved;
  if (name == "Isolated") return SplitBehavior::kIsolated;
  if (name == "MergedWithPrevious") return SplitBehavior::kMergedWithPrevious;
  if (name == "MergedWithNext") return SplitBehavior::kMergedWithNext;
  if (name == "Contiguous") return SplitBehavior::kContiguous;
  step.fail_unsupported(cat("behavior ", quoted(name)));
}

PrependScheme read_prepend_scheme(const JsonValue& step) {
  std::string_view name = step.text_or("prepend_scheme", step.flag_or("add_prefix_space", true) ? "always" : "never");
  if (name == "always") return PrependScheme::kAlways;
  if (name == "first") return PrependScheme::kFirst;
  if (name == "never") return PrependScheme::kNever;
  step.fail_unsupported(cat("prepend_scheme ", quoted(name)));
}

std::string read_character(const JsonValue& step, std::string_view key, std::string_view otherwise) {
  std::string_view text = step.text_or(key, otherwise);
  if (text.empty() || character_at(text, 0).length != text.size())
    step.fail_format(cat(key, ": expected one character, got ", quoted(text)));
  return std::string(text);
}

Normalizer read_normalizer(const JsonValue& value, int depth) {
  std::string_view type = value.type();
  if (type == "Sequence") {
    std::vector<Normalizer> steps;
    each_step(value, "normalizers", depth,
              [&](const JsonValue& step) { steps.push_back(read_normalizer(step, depth + 1)); });
    return normalize_sequence(std::move(steps));
  }
  if (type == "NFC") return normalize_unicode(UnicodeForm::kNfc);
  if (type == "NFD") return normalize_unicode(UnicodeForm::kNfd);
  if (type == "NFKC") return normalize_unicode(UnicodeForm::kNfkc);
  if (type == "NFKD") return normalize_unicode(UnicodeForm::kNfkd);
  if (type == "Lowercase") return normalize_lowercase();
  if (type == "Prepend") return normalize_prepend(std::string(value.at("prepend").text()));
  if (type == "Strip") return normalize_strip(value.flag_or("strip_left", true), value.flag_or("strip_right", true));
  if (type == "Replace") {
    Pattern pattern = read_pattern(value.at("pattern"));
    if (const auto* text = std::get_if<std::string>(&pattern); text && text->empty())
      value.fail_unsupported("an empty pattern");
    return normalize_replace(std::move(pattern), std::string(value.at("content").text()));
  }
  refuse_type(value);
}

void read_pre_tokenizer(const JsonValue& value, int depth, PreTokenizerParts& parts) {
  std::string_view type = value.type();
  if (type == "Sequence") {
    each_step(value, "pretokenizers", depth,
              [&](const JsonValue& step) { read_pre_tokenizer(step, depth + 1, parts); });
    return;
  }
  if (parts.byte_level) value.fail_unsupported(cat(quoted(type), " after ByteLevel"));
  PreTokenizer& steps = parts.steps;
  if (type == "Split") {
    steps.add_split(read_pattern(value.at("pattern")), read_behavior(value, "Removed"), value.flag_or("invert", false));
  } else if (type == "Digits") {
    steps.add_digits(value.flag_or("individual_digits", false));
  } else if (type == "ByteLevel") {
    steps.add_byte_level(value.flag_or("add_prefix_space", true), value.flag_or("use_regex", true));
    parts.byte_level = true;
  } else if (type == "Metaspace") {
    steps.add_metaspace(read_character(value, "replacement", "\xE2\x96\x81"), read_prepend_scheme(value),
                        value.flag_or("split", true));
  } else if (type == "Punctuation") {
    steps.add_split(CharacterTest(is_punctuation), read_behavior(value, "Isolated"), false);
  } else if (type == "Whitespace") {
    steps.add_split(CharacterTest(is_white_space), SplitBehavior::kRemoved, false);
    steps.add_split(CharacterTest(is_word), SplitBehavior::kContiguous, false);
  } else if (type == "WhitespaceSplit") {
    steps.add_split(CharacterTest(is_white_space), SplitBehavior::kRemoved, false);
  } else {
    refuse_type(value);
  }
}

// Which steps may still follow: those that look at the characters of one token, at its bytes, or at the whole text.
enum class DecodeStage { kCharacters, kBytes, kWhole };

void read_decoder(const JsonValue& value, int depth, Decoder& decoder, DecodeStage& stage) {
  std::string_view type = value.type();
  auto refuse_place = [&] { value.fail_unsupported(cat(quoted(type), " at this place in the decoder")); };
  if (type == "Sequence") {
    each_step(value, "decoders", depth, [&](const JsonValue& step) { read_decoder(step, depth + 1, decoder, stage); });
  } else if (type == "Fuse") {
    stage = DecodeStage::kWhole;
  } else if (type == "Strip") {
    std::string content = read_character(value, "content", " ");
    int64_t start = value.at("start").integer(), stop = value.at("stop").integer();
    if (start < 0 || stop < 0) value.fail_format("start and stop: expected values of 0 or more");
    if (stage == DecodeStage::kCharacters) {
      decoder.add_strip(content, static_cast<size_t>(start), static_cast<size_t>(stop));
    } else if (stage == DecodeStage::kWhole && stop == 0 && decoder.start_count == 0) {
      decoder.strip_at_start(content, static_cast<size_t>(start));
    } else {
      refuse_place();
    }
  } else if (stage != DecodeStage::kCharacters) {
    refuse_place();
  } else if (type == "ByteLevel") {
    decoder.add_byte_level();
    stage = DecodeStage::kBytes;
  } else if (type == "ByteFallback") {
    decoder.add_byte_fallback();
    stage = DecodeStage::kBytes;
  } else if (type == "Replace") {
    decoder.add_replace(read_pattern(value.at("pattern")), std::string(value.at("content").text()));
  } else if (type == "Metaspace") {
    std::string mark = read_character(value, "replacement", "\xE2\x96\x81");
    if (!decoder.first_token_drop.empty()) refuse_place();
    if (read_prepend_scheme(value) != PrependScheme::kNever) decoder.first_token_drop = mark;
    decoder.add_replace(Pattern(mark), " ");
  } else {
    refuse_type(value);
  }
}

int32_t read_id(const JsonValue& value) {
  int64_t id = value.integer();
  if (id < 0 || id > std::numeric_limits<int32_t>::max()) value.fail_format(cat("id out of range: ", id));
  return static_cast<int32_t>(id);
}

// A template: [{"SpecialToken": {"id": "<s>"}}, {"Sequence": {"id": "A"}}], with the ids of each special token in a
// table.
PostProcessorParts read_template(const JsonValue& value) {
  PostProcessorParts parts;
  JsonValue single = value.at("single");
  bool seen = false;
  size_t i = 0;
  for (simdjson::dom::element element : single.array()) {
    JsonValue item(element, cat(single.path(), "[", i++, "]"));
    if (auto sequence = item.find("Sequence")) {
      if (seen || sequence->at("id").text() != "A") item.fail_unsupported("a template that is not one text A");
      seen = true;
      continue;
    }
    JsonValue token = value.at("special_tokens").at(item.at("SpecialToken").at("id").text());
    JsonValue ids = token.at("ids");
    for (simdjson::dom::element id : ids.array()) {
      (seen ? parts.after : parts.before).push_back(read_id(JsonValue(id, ids.path())));
    }
  }
  if (!seen) single.fail_unsupported("a template without a text");
  return parts;
}

// ["</s>", 2]
int32_t read_pair_id(const JsonValue& value) {
  simdjson::dom::element id;
  if (value.array().at(1).get(id) != simdjson::SUCCESS) value.fail_format("expected [token, id]");
  return read_id(JsonValue(id, value.path()));
}

PostProcessorParts read_post_processor(const JsonValue& value, int depth) {
  std::string_view type = value.type();
  PostProcessorParts parts;
  if (type == "Sequence") {
    each_step(value, "processors", depth, [&](const JsonValue& step) {
      PostProcessorParts more = read_post_processor(step, depth + 1);
      parts.before.insert(parts.before.begin(), more.before.begin(), more.before.end());
      parts.after.insert(parts.after.end(), more.after.begin(), more.after.end());
    });
  } else if (type == "TemplateProcessing") {
    parts = read_template(value);
  } else if (type == "RobertaProcessing" || type == "BertProcessing") {
    parts.before.push_back(read_pair_id(value.at("cls")));
    parts.after.push_back(read_pair_id(value.at("sep")));
  } else if (type != "ByteLevel") {  // which only moves offsets
    refuse_type(value);
  }
  return parts;
}

}  // namespace

Normalizer read_normalizer(const JsonValue& value) { return read_normalizer(value, 0); }

PreTokenizerParts read_pre_tokenizer(const JsonValue& value) {
  PreTokenizerParts parts;
  read_pre_tokenizer(value, 0, parts);
  return parts;
}

Decoder read_decoder(const JsonValue& value) {
  Decoder decoder;
  DecodeStage stage = DecodeStage::kCharacters;
  read_decoder(value, 0, decoder, stage);
  return decoder;
}

PostProcessorParts read_post_processor(const JsonValue& value) { return read_post_processor(value, 0); }

}  // namespace ingot::tok
