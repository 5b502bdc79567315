#include "ingot/text/pretokenize.h"

#include <utility>

namespace ingot::tok {

namespace {

// Joins the cuts of a text into pieces as a behaviour asks; holds one cut back where the next one decides.
class Splitter {
 public:
  Splitter(Piece whole, SplitBehavior behavior, const PreTokenizer::Sink& sink)
      : whole_(whole), behavior_(behavior), sink_(sink) {}

  void add(size_t begin, size_t end, bool is_match) {
    switch (behavior_) {
      case SplitBehavior::kIsolated:
        emit(begin, end);
        return;
      case SplitBehavior::kRemoved:
        if (!is_match) emit(begin, end);
        return;
      case SplitBehavior::kContiguous:
        hold(begin, end, is_match, is_match == held_match_);
        return;
      case SplitBehavior::kMergedWithPrevious:
        hold(begin, end, is_match, is_match && !held_match_);
        return;
      case SplitBehavior::kMergedWithNext:
        hold(begin, end, is_match, !is_match && held_match_);
        return;
    }
  }
  void finish() {
    if (held_) emit(begin_, end_);
  }

 private:
  void hold(size_t begin, size_t end, bool is_match, bool join) {
    if (held_ && join) {
      end_ = end;
    } else {
      finish();
      begin_ = begin, end_ = end;
    }
    held_ = true;
    held_match_ = is_match;
  }
  void emit(size_t begin, size_t end) {
    if (begin < end) sink_({whole_.text.substr(begin, end - begin), whole_.at_start && begin == 0});
  }

  Piece whole_;
  SplitBehavior behavior_;
  const PreTokenizer::Sink& sink_;
  bool held_ = false, held_match_ = false;
  size_t begin_ = 0, end_ = 0;
};

void split(const Pattern& pattern, SplitBehavior behavior, bool invert, Piece piece, const PreTokenizer::Sink& sink) {
  Splitter splitter(piece, behavior, sink);
  size_t last = 0;
  each_match(pattern, piece.text, [&](size_t begin, size_t end) {
    if (last < begin) splitter.add(last, begin, invert);
    splitter.add(begin, end, !invert);
    last = end;
  });
  if (last < piece.text.size()) splitter.add(last, piece.text.size(), invert);
  splitter.finish();
}

}  // namespace

void PreTokenizer::add_split(Pattern pattern, SplitBehavior behavior, bool invert) {
  steps_.push_back([pattern = std::move(pattern), behavior, invert](Piece piece, const Sink& sink) {
    split(pattern, behavior, invert, piece, sink);
  });
}

void PreTokenizer::add_digits(bool individual) {
  add_split(Pattern(CharacterTest(is_number)), individual ? SplitBehavior::kIsolated : SplitBehavior::kContiguous,
            false);
}

void PreTokenizer::add_byte_level(bool add_prefix_space, bool use_regex) {
  if (add_prefix_space) {
    steps_.push_back([](Piece piece, const Sink& sink) {
      if (piece.text.starts_with(' ')) return sink(piece);
      std::string text(1, ' ');
      text.append(piece.text);
      sink({text, piece.at_start});
    });
  }
  if (use_regex) add_split(Regex(kGpt2Pattern), SplitBehavior::kIsolated, false);
}

void PreTokenizer::add_metaspace(std::string replacement, PrependScheme scheme, bool split_words) {
  steps_.push_back([replacement = std::move(replacement), scheme, split_words](Piece piece, const Sink& sink) {
    std::string text;
    for (char c : piece.text) c == ' ' ? text += replacement : text += c;
    bool prepend = scheme == PrependScheme::kAlways || (scheme == PrependScheme::kFirst && piece.at_start);
    if (prepend && !text.starts_with(replacement)) text.insert(0, replacement);
    if (split_words)
      return split(Pattern(replacement), SplitBehavior::kMergedWithNext, false, {text, piece.at_start}, sink);
    sink({text, piece.at_start});
  });
}

void PreTokenizer::run_from(size_t step, Piece piece, const Sink& sink) const {
  if (piece.text.empty()) return;
  if (step == steps_.size()) return sink(piece);
  if (step + 1 == steps_.size()) return steps_[step](piece, sink);
  steps_[step](piece, [&, step](Piece part) { run_from(step + 1, part, sink); });
}

std::vector<std::string> PreTokenizer::pieces(std::string_view text) const {
  std::vector<std::string> all;
  run({text, true}, [&](Piece piece) { all.emplace_back(piece.text); });
  return all;
}

}  // namespace ingot::tok
