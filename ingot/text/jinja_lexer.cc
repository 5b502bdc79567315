#include "ingot/text/jinja_lexer.h"

#include <algorithm>

#include "ingot/text/jinja_object.h"
#include "ingot/text/jinja_text.h"

namespace ingot::jinja {

namespace {

bool is_name_start(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}
bool is_ascii_digit(char c) { return c >= '0' && c <= '9'; }
bool is_name_part(char c) { return is_name_start(c) || is_ascii_digit(c); }

// Line ends become "\n" and one at the very end goes.
std::string normalized(std::string_view source) {
  std::string out;
  out.reserve(source.size());
  for (size_t i = 0; i < source.size(); i++) {
    if (source[i] == '\r') {
      out += '\n';
      if (i + 1 < source.size() && source[i + 1] == '\n') i++;
    } else {
      out += source[i];
    }
  }
  if (!out.empty() && out.back() == '\n') out.pop_back();
  return out;
}

class Lexer {
 public:
  explicit Lexer(std::string_view source) : source_(normalized(source)), s_(source_) {}

  std::vector<Token> run() {
    while (at_ < s_.size()) root();
    add(Token::Type::kEnd, "end of the template");
    return std::move(tokens_);
  }

 private:
  template <class... Parts>
  [[noreturn]] void error(const Parts&... parts) {
    refuse("line ", line_, ": ", parts...);
  }

  bool looking_at(std::string_view text) const { return s_.substr(at_, text.size()) == text; }
  void add(Token::Type type, std::string_view text) { tokens_.push_back({type, line_, std::string(text)}); }

  // Moves on, counting lines.
  void advance(size_t to) {
    line_ += static_cast<int>(std::count(s_.begin() + at_, s_.begin() + to, '\n'));
    at_ = to;
  }

  size_t skip_space(size_t at) const {
    while (at < s_.size()) {
      Character c = character_at(s_, at);
      if (!is_space(c.code)) break;
      at += c.length;
    }
    return at;
  }

  // The text before a tag, as its sign and the kind of tag leave it.
  void add_data(size_t begin, size_t end, char sign, bool is_block) {
    std::string_view text = s_.substr(begin, end - begin);
    if (sign == '-') {
      text = text.substr(0, strip(text, nullptr, false, true).end);
    } else if (sign != '+' && is_block) {
      size_t line_begin = text.rfind('\n') == text.npos ? 0 : text.rfind('\n') + 1;
      std::string_view last = text.substr(line_begin);
      if ((line_begin > 0 || line_starting_) && strip(last, nullptr, true, false).begin == last.size()) {
        text = text.substr(0, line_begin);
      }
    }
    if (!text.empty()) add(Token::Type::kData, text);
  }

  void root() {
    size_t open = at_;
    while (true) {
      open = s_.find('{', open);
      if (open == s_.npos || open + 1 >= s_.size()) {
        add_data(at_, s_.size(), '+', false);
        return advance(s_.size());
      }
      if (s_[open + 1] == '%' || s_[open + 1] == '{' || s_[open + 1] == '#') break;
      open++;
    }
    char kind = s_[open + 1];
    size_t inside = open + 2;
    char sign = inside < s_.size() && (s_[inside] == '-' || s_[inside] == '+') ? s_[inside] : ' ';
    if (sign != ' ') inside++;
    add_data(at_, open, sign, kind != '{');
    advance(open);
    if (kind == '#') return comment(inside);
    if (kind == '%') {
      if (size_t raw_begin = raw_tag_end(inside)) return raw(raw_begin);
    }
    add(kind == '%' ? Token::Type::kBlockBegin : Token::Type::kVariableBegin, s_.substr(open, 2));
    advance(inside);
    tag(kind == '%');
  }

  void end_of_tag(size_t to) {
    line_starting_ = to > at_ && s_[to - 1] == '\n';
    advance(to);
  }
  size_t past_newline(size_t at) const { return at < s_.size() && s_[at] == '\n' ? at + 1 : at; }

