#include "ingot/msl/include_inliner.h"

#include <algorithm>
#include <set>
#include <vector>

#include "ingot/base/error.h"
#include "ingot/msl/lexer.h"

namespace ingot::msl {
namespace {

[[noreturn]] void refuse(std::string_view file, int line, std::string_view message) {
  throw Error(ErrorKind::kFormat, cat(file, ":", line, ": error: ", message));
}

int count_lines(std::string_view text) {
  int lines = 0;
  for (char c : text) lines += c == '\n';
  return lines;
}

std::string without_carriage_returns(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  for (size_t i = 0; i < text.size(); i++) {
    if (text[i] != '\r' || i + 1 == text.size() || text[i + 1] != '\n') result += text[i];
  }
  return result;
}

// A directive's words: `# ifdef X // why` -> {"ifdef", "X"}.
Tokens words_of(const Token& directive) { return tokenize(directive.text.substr(1)); }

enum class Condition { kOther, kAlwaysTrue, kAlwaysFalse };

// Whether a condition asks for nothing but __METAL_VERSION__.
Condition condition_of(const Tokens& words) {
  std::string spelled;
  for (const Token& word : words) spelled += cat(word.text, " ");
  const std::string name = "__METAL_VERSION__ ";
  if (spelled == "ifdef " + name || spelled == "if defined ( " + name + ") " || spelled == "if defined " + name)
    return Condition::kAlwaysTrue;
  if (spelled == "ifndef " + name || spelled == "if ! defined ( " + name + ") " || spelled == "if ! defined " + name)
    return Condition::kAlwaysFalse;
  return Condition::kOther;
}

class Inliner {
 public:
  explicit Inliner(const IncludeReader& reader) : reader_(reader) {}

  void add_main(const std::string& file, std::string_view text) {
    seen_.insert(plain_path(file));
    add(file, text);
  }

  SourceText take() { return std::move(out_); }

 private:
  struct OpenCondition {
    Condition kind;
    int line;
    bool outer_dropped;
  };
  struct File {
    const std::string& name;
    std::string_view text;
    size_t done = 0;  // bytes already written
    int line = 1;     // of `done`
    bool dropped = false;
    std::vector<OpenCondition> conditions;
  };

  void add(const std::string& file, std::string_view given) {
    const std::string text = without_carriage_returns(given);
    total_ += text.size();
    if (total_ > kLargestText) refuse(file, 1, cat("kernel text is larger than ", kLargestText, " bytes"));
    if (text.find('\0') != text.npos) refuse(file, 1, "zero byte in kernel text");
    size_t unfinished = text.npos;
    const Tokens tokens = tokenize(text, &unfinished);
    if (unfinished != text.npos)
      refuse(file, 1 + count_lines(std::string_view(text).substr(0, unfinished)), "comment or string without an end");
    File state{file, text, 0, 1, false, {}};
    for (const Token& token : tokens) {
      if (token.kind == TokenKind::kDirective) directive(state, token);
    }
    if (!state.conditions.empty()) refuse(file, state.conditions.back().line, "#if without #endif");
    copy_up_to(state, text.size());
    if (!text.empty() && text.back() != '\n') out_.append(file, state.line, "\n");
  }

  // Writes up to `end`, as blank lines while a condition leaves the text out.
  void copy_up_to(File& file, size_t end) {
    std::string_view part = file.text.substr(file.done, end - file.done);
    const int lines = count_lines(part);
    if (file.dropped) {
      out_.append(file.name, file.line, std::string(static_cast<size_t>(lines), '\n'));
    } else {
      out_.append(file.name, file.line, part);
    }
    file.done = end;
    file.line += lines;
  }

  void blank_directive(File& file, const Token& token) {
    const bool was = file.dropped;
    file.dropped = true;
    copy_up_to(file, token.end());
    file.dropped = was;
  }

