#include "ingot/text/tokenizer_spm.h"

#include <algorithm>
#include <functional>
#include <string>
#include <unordered_map>
#include <utility>

#include "ingot/base/error.h"
#include "ingot/text/bpe.h"
#include "ingot/text/tokenizer_build.h"
#include "ingot/text/tokenizer_unicode.h"

namespace ingot::tok {

namespace {

constexpr size_t kMaxText = 1024;  // a text of n bytes is cut and looked up n times

class SpmBuilder {
 public:
  explicit SpmBuilder(const SpmVocab& vocab) : vocab_(vocab), next_(vocab.size) {}

  std::unique_ptr<Model> run(std::string_view where) {
    std::vector<float> scores;
    for (const SpmVocab::Text& t : vocab_.texts) {
      if (t.text.size() > kMaxText)
        fail(ErrorKind::kUnsupported, where, "a token of more than 1024 bytes is not supported");
      ids_.try_emplace(t.text, t.id);
      scores.push_back(t.score);
    }
    std::sort(scores.begin(), scores.end(), std::greater<>());
    scores.erase(std::unique(scores.begin(), scores.end()), scores.end());

    Bpe::Options options;
    options.byte_level = false;
    options.byte_fallback = true;
    // A character that vanishes must still keep its neighbours from merging.
    options.unk = vocab_.unk ? *vocab_.unk : stand_in({});
    auto bpe = std::make_unique<Bpe>(options);
    for (size_t b = 0; b < vocab_.bytes.size(); b++) bpe->set_fallback(static_cast<unsigned char>(b), vocab_.bytes[b]);
    for (const SpmVocab::Text& t : vocab_.texts) {
      if (ids_.at(t.text) != t.id) continue;
      auto rank = std::lower_bound(scores.begin(), scores.end(), t.score, std::greater<>()) - scores.begin();
      add_cuts(t, static_cast<uint32_t>(rank));
    }
    for (const auto& [character, id] : characters_) bpe->set_character(character, id);
    bpe->merges().reserve(merges_.size());
    for (const Merge& m : merges_) bpe->merges().insert(m.left, m.right, m.merge);
    for (size_t i = 0; i < stand_ins_.size(); i++) {
      bpe->set_stand_in(vocab_.size + static_cast<int32_t>(i), std::move(stand_ins_[i]));
    }
    bpe->set_cuts({may_cut_ ? std::string(kSpaceMark) : std::string(), may_cut_newlines_});
    return bpe;
  }

 private:
  struct Merge {
    int32_t left, right;
    MergeTable::Merge merge;
  };

  int32_t stand_in(std::vector<int32_t> tokens) {
    stand_ins_.push_back(std::move(tokens));
    return next_++;
  }

  // A character of a token need not be a token itself.
  int32_t id_of_character(std::string_view text) {
    char32_t code = character_at(text, 0).code;
    auto [place, is_new] = characters_.try_emplace(code, -1);
    if (!is_new) return place->second;
    if (auto known = ids_.find(text); known != ids_.end()) return place->second = known->second;
    std::vector<int32_t> bytes;
    for (char c : text) bytes.push_back(vocab_.bytes[static_cast<unsigned char>(c)]);
    if (std::find(bytes.begin(), bytes.end(), -1) != bytes.end()) bytes.clear();
    if (bytes.empty() && vocab_.unk) bytes.push_back(*vocab_.unk);
    return place->second = stand_in(std::move(bytes));
  }
  std::optional<int32_t> id_of_part(std::string_view text) {
    if (character_at(text, 0).length == text.size()) return id_of_character(text);
    auto known = ids_.find(text);
    return known == ids_.end() ? std::nullopt : std::optional(known->second);
  }

  void add_cuts(const SpmVocab::Text& t, uint32_t rank) {
    size_t first = character_at(t.text, 0).length;
    if (first == t.text.size()) {
      id_of_character(t.text);
      return;
    }
    if (t.text.find('\n') != std::string_view::npos) may_cut_newlines_ = false;
    for (size_t at = first; at < t.text.size(); at += character_at(t.text, at).length) {
      std::string_view left = t.text.substr(0, at), right = t.text.substr(at);
      may_cut_ = may_cut_ && !(right.starts_with(kSpaceMark) && !left.ends_with(kSpaceMark));
      // Both are looked up, so that every character gets its id.
      std::optional<int32_t> l = id_of_part(left), r = id_of_part(right);
      if (l && r) merges_.push_back({*l, *r, {rank, t.id}});
    }
  }

  const SpmVocab& vocab_;
  int32_t next_;
  bool may_cut_ = true, may_cut_newlines_ = true;
  std::unordered_map<std::string_view, int32_t> ids_;
  std::unordered_map<char32_t, int32_t> characters_;
  std::vector<std::vector<int32_t>> stand_ins_;
  std::vector<Merge> merges_;
};

}  // namespace

std::unique_ptr<Model> build_spm(const SpmVocab& vocab, std::string_view where) { return SpmBuilder(vocab).run(where); }

}  // namespace ingot::tok