  void comment(size_t inside) {
    size_t close = s_.find("#}", inside);
    if (close == s_.npos) error("the comment that starts here has no end");
    bool has_sign = close > inside && (s_[close - 1] == '-' || s_[close - 1] == '+');
    size_t after = close + 2;
    if (has_sign && s_[close - 1] == '-') {
      after = skip_space(after);
    } else if (!has_sign) {
      after = past_newline(after);
    }
    end_of_tag(after);
  }

  // Where the content of {% raw %} starts, or 0 when the tag at `inside` is another one.
  size_t raw_tag_end(size_t inside) const {
    size_t at = skip_space(inside);
    if (s_.substr(at, 3) != "raw") return 0;
    at = skip_space(at + 3);
    if (s_.substr(at, 3) == "-%}") return skip_space(at + 3);
    return s_.substr(at, 2) == "%}" ? at + 2 : 0;
  }

  void raw(size_t begin) {
    end_of_tag(begin);
    for (size_t open = s_.find("{%", at_); open != s_.npos; open = s_.find("{%", open + 1)) {
      size_t inside = open + 2;
      char sign = inside < s_.size() && (s_[inside] == '-' || s_[inside] == '+') ? s_[inside] : ' ';
      size_t name = skip_space(sign == ' ' ? inside : inside + 1);
      if (s_.substr(name, 6) != "endraw") continue;
      size_t close = skip_space(name + 6);
      size_t after = 0;
      if (s_.substr(close, 3) == "-%}") {
        after = skip_space(close + 3);
      } else if (s_.substr(close, 3) == "+%}") {
        after = close + 3;
      } else if (s_.substr(close, 2) == "%}") {
        after = past_newline(close + 2);
      } else {
        continue;
      }
      add_data(at_, open, sign, true);
      return end_of_tag(after);
    }
    error("{% raw %} has no {% endraw %}");
  }

  // The inside of {% %} or {{ }} up to and with its end.
  void tag(bool is_block) {
    std::string_view end = is_block ? "%}" : "}}";
    int first_line = line_;
    while (at_ < s_.size()) {
      if (brackets_.empty()) {
        bool minus = looking_at(is_block ? "-%}" : "-}}");
        bool plus = is_block && looking_at("+%}");
        if (minus || plus || looking_at(end)) {
          add(is_block ? Token::Type::kBlockEnd : Token::Type::kVariableEnd, end);
          size_t after = at_ + (minus || plus ? 3 : 2);
          if (minus) after = skip_space(after);
          if (is_block && !minus && !plus) after = past_newline(after);
          return end_of_tag(after);
        }
      }
      size_t space = skip_space(at_);
      if (space != at_) {
        advance(space);
      } else {
        token();
      }
    }
    line_ = first_line;
    error("the tag that starts here has no end");
  }

  void token() {
    char c = s_[at_];
    if (is_ascii_digit(c)) return number();
    if (is_name_start(c)) {
      size_t end = at_;
      while (end < s_.size() && is_name_part(s_[end])) end++;
      add(Token::Type::kName, s_.substr(at_, end - at_));
      at_ = end;
      return;
    }
    if (c == '\'' || c == '"') return string(c);
    static constexpr std::string_view kDouble[] = {"//", "**", "==", "!=", ">=", "<="};
    for (std::string_view op : kDouble) {
      if (looking_at(op)) {
        add(Token::Type::kOperator, op);
        at_ += 2;
        return;
      }
    }
    if (std::string_view("+-/*%~[](){}<>=.:|,;").find(c) == std::string_view::npos) {
      error("unexpected character ", quoted(s_.substr(at_, character_at(s_, at_).length)));
    }
    if (c == '(' || c == '[' || c == '{') brackets_ += c;
    if (c == ')' || c == ']' || c == '}') {
      char opener = c == ')' ? '(' : c == ']' ? '[' : '{';
      if (brackets_.empty() || brackets_.back() != opener) error("unexpected '", c, "'");
      brackets_.pop_back();
    }
    add(Token::Type::kOperator, s_.substr(at_, 1));
    at_++;
  }

