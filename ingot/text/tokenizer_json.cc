#include <filesystem>
#include <fstream>
#include <string>
#include <utility>

#include "ingot/base/error.h"
#include "ingot/text/tokenizer_build.h"
#include "ingot/text/tokenizer_json_steps.h"
#include "ingot/text/tokenizer_json_value.h"
#include "ingot/text/tokenizer_state.h"

namespace ingot {

namespace {

constexpr uintmax_t kMaxFile = uintmax_t{1} << 30;
constexpr size_t kMaxAddedToken = 4096;  // bytes; matching looks this far ahead at each place

int32_t id_at(const tok::JsonValue& value) {
  int64_t id = value.integer();
  if (id < 0 || id > Tokenizer::State::kMaxId) {
    value.fail_format(cat("id ", id, " is not in [0, ", int32_t{Tokenizer::State::kMaxId}, "]"));
  }
  return static_cast<int32_t>(id);
}

tok::AddedToken read_added(const tok::JsonValue& value, int32_t id) {
  tok::AddedToken token;
  token.id = id;
  token.content = value.at("content").text();
  token.single_word = value.flag_or("single_word", false);
  token.lstrip = value.flag_or("lstrip", false);
  token.rstrip = value.flag_or("rstrip", false);
  token.special = value.flag_or("special", false);
  token.normalized = value.flag_or("normalized", !token.special);
  if (token.content.size() > kMaxAddedToken) value.fail_unsupported("an added token of more than 4096 bytes");
  return token;
}

// A token in tokenizer_config.json or special_tokens_map.json: its text, or an object with the text as "content".
std::string token_text(const std::optional<tok::JsonValue>& value) {
  if (!value) return {};
  return std::string(value->is_object() ? value->at("content").text() : value->text());
}

class Reader {
 public:
  // `config` and `map` may be empty.
  Reader(std::string_view json, std::string_view config, std::string_view map)
      : root_(tok::parse_json(parser_, json, "tokenizer.json")) {
    if (!config.empty()) config_ = tok::parse_json(config_parser_, config, "tokenizer_config.json");
    if (!map.empty()) map_ = tok::parse_json(map_parser_, map, "special_tokens_map.json");
  }

  std::shared_ptr<const Tokenizer::State> run() {
    tok::JsonValue model = root_.at("model");
    check_model(model);
    read_vocabulary(model.at("vocab"));
    read_added_tokens();
    if (auto value = root_.find("normalizer")) state_->normalizer = tok::read_normalizer(*value);
    if (auto value = root_.find("pre_tokenizer")) {
      tok::PreTokenizerParts parts = tok::read_pre_tokenizer(*value);
      state_->pre_tokenizer = std::move(parts.steps);
      byte_level_ = parts.byte_level;
    }
    for (const tok::AddedToken& token : added_) state_->add_added(token);
    if (auto value = root_.find("decoder")) {
      state_->decoder = tok::read_decoder(*value);
    } else if (byte_level_) {
      state_->decoder.add_byte_level();
    }
    read_model(model);
    read_special();
    state_->finish();
    return state_;
  }

 private:
  static void check_model(const tok::JsonValue& model) {
    std::string_view type = model.text_or("type", model.find("merges") ? "BPE" : "");
    if (type != "BPE") model.fail_unsupported(cat("type ", quoted(type)));
    for (std::string_view key : {"continuing_subword_prefix", "end_of_word_suffix"}) {
      std::string_view text = model.text_or(key, "");
      if (!text.empty()) model.fail_unsupported(cat(key, " ", quoted(text)));
    }
    if (auto dropout = model.find("dropout")) {
      // An integer 0 and 0.0 are both written for none.
      if (!dropout->is_zero()) model.fail_unsupported("dropout");
    }
  }

  void read_vocabulary(const tok::JsonValue& vocab) {
    for (auto [text, id] : vocab.object())
      state_->add_token(text, id_at({id, cat(vocab.path(), "[", quoted(text), "]")}), vocab.path());
  }

  void read_added_tokens() {
    if (auto list = root_.find("added_tokens")) {
      size_t i = 0;
      for (simdjson::dom::element element : list->array()) {
        tok::JsonValue value(element, cat(list->path(), "[", i++, "]"));
        add(read_added(value, id_at(value.at("id"))), value);
      }
    }
    auto more = config_ ? config_->find("added_tokens_decoder") : std::nullopt;
    if (!more) return;
    for (auto [key, element] : more->object()) {
      tok::JsonValue value(element, cat(more->path(), ".", key));
      int64_t id = 0;
      for (char c : key) {
        if (c < '0' || c > '9' || id > Tokenizer::State::kMaxId) value.fail_format("the key is not an id");
        id = id * 10 + (c - '0');
      }
      if (id > Tokenizer::State::kMaxId) value.fail_format("id out of range");
      tok::AddedToken token = read_added(value, static_cast<int32_t>(id));
      // tokenizer.json has the last word; what it lacks is added.
      auto place = static_cast<size_t>(id);
      bool taken =
          place < state_->tokens.size() && state_->tokens[place].present && state_->tokens[place].text != token.content;
      auto known = state_->find(token.content);
      bool already = known && state_->tokens[static_cast<size_t>(*known)].added;
      if (!taken && !already && (!known || *known == token.id)) add(std::move(token), value);
    }
  }

