// A cursor over the tokens of a template, for the parsers.
#pragma once
#include <algorithm>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "ingot/text/jinja_lexer.h"
#include "ingot/text/jinja_object.h"

namespace ingot::jinja {

class TokenStream {
 public:
  using Type = Token::Type;
  using Words = std::initializer_list<std::string_view>;

  explicit TokenStream(std::string_view source) : tokens_(tokenize(source)) {}

  const Token& now() const { return tokens_[at_]; }
  const Token& next_token() const { return tokens_[std::min(at_ + 1, tokens_.size() - 1)]; }
  bool at_end() const { return now().type == Type::kEnd; }
  bool is(Type type) const { return now().type == type; }
  bool is_op(std::string_view op) const { return is(Type::kOperator) && now().text == op; }
  bool is_word(std::string_view word) const { return is(Type::kName) && now().text == word; }
  bool is_word_of(Words words) const {
    return is(Type::kName) && std::find(words.begin(), words.end(), now().text) != words.end();
  }
  void advance() {
    if (!at_end()) at_++;
  }
  bool take_op(std::string_view op) {
    bool found = is_op(op);
    if (found) advance();
    return found;
  }
  bool take_word(std::string_view word) {
    bool found = is_word(word);
    if (found) advance();
    return found;
  }
  void expect_op(std::string_view op) {
    if (!take_op(op)) error("expected '", op, "', got ", quoted(now().text));
  }
  void expect_word(std::string_view word) {
    if (!take_word(word)) error("expected '", word, "', got ", quoted(now().text));
  }
  void expect(Type type, std::string_view what) {
    if (!is(type)) error("expected ", what, ", got ", quoted(now().text));
    advance();
  }
  std::string name() {
    std::string text = now().text;
    expect(Type::kName, "a name");
    return text;
  }
  template <class... Parts>
  [[noreturn]] void error(const Parts&... parts) {
    refuse("line ", now().line, ": ", parts...);
  }
  template <class... Parts>
  [[noreturn]] void unsupported(const Parts&... parts) {
    throw TemplateError{ErrorKind::kUnsupported, cat("line ", now().line, ": ", parts..., " is not supported")};
  }

  struct Nest {
    explicit Nest(TokenStream& stream) : p(stream) {
      if (++p.nesting_ > kMaxNesting) p.error("nests deeper than ", kMaxNesting, " levels");
    }
    ~Nest() { p.nesting_--; }
    TokenStream& p;
  };

 private:
  // A level of brackets costs a dozen stack frames in the parser; a server thread on macOS has 512 KiB in all.
  static constexpr int kMaxNesting = 48;

  std::vector<Token> tokens_;  // the last one is kEnd
  size_t at_ = 0;
  int nesting_ = 0;
};

}  // namespace ingot::jinja