  void directive(File& file, const Token& token) {
    const Tokens words = words_of(token);
    const std::string_view word = words.empty() ? std::string_view() : words[0].text;
    copy_up_to(file, token.begin);
    const int line = file.line;
    if (word == "if" || word == "ifdef" || word == "ifndef") {
      open_condition(file, token, condition_of(words), line);
    } else if (word == "else" || word == "elif" || word == "endif") {
      close_condition(file, token, word, line);
    } else if (file.dropped) {
      return;
    } else if (word == "include" && words.size() > 1 && words[1].kind == TokenKind::kString) {
      include(file, token, words[1].text, line);
    } else if (word == "pragma" && words.size() == 2 && words[1].is("once")) {
      blank_directive(file, token);
    } else if (word == "line") {
      refuse(file.name, line, "#line is written by the translator only");
    }
  }

  void open_condition(File& file, const Token& token, Condition kind, int line) {
    if (file.conditions.size() >= 64) refuse(file.name, line, "conditions nested too deep");
    file.conditions.push_back({kind, line, file.dropped});
    if (kind == Condition::kOther) return;
    blank_directive(file, token);
    file.dropped = file.dropped || kind == Condition::kAlwaysFalse;
  }

  void close_condition(File& file, const Token& token, std::string_view word, int line) {
    if (file.conditions.empty()) refuse(file.name, line, cat("#", word, " without #if"));
    const OpenCondition open = file.conditions.back();
    if (word == "endif") file.conditions.pop_back();
    if (open.kind == Condition::kOther || open.outer_dropped) return;
    if (word == "elif") refuse(file.name, line, "write #else: a condition on __METAL_VERSION__ has two branches");
    blank_directive(file, token);
    file.dropped = word == "else" && open.kind == Condition::kAlwaysTrue;
  }

  void include(File& file, const Token& token, std::string_view quoted_name, int line) {
    for (const OpenCondition& open : file.conditions) {
      if (open.kind == Condition::kOther)
        refuse(file.name, line, "#include inside a condition: include it always (headers say #pragma once)");
    }
    const std::string written(quoted_name.substr(1, quoted_name.size() - 2));
    for (const char c : written) {
      if (c == '\\' || static_cast<unsigned char>(c) < 0x20)
        refuse(file.name, line, "write / between folders of a header");
    }
    blank_directive(file, token);
    std::optional<std::string> text;
    const std::string path = find(file.name, written, text, line);
    if (!seen_.insert(path).second) return;
    if (static_cast<int>(seen_.size()) > kMostIncludes) refuse(file.name, line, "too many headers");
    // Whatever follows the directive on its line is blank or a comment; the next line is named anew.
    const size_t region = out_.begin_included(path);
    out_.append(file.name, line, "\n");
    out_.append_line_directive(path, 1);
    add(path, *text);
    out_.end_included(region);
    out_.append_line_directive(file.name, line);
  }

  std::string find(const std::string& from, const std::string& written, std::optional<std::string>& text, int line) {
    const size_t slash = from.rfind('/');
    const std::string folder = slash == from.npos ? std::string() : from.substr(0, slash + 1);
    for (const std::string& path : {plain_path(folder + written), plain_path(written)}) {
      if (!reader_) break;
      if (seen_.count(path) != 0) return path;
      text = reader_(path);
      if (text) return path;
    }
    refuse(from, line, cat("header ", quoted(written), " not found"));
  }

  const IncludeReader& reader_;
  SourceText out_;
  std::set<std::string> seen_;
  size_t total_ = 0;
};

}  // namespace

std::string plain_path(std::string_view path) {
  std::vector<std::string_view> parts;
  size_t i = 0;
  while (i <= path.size()) {
    const size_t slash = std::min(path.find('/', i), path.size());
    const std::string_view part = path.substr(i, slash - i);
    if (part == ".." && !parts.empty() && parts.back() != ".." && !parts.back().empty()) {
      parts.pop_back();
    } else if (part != "." && !(part.empty() && i != 0)) {
      parts.push_back(part);
    }
    i = slash + 1;
  }
  std::string plain;
  for (size_t part = 0; part < parts.size(); part++) plain += cat(part == 0 ? "" : "/", parts[part]);
  return plain;
}

SourceText inline_includes(std::string_view name, std::string_view text, const IncludeReader& reader) {
  Inliner inliner(reader);
  inliner.add_main(std::string(name), text);
  return inliner.take();
}

}  // namespace ingot::msl