  void add(tok::AddedToken token, const tok::JsonValue& value) {
    if (token.content.empty()) return;
    // A text that the vocabulary has keeps its id there.
    if (auto known = state_->find(token.content)) token.id = *known;
    state_->add_token(token.content, token.id, value.path());
    Tokenizer::State::Token& entry = state_->tokens[static_cast<size_t>(token.id)];
    entry.added = true;
    entry.special = entry.special || token.special;
    added_.push_back(std::move(token));
  }

  void read_model(const tok::JsonValue& model) {
    tok::Bpe::Options options;
    options.byte_level = byte_level_;
    options.byte_fallback = model.flag_or("byte_fallback", false);
    options.fuse_unk = model.flag_or("fuse_unk", false);
    if (auto unk = model.find("unk_token")) {
      state_->unk_text = unk->text();
      options.unk = state_->find(state_->unk_text);
      if (!options.unk) unk->fail_format(cat(ingot::quoted(state_->unk_text), " is not in the vocabulary"));
    }
    tok::MergeTexts merges;
    tok::JsonValue list = model.at("merges");
    merges.reserve(list.array().size());
    for (simdjson::dom::element element : list.array()) {
      std::string_view text, right;
      simdjson::dom::array pair;
      if (element.get(text) == simdjson::SUCCESS) {
        merges.push_back(tok::split_merge(text, list.path()));
      } else if (element.get(pair) == simdjson::SUCCESS && pair.size() == 2 &&
                 pair.at(0).get(text) == simdjson::SUCCESS && pair.at(1).get(right) == simdjson::SUCCESS) {
        merges.emplace_back(text, right);
      } else {
        list.fail_format(cat("merge ", merges.size(), ": expected \"a b\" or [\"a\", \"b\"]"));
      }
    }
    state_->model = tok::build_bpe(*state_, options, model.flag_or("ignore_merges", false), merges, model.path());
  }

  std::string special_text(std::string_view key) const {
    std::string text = config_ ? token_text(config_->find(key)) : std::string();
    return text.empty() && map_ ? token_text(map_->find(key)) : text;
  }

  void read_special() {
    auto set = [&](std::string_view key, std::string& text, std::optional<int32_t>& id) {
      text = special_text(key);
      if (!text.empty()) id = state_->find(text);
    };
    set("bos_token", state_->bos_text, state_->bos);
    set("eos_token", state_->eos_text, state_->eos);
    set("pad_token", state_->pad_text, state_->pad);
    if (std::string text = special_text("unk_token"); !text.empty()) state_->unk_text = text;

    if (auto value = root_.find("post_processor")) {
      tok::PostProcessorParts parts = tok::read_post_processor(*value);
      state_->before = std::move(parts.before);
      state_->after = std::move(parts.after);
      for (const auto* ids : {&state_->before, &state_->after})
        for (int32_t id : *ids)
          if (static_cast<size_t>(id) >= state_->tokens.size() || !state_->tokens[static_cast<size_t>(id)].present) {
            value->fail_format(cat("id ", id, " is not in the vocabulary"));
          }
    }
    // A post-processor that adds tokens decides; without one the configuration does.
    if (!config_ || !state_->before.empty() || !state_->after.empty()) return;
    if (config_->flag_or("add_bos_token", false) && state_->bos) state_->before.push_back(*state_->bos);
    if (config_->flag_or("add_eos_token", false) && state_->eos) state_->after.push_back(*state_->eos);
  }

  simdjson::dom::parser parser_, config_parser_, map_parser_;
  tok::JsonValue root_;
  std::optional<tok::JsonValue> config_, map_;
  std::shared_ptr<Tokenizer::State> state_ = std::make_shared<Tokenizer::State>();
  std::vector<tok::AddedToken> added_;
  bool byte_level_ = false;
};

std::string read_file(const std::filesystem::path& path) {
  std::error_code error;
  uintmax_t size = std::filesystem::file_size(path, error);
  std::ifstream file(path, std::ios::binary);
  if (error || !file) fail(ErrorKind::kIo, path.string(), "cannot be read");
  if (size > kMaxFile) fail(ErrorKind::kFormat, path.string(), "larger than 1 GiB");
  std::string text(static_cast<size_t>(size), '\0');
  file.read(text.data(), static_cast<std::streamsize>(size));
  if (file.gcount() != static_cast<std::streamsize>(size))
    fail(ErrorKind::kIo, path.string(), "cannot be read to its end");
  return text;
}

}  // namespace

Tokenizer Tokenizer::from_json(std::string_view tokenizer_json, std::string_view tokenizer_config_json) {
  return Tokenizer(Reader(tokenizer_json, tokenizer_config_json, {}).run());
}

Tokenizer Tokenizer::from_directory(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code error;
  fs::path file = fs::is_directory(path, error) ? fs::path(path) / "tokenizer.json" : fs::path(path);
  if (!fs::is_regular_file(file, error)) fail(ErrorKind::kIo, path, "no tokenizer.json here");
  std::string config, map;
  if (file.filename() == "tokenizer.json") {
    fs::path folder = file.parent_path();
    if (fs::exists(folder / "tokenizer_config.json", error)) config = read_file(folder / "tokenizer_config.json");
    if (fs::exists(folder / "special_tokens_map.json", error)) map = read_file(folder / "special_tokens_map.json");
  }
  try {
    return Tokenizer(Reader(read_file(file), config, map).run());
  } catch (const Error& e) {
    throw Error(e.kind(), cat(file.parent_path().string(), file.has_parent_path() ? "/" : "", e.what()));
  }
}

}  // namespace ingot
