#include "ingot/msl/lexer.h"

namespace ingot::msl {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\v' || c == '\f'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool starts_name(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool continues_name(char c) { return starts_name(c) || is_digit(c); }

class Lexer {
 public:
  Lexer(std::string_view text, size_t* unfinished) : text_(text), unfinished_(unfinished) {}

  Tokens run() {
    bool line_start = true;
    while (i_ < text_.size()) {
      char c = text_[i_];
      if (is_blank(c)) {
        line_start = line_start || c == '\n';
        i_++;
      } else if (starts("//")) {
        i_ = end_of_line(i_);
      } else if (starts("/*")) {
        i_ = end_of_comment(i_);
      } else if (c == '#' && line_start) {
        take(TokenKind::kDirective, end_of_directive());
      } else {
        line_start = false;
        take_token(c);
      }
    }
    return std::move(tokens_);
  }

 private:
  char at(size_t i) const { return i < text_.size() ? text_[i] : '\0'; }
  bool starts(std::string_view what) const { return text_.substr(i_, what.size()) == what; }

  void take(TokenKind kind, size_t end) {
    tokens_.push_back({kind, i_, text_.substr(i_, end - i_)});
    i_ = end;
  }

  void take_token(char c) {
    if (starts_name(c)) {
      size_t end = i_;
      while (continues_name(at(end))) end++;
      take(TokenKind::kName, end);
    } else if (is_digit(c) || (c == '.' && is_digit(at(i_ + 1)))) {
      take(TokenKind::kNumber, end_of_number());
    } else if (c == '"' || c == '\'') {
      take(TokenKind::kString, end_of_string(c));
    } else {
      take(TokenKind::kPunctuation, i_ + (starts("::") || starts("->") ? 2 : 1));
    }
  }

  // The newline that ends the line, those after a backslash not counted.
  size_t end_of_line(size_t i) const {
    while (i < text_.size() && text_[i] != '\n') i += text_[i] == '\\' && i + 1 < text_.size() ? 2 : 1;
    return i;
  }

  size_t end_of_comment(size_t begin) {
    size_t close = text_.find("*/", begin + 2);
    if (close != text_.npos) return close + 2;
    note_unfinished(begin);
    return text_.size();
  }

  // A comment that begins in a directive may reach over several lines.
  size_t end_of_directive() {
    size_t i = i_;
    while (i < text_.size() && text_[i] != '\n') {
      if (text_.substr(i, 2) == "/*") {
        i = end_of_comment(i);
      } else if (text_.substr(i, 2) == "//") {
        i = end_of_line(i);
      } else {
        i += text_[i] == '\\' && i + 1 < text_.size() ? 2 : 1;
      }
    }
    return i;
  }

  size_t end_of_number() const {
    size_t i = i_ + 1;
    while (continues_name(at(i)) || at(i) == '.' || (at(i) == '\'' && continues_name(at(i + 1)))) {
      bool exponent = at(i) == 'e' || at(i) == 'E' || at(i) == 'p' || at(i) == 'P';
      i += exponent && (at(i + 1) == '+' || at(i + 1) == '-') ? 2 : 1;
    }
    return i;
  }

  size_t end_of_string(char quote) {
    size_t i = i_ + 1;
    while (i < text_.size() && text_[i] != quote && text_[i] != '\n')
      i += text_[i] == '\\' && i + 1 < text_.size() ? 2 : 1;
    if (at(i) == quote) return i + 1;
    note_unfinished(i_);
    return i;
  }

  void note_unfinished(size_t begin) {
    if (unfinished_ != nullptr) *unfinished_ = begin;
  }

  std::string_view text_;
  size_t* unfinished_;
  size_t i_ = 0;
  Tokens tokens_;
};

}  // namespace

Tokens tokenize(std::string_view text, size_t* unfinished) { return Lexer(text, unfinished).run(); }

}  // namespace ingot::msl
