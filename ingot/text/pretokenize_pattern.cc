#include "ingot/text/pretokenize_pattern.h"

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "ingot/base/error.h"
#include "ingot/text/tokenizer_unicode.h"

namespace ingot::tok {

namespace {

constexpr size_t kNone = static_cast<size_t>(-1);
constexpr size_t kMaxPattern = 65536;

// Members of sets, written so that PCRE2 can test ASCII by a bitmap.
constexpr std::string_view kSpace =
    "\\x{9}-\\x{D}\\x{20}\\x{85}\\x{A0}\\x{1680}\\x{2000}-\\x{200A}\\x{2028}\\x{2029}\\x{202F}\\x{205F}\\x{3000}";
constexpr std::string_view kNotSpace =
    "\\x{0}-\\x{8}\\x{E}-\\x{1F}\\x{21}-\\x{84}\\x{86}-\\x{9F}\\x{A1}-\\x{167F}\\x{1681}-\\x{1FFF}\\x{200B}-\\x{2027}"
    "\\x{202A}-\\x{202E}\\x{2030}-\\x{205E}\\x{2060}-\\x{2FFF}\\x{3001}-\\x{10FFFF}";
constexpr std::string_view kHex = "0-9A-Fa-f";
constexpr std::string_view kNotHex = "\\x{0}-\\x{2F}\\x{3A}-\\x{40}\\x{47}-\\x{60}\\x{67}-\\x{10FFFF}";
constexpr std::string_view kWord = "\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\x{B2}\\x{B3}\\x{B9}\\x{BC}-\\x{BE}";

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_hex(char c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

struct Name {
  std::string_view from, to;
};
constexpr std::array<Name, 10> kPosixSets{{{"alpha", "\\p{Alphabetic}"},
                                           {"digit", "\\p{Nd}"},
                                           {"alnum", "\\p{Alphabetic}\\p{Nd}"},
                                           {"space", kSpace},
                                           {"upper", "\\p{Uppercase}"},
                                           {"lower", "\\p{Lowercase}"},
                                           {"punct", "\\p{P}\\p{S}"},
                                           {"xdigit", kHex},
                                           {"word", kWord},
                                           {"cntrl", "\\p{Cc}"}}};
constexpr std::array<Name, 14> kProperties{{{"letter", "L"},
                                            {"mark", "M"},
                                            {"number", "N"},
                                            {"punctuation", "P"},
                                            {"symbol", "S"},
                                            {"separator", "Z"},
                                            {"other", "C"},
                                            {"alphabetic", "Alphabetic"},
                                            {"lowercase", "Lowercase"},
                                            {"uppercase", "Uppercase"},
                                            {"ideographic", "Ideographic"},
                                            {"emoji", "Emoji"},
                                            {"extendedpictographic", "Extended_Pictographic"},
                                            {"any", "Any"}}};

class Translator {
 public:
  explicit Translator(std::string_view pattern) : in_(pattern) {}

  std::string run() {
    if (in_.size() > kMaxPattern) fail(ErrorKind::kUnsupported, "tokenizer", "regular expression: longer than 64 KiB");
    while (at_ < in_.size()) step();
    return out_;
  }

 private:
  [[noreturn]] void refuse(std::string_view what) const {
    fail(ErrorKind::kUnsupported, "tokenizer",
         cat("regular expression ", quoted(in_), ": ", what, " is not supported"));
  }
  bool next_is(std::string_view text) const { return in_.substr(at_).starts_with(text); }
  char peek(size_t ahead = 0) const { return at_ + ahead < in_.size() ? in_[at_ + ahead] : '\0'; }

  void atom(std::string_view text) {
    atom_ = out_.size();
    out_ += text;
  }

  void step() {
    char c = in_[at_];
    switch (c) {
      case '\\':
        escape();
        return;
      case '[':
        set();
        return;
      case '(':
        open();
        return;
      case ')':
        at_++;
        out_ += ')';
        atom_ = kNone;
        if (!groups_.empty()) atom_ = groups_.back(), groups_.pop_back();
        return;
      case '*':
      case '+':
      case '?':
        at_++;
        out_ += c;
        if (peek() == '?' || peek() == '+') out_ += in_[at_++];
        return;
      case '{':
        interval();
        return;
      case '|':
        at_++;
        out_ += '|';
        atom_ = kNone;
        return;
      case '}':
      case ']':
        at_++;
        atom(c == '}' ? "\\}" : "\\]");
        return;
      default: {
        size_t length = character_at(in_, at_).length;
        atom(in_.substr(at_, length));
        at_ += length;
      }
    }
  }

  // Ruby: {n,m}+ repeats {n,m} again, and {n}? makes it optional; in PCRE2 they are possessive and lazy.
  void interval() {
    size_t end = at_ + 1;
    while (end < in_.size() && (is_digit(in_[end]) || in_[end] == ',')) end++;
    std::string_view body = in_.substr(at_ + 1, end - at_ - 1);
    bool digits = std::any_of(body.begin(), body.end(), is_digit);
    if (end >= in_.size() || in_[end] != '}' || !digits || std::count(body.begin(), body.end(), ',') > 1) {
      at_++;
      atom("\\{");
      return;
    }
    out_ += cat("{", body.front() == ',' ? "0" : "", body, "}");
    at_ = end + 1;
    bool exact = body.find(',') == std::string_view::npos;
    if (peek() == '?' && !exact) {
      out_ += '?';
      at_++;
    } else if (peek() == '+' || peek() == '?') {
      if (atom_ == kNone) refuse("a repetition of nothing");
      out_.insert(atom_, "(?:");
      out_ += cat(")", peek() == '+' ? "+" : "?");
      at_++;
    }
  }

  void open() {
    size_t start = out_.size();
    if (next_is("(*")) refuse("(*");
    if (!next_is("(?")) {
      at_++;
      out_ += '(';
      groups_.push_back(start);
      return;
    }
    for (std::string_view known : {"(?:", "(?=", "(?!", "(?<=", "(?<!", "(?>"}) {
      if (!next_is(known)) continue;
      at_ += known.size();
      out_ += known;
      groups_.push_back(start);
      return;
    }
    size_t end = at_ + 2;
    std::string flags = "(?";
    for (; end < in_.size() && in_[end] != ':' && in_[end] != ')'; end++) {
      char f = in_[end];
      if (f != 'i' && f != 'm' && f != '-') refuse(quoted(in_.substr(at_, end + 1 - at_)));
      flags += f == 'm' ? 's' : f;  // Ruby's m lets the dot match a line feed
    }
    if (end >= in_.size()) refuse("a group without an end");
    bool isolated = in_[end] == ')';
    if (isolated && at_ != 0) refuse("a flag that begins inside a pattern");
    out_ += flags + in_[end];
    at_ = end + 1;
    if (!isolated) groups_.push_back(start);
  }

  // At_ stands after the p or P: {Name} or {^Name}.
  std::string property(bool negated) {
    size_t end = in_.find('}', at_);
    if (peek() != '{' || end == std::string_view::npos) refuse("\\p without a name in braces");
    std::string_view name = in_.substr(at_ + 1, end - at_ - 1);
    at_ = end + 1;
    if (name.starts_with('^')) name.remove_prefix(1), negated = !negated;
    std::string plain;
    for (char c : name) {
      if (c == '_' || c == ' ' || c == '-') continue;
      if (!is_letter(c)) refuse(cat("the property ", quoted(name)));
      plain += static_cast<char>(c | 0x20);
    }
    const char* open = negated ? "\\P{" : "\\p{";
    if (plain.empty()) refuse("an empty property name");
    if (plain.size() <= 2) return cat(open, name, "}");
    if (plain == "space" || plain == "whitespace") return cat("\\", negated ? "S" : "s");
    for (const Name& p : kProperties)
      if (plain == p.from) return cat(open, p.to, "}");
    // What is left can only be a script; PCRE2 would take its extensions too.
    return cat(open, "sc:", plain, "}");
  }

  // \xHH, \x{H...}, \uHHHH; at_ stands after the letter.
  char32_t code(char kind) {
    size_t end = at_;
    size_t limit = kind == 'u' ? 4 : 2;
    bool braces = kind == 'x' && peek() == '{';
    if (braces) end++, limit = 8;
    size_t first = end;
    while (end < in_.size() && end - first < limit && is_hex(in_[end])) end++;
    char32_t value = 0;
    for (size_t i = first; i < end; i++) {
      int digit = is_digit(in_[i]) ? in_[i] - '0' : (in_[i] | 0x20) - 'a' + 10;
      value = value << 4 | static_cast<char32_t>(digit);
    }
    bool bad = end == first || (kind == 'u' && end - first != 4) || (braces && (end >= in_.size() || in_[end] != '}'));
    if (bad || value > 0x10FFFF || (value >= 0xD800 && value < 0xE000)) refuse("this character code");
    if (!braces && kind == 'x' && value > 0x7F) refuse("a byte that is no ASCII character");
    at_ = end + (braces ? 1 : 0);
    return value;
  }

  static std::string code_text(char32_t value) {
    constexpr std::string_view kDigits = "0123456789ABCDEF";
    std::string hex;
    do hex.insert(hex.begin(), kDigits[value & 15]);
    while (value >>= 4);
    return cat("\\x{", hex, "}");
  }

  // Escapes that mean one character, inside a set and outside.
  std::optional<std::string> character_escape(char c) {
    switch (c) {
      case 'n':
      case 'r':
      case 't':
      case 'f':
      case 'a':
      case 'e':
        return cat("\\", c);
      case 'v':
        return code_text(0x0B);
      case 'x':
      case 'u':
        return code_text(code(c));
      default:
        break;
    }
    if (is_letter(c) || is_digit(c)) return std::nullopt;
    if (static_cast<unsigned char>(c) >= 0x80) {  // the escape of a character that needs none
      size_t length = character_at(in_, at_ - 1).length;
      std::string text(in_.substr(at_ - 1, length));
      at_ += length - 1;
      return text;
    }
    return cat("\\", c);
  }

  char escape_letter() {
    if (at_ + 1 >= in_.size()) refuse("a backslash at the end");
    at_ += 2;
    return in_[at_ - 1];
  }

  void escape() {
    char c = escape_letter();
    switch (c) {
      case 's':
        atom(cat("[", kSpace, "]"));
        return;
      case 'S':
        atom(cat("[^", kSpace, "]"));
        return;
      case 'h':
        atom(cat("[", kHex, "]"));
        return;
      case 'H':
        atom(cat("[^", kHex, "]"));
        return;
      case 'w':
        atom(cat("[", kWord, "]"));
        return;
      case 'W':
        atom(cat("[^", kWord, "]"));
        return;
      case 'd':
        atom("\\p{Nd}");
        return;
      case 'D':
        atom("\\P{Nd}");
        return;
      case 'b':
        atom(cat("(?:(?<=[", kWord, "])(?![", kWord, "])|(?<![", kWord, "])(?=[", kWord, "]))"));
        return;
      case 'A':
      case 'z':
      case 'Z':
        atom(cat("\\", c));
        return;
      case 'p':
      case 'P': {
        std::string p = property(c == 'P');
        atom(p == "\\s" ? cat("[", kSpace, "]") : p == "\\S" ? cat("[^", kSpace, "]") : p);
        return;
      }
      default:
        break;
    }
    std::optional<std::string> text = character_escape(c);
    if (!text) refuse(cat("\\", c));
    atom(*text);
  }

  void set() {
    atom_ = out_.size();
    at_++;
    out_ += '[';
    if (peek() == '^') out_ += in_[at_++];
    bool first = true;
    while (true) {
      if (at_ >= in_.size()) refuse("a set without an end");
      char c = in_[at_];
      if (c == ']' && !first) break;
      first = false;
      if (c == '\\') {
        out_ += set_escape();
      } else if (next_is("[:")) {
        out_ += posix_set();
      } else if (c == '[') {
        refuse("a set in a set");
      } else if (next_is("&&")) {
        refuse("&& in a set");
      } else if (c == ']') {
        at_++;
        out_ += "\\]";
      } else {
        size_t length = character_at(in_, at_).length;
        out_ += in_.substr(at_, length);
        at_ += length;
      }
    }
    at_++;
    out_ += ']';
  }

  std::string set_escape() {
    char c = escape_letter();
    switch (c) {
      case 's':
        return std::string(kSpace);
      case 'S':
        return std::string(kNotSpace);
      case 'h':
        return std::string(kHex);
      case 'H':
        return std::string(kNotHex);
      case 'w':
        return std::string(kWord);
      case 'd':
        return "\\p{Nd}";
      case 'D':
        return "\\P{Nd}";
      case 'b':
        return code_text(0x08);
      case 'p':
      case 'P': {
        std::string p = property(c == 'P');
        return p == "\\s" ? std::string(kSpace) : p == "\\S" ? std::string(kNotSpace) : p;
      }
      default:
        break;
    }
    std::optional<std::string> text = character_escape(c);
    if (!text) refuse(cat("\\", c, " in a set"));
    return *text;
  }

  std::string posix_set() {
    size_t end = in_.find(":]", at_ + 2);
    std::string_view name = end == std::string_view::npos ? in_.substr(at_) : in_.substr(at_ + 2, end - at_ - 2);
    for (const Name& p : kPosixSets) {
      if (end == std::string_view::npos || name != p.from) continue;
      at_ = end + 2;
      return std::string(p.to);
    }
    refuse(cat("the set ", quoted(name)));
  }

  std::string_view in_;
  size_t at_ = 0;
  std::string out_;
  size_t atom_ = kNone;         // where in out_ the last thing that can be repeated begins
  std::vector<size_t> groups_;  // where in out_ the open groups begin
};

}  // namespace

std::string pcre2_of_oniguruma(std::string_view pattern) { return Translator(pattern).run(); }

}  // namespace ingot::tok