  // Digits with single underscores between them; returns the end, or `at` when there is none.
  size_t digits(size_t at) const {
    size_t end = at;
    while (end < s_.size() && (is_ascii_digit(s_[end]) || (s_[end] == '_' && end > at && s_[end - 1] != '_' &&
                                                           end + 1 < s_.size() && is_ascii_digit(s_[end + 1])))) {
      end++;
    }
    return end;
  }

  void number() {
    size_t end = digits(at_);
    bool is_float = false;
    if (at_ == 0 || s_[at_ - 1] != '.') {
      if (end < s_.size() && s_[end] == '.' && digits(end + 1) > end + 1) {
        end = digits(end + 1);
        is_float = true;
      }
      if (end < s_.size() && (s_[end] == 'e' || s_[end] == 'E')) {
        size_t exponent = end + 1;
        if (exponent < s_.size() && (s_[exponent] == '+' || s_[exponent] == '-')) exponent++;
        if (digits(exponent) > exponent) {
          end = digits(exponent);
          is_float = true;
        }
      }
    }
    if (!is_float && s_[at_] == '0') {
      char base = at_ + 1 < s_.size() ? s_[at_ + 1] : ' ';
      if (std::string_view("xXoObB").find(base) != std::string_view::npos) {
        error("numbers in base 2, 8 and 16 are not supported");
      }
      if (s_.substr(at_, end - at_).find_first_not_of("0_") != std::string_view::npos) {
        error("a number starts with a superfluous 0");
      }
    }
    std::string text(s_.substr(at_, end - at_));
    std::erase(text, '_');
    add(is_float ? Token::Type::kFloat : Token::Type::kInteger, text);
    at_ = end;
  }

  void string(char quote) {
    size_t end = at_ + 1;
    while (end < s_.size() && s_[end] != quote) end += s_[end] == '\\' ? 2 : 1;
    if (end >= s_.size()) error("the string that starts here has no end");
    std::string text = unescape(s_.substr(at_ + 1, end - at_ - 1));
    add(Token::Type::kString, text);
    advance(end + 1);
  }

  std::string unescape(std::string_view body) {
    std::string out;
    for (size_t i = 0; i < body.size(); i++) {
      if (body[i] != '\\' || i + 1 == body.size()) {
        out += body[i];
        continue;
      }
      char c = body[++i];
      static constexpr std::string_view kFrom = "abfnrtv\\'\"", kTo = "\a\b\f\n\r\t\v\\'\"";
      if (size_t k = kFrom.find(c); k != kFrom.npos) {
        out += kTo[k];
      } else if (c == '\n') {
        continue;
      } else if (c >= '0' && c <= '7') {
        char32_t code = 0;
        size_t last = std::min(i + 3, body.size());
        for (; i < last && body[i] >= '0' && body[i] <= '7'; i++) code = code * 8 + (body[i] - '0');
        i--;
        append_utf8(out, code);
      } else if (c == 'x' || c == 'u' || c == 'U') {
        append_utf8(out, hexadecimal(body, i + 1, c == 'x' ? 2 : c == 'u' ? 4 : 8));
        i += c == 'x' ? 2 : c == 'u' ? 4 : 8;
      } else if (c == 'N') {
        error("\\N{...} in a string is not supported");
      } else {
        out += {'\\', c};
      }
    }
    return out;
  }

  char32_t hexadecimal(std::string_view body, size_t at, size_t count) {
    char32_t code = 0;
    for (size_t k = 0; k < count; k++) {
      char c = at + k < body.size() ? body[at + k] : ' ';
      int digit = is_ascii_digit(c)      ? c - '0'
                  : c >= 'a' && c <= 'f' ? c - 'a' + 10
                  : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                         : -1;
      if (digit < 0) error("a string has a broken \\x or \\u escape");
      code = code << 4 | static_cast<char32_t>(digit);
    }
    if (code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF)) error("a string escape is no Unicode character");
    return code;
  }

  std::string source_;
  std::string_view s_;
  size_t at_ = 0;
  int line_ = 1;
  bool line_starting_ = true;  // the last tag ended with a newline
  std::string brackets_;       // open ones within a tag
  std::vector<Token> tokens_;
};

}  // namespace

std::vector<Token> tokenize(std::string_view source) { return Lexer(source).run(); }

}  // namespace ingot::jinja
